/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/bed.h"

/* A reactor with one framed source that has got these bytes. */
static struct bed *bed_with(const char *bytes, size_t size, struct identity *ret_id)
{
    struct bed *bed = bed_new_framed();
    int fd;

    bed->protocol.capacity = 20;
    bed_start(bed);
    *ret_id = bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, bytes, size);
    bed_run_idle(bed);
    return bed;
}

static bool same(const struct bed *a, const struct bed *b)
{
    return reactor_digest(a->r) == reactor_digest(b->r);
}

static void equal_histories_have_equal_digests(void **state)
{
    struct identity id;
    struct bed *a = bed_with("\0\3CAT\0\1", 7, &id);
    struct bed *b = bed_with("\0\3CAT\0\1", 7, &id);

    (void)state;
    assert_true(same(a, b));
    assert_int_equal(reactor_tag_set(b->r, id, 1), 0);
    assert_false(same(a, b));
    assert_int_equal(reactor_tag_set(a->r, id, 1), 0);
    assert_true(same(a, b));
    bed_free(a);
    bed_free(b);
}

static void held_bytes_count_and_released_ones_do_not(void **state)
{
    struct identity id;
    struct bed *a = bed_with("\0\3CAT", 5, &id);
    struct bed *b = bed_with("\0\3DOG", 5, &id);

    (void)state;
    assert_false(same(a, b));
    assert_int_equal(reactor_release(a->r, id, 1), 0);
    assert_int_equal(reactor_release(b->r, id, 1), 0);
    assert_true(same(a, b));
    bed_free(a);
    bed_free(b);
}

static void the_bytes_of_a_half_frame_count(void **state)
{
    struct identity id;
    struct bed *a = bed_with("\0\3CA", 4, &id);
    struct bed *b = bed_with("\0\3CB", 4, &id);

    (void)state;
    assert_false(same(a, b));
    bed_free(a);
    bed_free(b);
}

/* Frames 5 bytes large under credit 20 in a ring of 25: the sixth goes around. */
static void bytes_of_a_wrapped_ring_count_on_both_sides(void **state)
{
    static const char *const lasts[] = {"X", "Y"};
    uint64_t digests[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct identity id;
        struct bed *bed = bed_with("", 0, &id);
        int fd = reactor_descriptor(bed->r, id);

        for (int frame = 0; frame < 7; frame++) {
            fake_os_arrive(&bed->kernel, fd, "\0\3AA", 4);
            fake_os_arrive(&bed->kernel, fd, frame == 6 ? lasts[i] : "A", 1);
            bed_run_idle(bed);
            if (frame >= 2 && frame < 6)
                assert_int_equal(reactor_release(bed->r, id, 1), 0);
        }
        digests[i] = reactor_digest(bed->r);
        bed_free(bed);
    }
    assert_false(digests[0] == digests[1]);
}

static void counters_are_no_state(void **state)
{
    struct identity id;
    struct bed *bed = bed_with("\0\1A", 3, &id);
    uint64_t before = reactor_digest(bed->r);
    uint64_t rounds = reactor_account(bed->r)->rounds;

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(reactor_round(bed->r), 1);
    assert_int_equal(reactor_account(bed->r)->rounds, rounds + 5);
    assert_true(reactor_digest(bed->r) == before);
    bed_free(bed);
}

/* A closed source left no state behind, whatever it was. */
static void what_a_closed_source_was_does_not_count(void **state)
{
    struct identity id;
    struct bed *a = bed_with("\0\3CAT", 5, &id);
    struct bed *b = bed_with("\0\3CAT", 5, &id);

    (void)state;
    assert_int_equal(reactor_tag_set(b->r, id, 77), 0);
    assert_int_equal(reactor_close(a->r, id), 0);
    assert_int_equal(reactor_close(b->r, id), 0);
    assert_true(same(a, b));
    bed_free(a);
    bed_free(b);
}

static void a_snapshot_puts_every_part_back(void **state)
{
    struct identity id;
    struct bed *bed = bed_with("\0\3CAT\0\1", 7, &id);
    size_t size = reactor_snapshot_size(bed->r);
    void *snapshot = malloc(size);
    struct fake_os kernel = bed->kernel;
    struct reactor_account account = *reactor_account(bed->r);
    uint64_t digest = reactor_digest(bed->r);

    (void)state;
    assert_non_null(snapshot);
    assert_int_equal(reactor_save(bed->r, snapshot), 0);
    assert_int_equal(reactor_close(bed->r, id), 0);
    assert_int_equal(reactor_view(bed->r, id, &(struct reactor_view){0}), -ESTALE);
    assert_int_equal(reactor_restore(bed->r, snapshot), 0);
    bed->kernel = kernel;
    assert_true(reactor_digest(bed->r) == digest);
    assert_memory_equal(reactor_account(bed->r), &account, sizeof(account));
    assert_true(reactor_check(bed->r));
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    free(snapshot);
    bed_free(bed);
}

static void every_size_of_config_lays_out_a_sound_arena(void **state)
{
    static const uint32_t slots[] = {1, 2, 3, 7, 63, 64, 65, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++)
        for (uint32_t capacity = 5; capacity < 12; capacity++) {
            struct bed *bed = bed_new_framed();

            bed->config.slots = slots[i];
            bed->protocol.capacity = capacity;
            bed_start(bed);
            assert_true(reactor_check(bed->r));
            assert_int_equal(reactor_snapshot_size(bed->r) % 64, 0);
            bed_free(bed);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_histories_have_equal_digests),
        cmocka_unit_test(held_bytes_count_and_released_ones_do_not),
        cmocka_unit_test(the_bytes_of_a_half_frame_count),
        cmocka_unit_test(bytes_of_a_wrapped_ring_count_on_both_sides),
        cmocka_unit_test(counters_are_no_state),
        cmocka_unit_test(what_a_closed_source_was_does_not_count),
        cmocka_unit_test(a_snapshot_puts_every_part_back),
        cmocka_unit_test(every_size_of_config_lays_out_a_sound_arena),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
