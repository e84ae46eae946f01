/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/chain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/kernel/kernel_impl.h"
#include "tests/support/small_kernel.h"

#define BLOCK 16 /* bytes, of 8 blocks */

static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz0123456789";

static void expect(struct kernel *k, const struct chain *chain, const char *text)
{
    char bytes[64];

    assert_int_equal(chain->length, strlen(text));
    chain_copy(k, chain, 0, bytes, chain->length);
    assert_memory_equal(bytes, text, chain->length);
}

static void bytes_come_out_in_order_over_blocks(void **state)
{
    struct kernel *k = small_kernel_new();
    struct chain chain = {0};

    (void)state;
    for (uint32_t i = 0; i < 36; i++)
        chain_append(k, &chain, alphabet + i, 1);
    expect(k, &chain, alphabet);
    assert_int_equal(k->blocks.used, 3);
    chain_drop(k, &chain, 17);
    expect(k, &chain, alphabet + 17);
    assert_int_equal(k->blocks.used, 2);
    chain_drop(k, &chain, chain.length);
    assert_int_equal(k->blocks.used, 0);
    small_kernel_free(k);
}

/* For each place where a copy may begin and end. */
static void any_part_can_be_copied(void **state)
{
    struct kernel *k = small_kernel_new();
    struct chain chain = {0};
    char bytes[36];

    (void)state;
    chain_append(k, &chain, "-----", 5);
    chain_append(k, &chain, alphabet, 36);
    chain_drop(k, &chain, 5);
    for (uint32_t skip = 0; skip <= 36; skip++) {
        for (uint32_t size = 0; skip + size <= 36; size++) {
            chain_copy(k, &chain, skip, bytes, size);
            assert_memory_equal(bytes, alphabet + skip, size);
        }
    }
    chain_drop(k, &chain, 36);
    small_kernel_free(k);
}

static void room_is_what_can_be_appended(void **state)
{
    struct kernel *k = small_kernel_new();
    struct chain chain = {0}, other = {0};

    (void)state;
    assert_int_equal(chain_room(k, &chain), 8 * BLOCK);
    chain_append(k, &chain, alphabet, 20);
    assert_int_equal(chain_room(k, &chain), 6 * BLOCK + 12);
    assert_int_equal(chain_room(k, &other), 6 * BLOCK);
    chain_drop(k, &chain, 20);
    small_kernel_free(k);
}

static void move_keeps_the_order(void **state)
{
    struct kernel *k = small_kernel_new();
    struct chain from = {0}, to = {0};

    (void)state;
    chain_append(k, &from, alphabet, 36);
    assert_int_equal(chain_move(k, &from, &to, 20), 20);
    expect(k, &to, "abcdefghijklmnopqrst");
    expect(k, &from, alphabet + 20);
    assert_int_equal(chain_move(k, &from, &to, 16), 16);
    expect(k, &to, alphabet);
    chain_drop(k, &to, to.length);
    small_kernel_free(k);
}

static void move_needs_no_block_to_take_all(void **state)
{
    struct kernel *k = small_kernel_new();
    struct chain from = {0}, to = {0};
    static const uint8_t bytes[8 * BLOCK];

    (void)state;
    chain_append(k, &from, bytes, sizeof(bytes));
    assert_int_equal(chain_move(k, &from, &to, UINT32_MAX), sizeof(bytes));
    assert_int_equal(from.length, 0);
    chain_drop(k, &to, to.length);
    small_kernel_free(k);
}

static void move_stops_when_blocks_are_out(void **state)
{
    struct kernel *k = small_kernel_new();
    struct chain from = {0}, to = {0}, rest = {0};
    static const uint8_t bytes[8 * BLOCK];

    (void)state;
    chain_append(k, &from, alphabet, 36);
    chain_append(k, &to, "----", 4);
    chain_append(k, &rest, bytes, chain_room(k, &rest));
    assert_int_equal(chain_move(k, &from, &to, 16), 12); /* what the last block has room for */
    expect(k, &to, "----abcdefghijkl");
    chain_drop(k, &from, from.length);
    chain_drop(k, &to, to.length);
    chain_drop(k, &rest, rest.length);
    small_kernel_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_out_in_order_over_blocks),
        cmocka_unit_test(any_part_can_be_copied),
        cmocka_unit_test(room_is_what_can_be_appended),
        cmocka_unit_test(move_keeps_the_order),
        cmocka_unit_test(move_needs_no_block_to_take_all),
        cmocka_unit_test(move_stops_when_blocks_are_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
