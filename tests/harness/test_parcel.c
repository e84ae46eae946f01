/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/parcel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

static const struct plan_statement statements[3];
static const struct plan_peer peers[2];
static const struct plan plan = {
    .peers = peers, .peer_count = 2, .statements = statements, .statement_count = 3};

static struct happened_peer got[2] = {
    {.peer = 0, .connected = true, .received = (uint8_t *)(uintptr_t) "abc", .received_size = 3,
     .saw = PLAN_SAW_FIN, .near = {.ss_family = AF_INET}},
    {.peer = 1},
};
static uint32_t sources[] = {1, 0};
static struct happened_action actions[] = {
    {.statement = 2, .due = {5}, .actual = {7}, .bytes = 3, .error = EPIPE},
};
static struct packet frames[] = {
    {.stamp_ns = 11, .captured_bytes = 4, .original_bytes = 60, .bytes = (const uint8_t *)"wxyz"},
    {.stamp_ns = 12, .captured_bytes = 0, .original_bytes = 0, .bytes = (const uint8_t *)""},
};

/* A record with something in each field. Its lines are for sample_end. */
static struct parcel sample(struct packet_list *list)
{
    struct parcel parcel = {
        .kind = PARCEL_HAPPENED,
        .happened = {
            .plan = &plan, .trigger = REACTOR_OS, .family = PLAN_IPV6,
            .sources = sources, .source_count = 2, .actions = actions, .action_count = 1,
            .peers = got, .peer_count = 2, .packets = list, .fate = HAPPENED_LIMIT,
            .fate_text = (char *)(uintptr_t) "the limit", .started = {1}, .setup = {2},
            .timeline = {3},
        },
    };

    packet_list_init(list, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    list->packets = frames;
    list->count = 2;
    lines_add(&parcel.happened.left_over, "c 5 bytes not sent");
    lines_add(&parcel.happened.notes, "%s", "");
    lines_add(&parcel.happened.notes, "note");
    return parcel;
}

static void sample_end(struct parcel *parcel)
{
    lines_free(&parcel->happened.left_over);
    lines_free(&parcel->happened.notes);
}

static uint8_t *packed(size_t *ret_size)
{
    struct packet_list list;
    struct parcel parcel = sample(&list);
    uint8_t *bytes = NULL;

    assert_int_equal(parcel_pack(&parcel, &bytes, ret_size), 0);
    sample_end(&parcel);
    return bytes;
}

static void same_record(const struct happened *happened)
{
    assert_ptr_equal(happened->plan, &plan);
    assert_int_equal(happened->trigger, REACTOR_OS);
    assert_int_equal(happened->family, PLAN_IPV6);
    assert_int_equal(happened->fate, HAPPENED_LIMIT);
    assert_string_equal(happened->fate_text, "the limit");
    assert_int_equal(happened->started.ns + happened->setup.ns + happened->timeline.ns, 6);
    assert_int_equal(happened->source_count, 2);
    assert_memory_equal(happened->sources, sources, sizeof(sources));
    assert_int_equal(happened->action_count, 1);
    assert_memory_equal(happened->actions, actions, sizeof(actions));
    assert_int_equal(happened->left_over.count, 1);
    assert_string_equal(happened->left_over.line[0], "c 5 bytes not sent");
    assert_int_equal(happened->notes.count, 2);
    assert_string_equal(happened->notes.line[0], "");
    assert_string_equal(happened->notes.line[1], "note");
}

static void a_record_comes_out_as_it_went_in(void **state)
{
    struct parcel parcel;
    size_t size;
    uint8_t *bytes = packed(&size);

    (void)state;
    assert_int_equal(parcel_size(bytes, sizeof(struct parcel_head)), size);
    assert_int_equal(parcel_open(bytes, size, &plan, &parcel), 0);
    assert_int_equal(parcel.kind, PARCEL_HAPPENED);
    same_record(&parcel.happened);
    assert_int_equal(parcel.happened.peer_count, 2);
    assert_true(parcel.happened.peers[0].connected);
    assert_false(parcel.happened.peers[1].connected);
    assert_int_equal(parcel.happened.peers[0].saw, PLAN_SAW_FIN);
    assert_int_equal(parcel.happened.peers[0].near.ss_family, AF_INET);
    assert_int_equal(parcel.happened.peers[0].received_size, 3);
    assert_memory_equal(parcel.happened.peers[0].received, "abc", 3);
    assert_int_equal(parcel.happened.packets->count, 2);
    assert_int_equal(parcel.happened.packets->packets[0].stamp_ns, 11);
    assert_int_equal(parcel.happened.packets->packets[0].original_bytes, 60);
    assert_memory_equal(parcel.happened.packets->packets[0].bytes, "wxyz", 4);
    happened_free(&parcel.happened);
    free(bytes);
}

static void a_failure_and_an_interruption_come_out_too(void **state)
{
    struct parcel failed = {.kind = PARCEL_FAILURE, .failure = {.code = 5, .text = "no link"}};
    struct parcel ended = {.kind = PARCEL_INTERRUPTED};
    struct parcel parcel;
    uint8_t *bytes;
    size_t size;

    (void)state;
    assert_int_equal(parcel_pack(&failed, &bytes, &size), 0);
    assert_int_equal(parcel_open(bytes, size, &plan, &parcel), 0);
    assert_int_equal(parcel.kind, PARCEL_FAILURE);
    assert_int_equal(parcel.failure.code, 5);
    assert_string_equal(parcel.failure.text, "no link");
    free(bytes);
    assert_int_equal(parcel_pack(&ended, &bytes, &size), 0);
    assert_int_equal(parcel_open(bytes, size, &plan, &parcel), 0);
    assert_int_equal(parcel.kind, PARCEL_INTERRUPTED);
    free(bytes);
}

static void a_parcel_that_was_cut_off_anywhere_is_none(void **state)
{
    struct parcel_head head;
    struct parcel parcel;
    size_t size;
    uint8_t *bytes = packed(&size);

    (void)state;
    memcpy(&head, bytes, sizeof(head));
    for (size_t cut = 0; cut < size; cut++) {
        /* A copy of its own, so that a read behind the end is seen. */
        uint8_t *part = malloc(cut ? cut : 1);

        assert_non_null(part);
        memcpy(part, bytes, cut);
        assert_int_equal(parcel_open(part, cut, &plan, &parcel), -EBADMSG);
        /* Nor when it claims that this is all of it. */
        head.size = cut;
        if (cut >= sizeof(head)) {
            memcpy(part, &head, sizeof(head));
            assert_int_equal(parcel_open(part, cut, &plan, &parcel), -EBADMSG);
        }
        free(part);
    }
    free(bytes);
}

/* Any 8 bytes may have been overwritten with anything: what then still opens must be in bounds. */
static void a_parcel_with_wrong_bytes_in_it_is_refused_or_within_its_bounds(void **state)
{
    static const uint64_t wrong[] = {0, 1, 2, 255, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX};
    size_t size;
    uint8_t *bytes = packed(&size);

    (void)state;
    for (size_t at = 0; at + sizeof(*wrong) <= size; at++)
        for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
            uint64_t kept;
            struct parcel parcel;

            memcpy(&kept, bytes + at, sizeof(kept));
            memcpy(bytes + at, &wrong[i], sizeof(kept));
            if (parcel_open(bytes, size, &plan, &parcel) == 0) {
                assert_true(parcel.happened.source_count <= PLAN_PEERS_MAX);
                for (uint32_t k = 0; k < parcel.happened.action_count; k++)
                    assert_true(parcel.happened.actions[k].statement < plan.statement_count);
                for (uint32_t k = 0; k < parcel.happened.peer_count; k++)
                    assert_true(parcel.happened.peers[k].peer < plan.peer_count);
                happened_free(&parcel.happened);
            }
            memcpy(bytes + at, &kept, sizeof(kept));
        }
    free(bytes);
}

static void the_size_is_known_from_the_head_alone(void **state)
{
    uint8_t nothing[sizeof(struct parcel_head)] = {0};
    size_t size;
    uint8_t *bytes = packed(&size);

    (void)state;
    assert_int_equal(parcel_size(bytes, sizeof(struct parcel_head) - 1), 0);
    assert_int_equal(parcel_size(bytes, sizeof(struct parcel_head)), size);
    assert_int_equal(parcel_size(nothing, sizeof(nothing)), -EBADMSG);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_comes_out_as_it_went_in),
        cmocka_unit_test(a_failure_and_an_interruption_come_out_too),
        cmocka_unit_test(a_parcel_that_was_cut_off_anywhere_is_none),
        cmocka_unit_test(a_parcel_with_wrong_bytes_in_it_is_refused_or_within_its_bounds),
        cmocka_unit_test(the_size_is_known_from_the_head_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
