/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "pcaps/seq.h"
#include "tests/pcaps/crafted.h"

static struct reassembly started(uint32_t isn)
{
    struct reassembly stream;

    reassembly_init(&stream);
    reassembly_start(&stream, isn);
    return stream;
}

static struct reassembly_added add(struct reassembly *stream, int64_t offset, const char *text)
{
    struct reassembly_added added;

    assert_int_equal(
        reassembly_add(stream, offset, (const uint8_t *)text, strlen(text), &added), 0);
    reassembly_check(stream);
    return added;
}

static void expect_stream(struct reassembly *stream, const char *text)
{
    uint8_t bytes[64];
    size_t length = strlen(text);

    assert_int_equal(stream->edge, length);
    reassembly_copy(stream, 0, length, bytes);
    assert_memory_equal(bytes, text, length);
    reassembly_free(stream);
}

static void distance_is_serial_and_has_both_signs(void **state)
{
    (void)state;
    assert_int_equal(seq_distance(5, 5), 0);
    assert_int_equal(seq_distance(0xfffffffe, 3), 5);
    assert_int_equal(seq_distance(3, 0xfffffffe), -5);
    assert_int_equal(seq_distance(0, 0x7fffffff), 0x7fffffff);
    assert_true(seq_distance(0, 0x80000000) == INT64_C(0x80000000));
    assert_true(seq_distance(0, 0x80000001) == -INT64_C(0x7fffffff));
    assert_int_equal(seq_add(0xffffffff, 2), 1);
    assert_int_equal(seq_add(7, UINT64_C(0x300000001)), 8);
}

static void offsets_do_not_wrap(void **state)
{
    struct reassembly stream = started(0xfffffffe);

    (void)state;
    assert_int_equal(reassembly_offset(&stream, 0xffffffff), 0);
    assert_int_equal(reassembly_offset(&stream, 0), 1);
    assert_int_equal(reassembly_offset(&stream, 0xfffffffe), -1);
    add(&stream, 0, "abcd");
    assert_int_equal(reassembly_offset(&stream, 3), 4);
    assert_int_equal(reassembly_offset(&stream, 0xffffffff), 0);
    expect_stream(&stream, "abcd");
}

static void order_of_arrival_does_not_matter(void **state)
{
    struct reassembly stream = started(0);

    (void)state;
    add(&stream, 6, "gh");
    add(&stream, 2, "cd");
    assert_int_equal(stream.edge, 0);
    assert_int_equal(reassembly_end(&stream), 8);
    add(&stream, 0, "ab");
    assert_int_equal(stream.edge, 4);
    add(&stream, 4, "ef");
    expect_stream(&stream, "abcdefgh");
}

static void one_segment_fills_several_holes(void **state)
{
    struct reassembly stream = started(0);

    (void)state;
    add(&stream, 1, "b");
    add(&stream, 3, "d");
    add(&stream, 5, "f");
    assert_false(add(&stream, 0, "abcdefg").conflict);
    expect_stream(&stream, "abcdefg");
}

static void retransmission_adds_nothing(void **state)
{
    struct reassembly stream = started(0);

    (void)state;
    add(&stream, 0, "abc");
    add(&stream, 3, "def");
    assert_false(add(&stream, 1, "bcde").conflict);
    assert_int_equal(stream.count, 2);
    expect_stream(&stream, "abcdef");
}

static void differing_retransmission_is_told_and_the_first_byte_stays(void **state)
{
    struct reassembly stream = started(0);
    struct reassembly_added added;

    (void)state;
    add(&stream, 0, "abc");
    added = add(&stream, 1, "bXdY");
    assert_true(added.conflict);
    assert_int_equal(added.conflict_offset, 2);
    expect_stream(&stream, "abcdY");
}

static void bytes_outside_any_window_are_refused(void **state)
{
    struct reassembly stream = started(0);
    struct reassembly_added added = {.conflict_offset = 77};
    const uint8_t byte = 'x';

    (void)state;
    assert_int_equal(reassembly_add(&stream, -1, &byte, 1, &added), -ERANGE);
    assert_int_equal(reassembly_add(&stream, REASSEMBLY_AHEAD_MAX, &byte, 1, &added), -ERANGE);
    assert_int_equal(added.conflict_offset, 77);
    assert_int_equal(reassembly_add(&stream, REASSEMBLY_AHEAD_MAX - 1, &byte, 1, &added), 0);
    reassembly_free(&stream);
}

/* Every order of five overlapping pieces gives the same stream. */
static void all_orders_of_overlapping_pieces_agree(void **state)
{
    static const struct {
        int64_t offset;
        const char *text;
    } pieces[] = {{0, "abc"}, {2, "cdef"}, {5, "fg"}, {7, "hij"}, {4, "efghi"}};

    (void)state;
    for (int code = 0; code < 5 * 4 * 3 * 2; code++) {
        struct reassembly stream = started(0xfffffff8);
        unsigned int left = 0x1f;
        int rest = code;

        for (int n = 5; n > 0; n--) {
            int pick = rest % n;
            int i = 0;

            rest /= n;
            while ((left >> i & 1) == 0 || pick-- > 0)
                i++;
            left &= ~(1u << i);
            assert_false(add(&stream, pieces[i].offset, pieces[i].text).conflict);
        }
        expect_stream(&stream, "abcdefghij");
    }
}

static void copy_crosses_ranges(void **state)
{
    struct reassembly stream = started(0);
    uint8_t bytes[4];

    (void)state;
    add(&stream, 0, "ab");
    add(&stream, 2, "c");
    add(&stream, 3, "def");
    reassembly_copy(&stream, 1, 4, bytes);
    assert_memory_equal(bytes, "bcde", 4);
    expect_stream(&stream, "abcdef");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_serial_and_has_both_signs),
        cmocka_unit_test(offsets_do_not_wrap),
        cmocka_unit_test(order_of_arrival_does_not_matter),
        cmocka_unit_test(one_segment_fills_several_holes),
        cmocka_unit_test(retransmission_adds_nothing),
        cmocka_unit_test(differing_retransmission_is_told_and_the_first_byte_stays),
        cmocka_unit_test(bytes_outside_any_window_are_refused),
        cmocka_unit_test(all_orders_of_overlapping_pieces_agree),
        cmocka_unit_test(copy_crosses_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
