/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/pool.h"

static const struct identity one = {3, 7}, other = {3, 8};

static struct pool *make_pool(uint32_t count)
{
    struct pool *pool = malloc(pool_size(count));

    assert_non_null(pool);
    pool_init(pool, count, 4096);
    assert_true(pool_check(pool));
    return pool;
}

static uint32_t take(struct pool *pool, struct identity owner, uint32_t bytes)
{
    uint32_t index = UINT32_MAX;

    assert_int_equal(pool_take(pool, owner, bytes, &index), 0);
    assert_true(pool_check(pool));
    assert_true(pool_owns(pool, index, owner));
    return index;
}

static void a_buffer_is_back_when_the_last_holder_lets_go(void **state)
{
    struct pool *pool = make_pool(2);
    uint32_t index = take(pool, one, 4096);

    (void)state;
    assert_int_equal(pool_hold(pool, index, one), 0);
    assert_int_equal(pool_drop(pool, index, one), 0);
    assert_int_equal(pool->held_bytes, 4096);
    assert_int_equal(pool_drop(pool, index, one), 1);
    assert_int_equal(pool->held_bytes, 0);
    assert_int_equal(pool->returned, 1);
    assert_false(pool_owns(pool, index, one));
    assert_true(pool_check(pool));
    free(pool);
}

static void a_buffer_is_returned_once(void **state)
{
    struct pool *pool = make_pool(1);
    uint32_t index = take(pool, one, 1);

    (void)state;
    assert_int_equal(pool_drop(pool, index, one), 1);
    assert_int_equal(pool_drop(pool, index, one), -ESTALE);
    assert_int_equal(pool_hold(pool, index, one), -ESTALE);
    assert_int_equal(pool->returned, 1);
    assert_int_equal(pool->misused, 2);
    assert_true(pool_check(pool));
    free(pool);
}

static void the_next_owner_is_not_touched_by_the_last(void **state)
{
    struct pool *pool = make_pool(2);
    uint32_t index = take(pool, one, 1);

    (void)state;
    (void)take(pool, one, 1);
    assert_int_equal(pool_drop(pool, index, one), 1);
    assert_int_equal(take(pool, other, 2), index);
    assert_int_equal(pool_drop(pool, index, one), -ESTALE);
    assert_true(pool_owns(pool, index, other));
    assert_int_equal(pool->buffer[index].holders, 1);
    free(pool);
}

static void what_does_not_fit_is_refused(void **state)
{
    struct pool *pool = make_pool(2);
    uint32_t index = 99;

    (void)state;
    assert_int_equal(pool_take(pool, one, 0, &index), -EMSGSIZE);
    assert_int_equal(pool_take(pool, one, 4097, &index), -EMSGSIZE);
    (void)take(pool, one, 4096);
    (void)take(pool, other, 4096);
    assert_int_equal(pool_take(pool, one, 1, &index), -ENOBUFS);
    assert_int_equal(index, 99);
    assert_int_equal(pool->peak_bytes, 8192);
    assert_true(pool_check(pool));
    free(pool);
}

static void any_index_is_safe_to_name(void **state)
{
    struct pool *pool = make_pool(1);

    (void)state;
    assert_int_equal(pool_hold(pool, 1, one), -ESTALE);
    assert_int_equal(pool_drop(pool, UINT32_MAX, one), -ESTALE);
    assert_false(pool_owns(pool, 0, IDENTITY_NONE));
    assert_true(pool_check(pool));
    free(pool);
}

static void a_broken_pool_is_noticed(void **state)
{
    struct pool *pool = make_pool(3);
    uint32_t index = take(pool, one, 10);

    (void)state;
    pool->held_bytes++;
    assert_false(pool_check(pool));
    pool->held_bytes--;
    pool->buffer[index].holders = 0;
    assert_false(pool_check(pool));
    pool->buffer[index].holders = 1;
    pool->buffer[2].next = 1; /* a circle */
    assert_false(pool_check(pool));
    pool->buffer[2].next = 3;
    pool->taken++;
    assert_false(pool_check(pool));
    pool->taken--;
    assert_true(pool_check(pool));
    free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_is_back_when_the_last_holder_lets_go),
        cmocka_unit_test(a_buffer_is_returned_once),
        cmocka_unit_test(the_next_owner_is_not_touched_by_the_last),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(any_index_is_safe_to_name),
        cmocka_unit_test(a_broken_pool_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
