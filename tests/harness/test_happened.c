/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/happened.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/sut/block.h"

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    assert_non_null(memory);
    return memory;
}

/* The leak checker looks for what is forgotten here. */
static void everything_that_a_record_holds_is_freed(void **state)
{
    static const struct plan plan;
    static const struct happened empty;
    struct happened happened = {.plan = &plan, .peer_count = 2};
    struct packet packet = {.captured_bytes = 3, .original_bytes = 3,
                            .bytes = (const uint8_t *)"abc"};

    (void)state;
    happened.peers = zeroed(2, sizeof(*happened.peers));
    happened.peers[1].received = zeroed(1, 9);
    happened.actions = zeroed(1, sizeof(*happened.actions));
    happened.sources = zeroed(1, sizeof(*happened.sources));
    happened.fate_text = strdup("killed by SIGSEGV");
    lines_add(&happened.left_over, "c 5 bytes not sent");
    lines_add(&happened.notes, "note");
    happened.packets = zeroed(1, sizeof(*happened.packets));
    packet_list_init(happened.packets, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    assert_int_equal(packet_list_append(happened.packets, &packet), 0);
    happened.block = block_map(&plan);
    assert_non_null(happened.block);
    happened.journal = block_journal(happened.block);
    happened_free(&happened);
    assert_memory_equal(&happened, &empty, sizeof(happened));
    happened_free(&happened);
}

/* As it is when there was no memory for its lists. */
static void a_record_whose_lists_were_never_made_can_be_freed(void **state)
{
    struct happened happened = {.peer_count = 2};

    (void)state;
    happened_free(&happened);
    assert_int_equal(happened.peer_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_that_a_record_holds_is_freed),
        cmocka_unit_test(a_record_whose_lists_were_never_made_can_be_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
