/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/pcaps/crafted.h"

#include "pcaps/inetsum.h"

static void adds_as_the_example_of_rfc_1071_does(void **state)
{
    const uint8_t bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};

    (void)state;
    assert_int_equal(inetsum_add(0, bytes, sizeof(bytes)), 0xddf2);
}

static void a_sum_can_be_made_in_even_parts(void **state)
{
    const uint8_t bytes[] = {0xff, 0xff, 0x80, 0x01, 0x12, 0x34, 0xfe};
    uint16_t whole = inetsum_add(0, bytes, sizeof(bytes));

    (void)state;
    for (size_t at = 0; at <= 6; at += 2)
        assert_int_equal(inetsum_add(inetsum_add(0, bytes, at), bytes + at, sizeof(bytes) - at),
                         whole);
}

static void an_odd_end_counts_as_if_a_zero_followed(void **state)
{
    const uint8_t bytes[] = {0x01, 0x02, 0x03, 0x00};

    (void)state;
    assert_int_equal(inetsum_add(0, bytes, 3), 0x0402);
    assert_int_equal(inetsum_add(0, bytes, 3), inetsum_add(0, bytes, 4));
    assert_int_equal(inetsum_add(0x1234, bytes, 0), 0x1234);
}

static void a_carry_comes_round_as_often_as_needed(void **state)
{
    const uint8_t bytes[] = {0xff, 0xff, 0x00, 0x01};

    (void)state;
    assert_int_equal(inetsum_add(0, bytes, 4), 0x0001);
    assert_int_equal(inetsum_add(0xffff, bytes, 2), 0xffff);
}

static void many_full_words_do_not_overflow(void **state)
{
    enum { BYTES = 1 << 18 };
    uint8_t *bytes = malloc(BYTES);

    (void)state;
    assert_non_null(bytes);
    memset(bytes, 0xff, BYTES);
    assert_int_equal(inetsum_add(0, bytes, BYTES), 0xffff);
    free(bytes);
}

/* A real header: with its checksum in place the sum is all ones. */
static void a_whole_ipv4_header_sums_to_all_ones(void **state)
{
    const uint8_t header[] = {0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                              0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};

    (void)state;
    assert_int_equal(inetsum_add(0, header, sizeof(header)), 0xffff);
}

static void pseudo_headers_hold_addresses_protocol_and_length(void **state)
{
    const struct endpoint source = {4, 5001, {10, 0, 0, 2}}, target = {4, 7000, {10, 0, 0, 1}};
    const struct endpoint source6 = {6, 1, {0xfd, [15] = 2}}, target6 = {6, 2, {0xfd, [15] = 1}};

    (void)state;
    assert_int_equal(inetsum_pseudo(&source, &target, 6, 20), 2 * 0x0a00 + 3 + 6 + 20);
    /* 2 * 0xfd00 comes round to 0xfa01. */
    assert_int_equal(inetsum_pseudo(&source6, &target6, 6, 20), 0xfa01 + 3 + 6 + 20);
}

/* RFC 8200: the length field has 32 bits. */
static void a_length_above_16_bits_counts_with_both_halves(void **state)
{
    const struct endpoint source = {6, 1, {[15] = 2}}, target = {6, 2, {[15] = 1}};

    (void)state;
    assert_int_equal(inetsum_pseudo(&source, &target, 6, 0x20005), 3 + 6 + 2 + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adds_as_the_example_of_rfc_1071_does),
        cmocka_unit_test(a_sum_can_be_made_in_even_parts),
        cmocka_unit_test(an_odd_end_counts_as_if_a_zero_followed),
        cmocka_unit_test(a_carry_comes_round_as_often_as_needed),
        cmocka_unit_test(many_full_words_do_not_overflow),
        cmocka_unit_test(a_whole_ipv4_header_sums_to_all_ones),
        cmocka_unit_test(pseudo_headers_hold_addresses_protocol_and_length),
        cmocka_unit_test(a_length_above_16_bits_counts_with_both_halves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
