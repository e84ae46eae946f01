/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CELLS 6

static const bool all_exact[CELLS] = {true, true, true, true, true, true};
/* Cells 1 and 4 may run anywhere. */
static const bool two_free[CELLS] = {true, false, true, true, false, true};

static struct schedule opened(const bool *exact, uint32_t rounds, bool shuffle, uint64_t seed)
{
    struct schedule schedule;
    struct schedule_options options = {
        .cells = CELLS, .exact = exact, .rounds = rounds, .shuffle = shuffle, .seed = seed};

    schedule_open(&schedule, &options);
    return schedule;
}

/* The cells of all runs that come, as digits. */
static void order_of(struct schedule *schedule, bool free_only, char *text)
{
    struct schedule_ticket ticket;

    while (schedule_next(schedule, free_only, &ticket))
        *text++ = (char)('0' + ticket.cell);
    *text = '\0';
}

static void rounds_go_over_all_cells_in_turn(void **state)
{
    struct schedule schedule = opened(two_free, 2, false, 0);
    char order[64];

    (void)state;
    assert_int_equal(schedule_total(&schedule), 12);
    order_of(&schedule, false, order);
    assert_string_equal(order, "012345012345");
    schedule_close(&schedule);
}

static void a_run_that_need_not_be_exact_may_go_ahead(void **state)
{
    struct schedule schedule = opened(two_free, 2, false, 0);
    struct schedule_ticket ticket;
    char order[64];

    (void)state;
    assert_true(schedule_next(&schedule, true, &ticket));
    assert_int_equal(ticket.cell, 1);
    assert_true(schedule_next(&schedule, true, &ticket));
    assert_true(schedule_next(&schedule, true, &ticket));
    assert_int_equal(ticket.cell, 1);
    assert_int_equal(ticket.round, 1);
    order_of(&schedule, false, order);
    assert_string_equal(order, "023502345");
    schedule_close(&schedule);
    schedule = opened(all_exact, 1000000, false, 0);
    assert_false(schedule_next(&schedule, true, &ticket));
    schedule_close(&schedule);
}

static void a_seed_repeats_a_shuffled_order(void **state)
{
    struct schedule one = opened(two_free, 3, true, 7);
    struct schedule same = opened(two_free, 3, true, 7);
    struct schedule other = opened(two_free, 3, true, 8);
    char orders[3][64];

    (void)state;
    order_of(&one, false, orders[0]);
    order_of(&same, false, orders[1]);
    order_of(&other, false, orders[2]);
    assert_string_equal(orders[0], orders[1]);
    assert_string_not_equal(orders[0], orders[2]);
    assert_string_not_equal(orders[0], "012345012345012345");
    /* Each round has every cell once, and its own order. */
    assert_memory_not_equal(orders[0], orders[0] + CELLS, CELLS);
    for (int round = 0; round < 3; round++)
        for (char cell = '0'; cell < '0' + CELLS; cell++)
            assert_non_null(memchr(orders[0] + round * CELLS, cell, CELLS));
    schedule_close(&one);
    schedule_close(&same);
    schedule_close(&other);
}

static void a_late_run_comes_again_before_the_next(void **state)
{
    struct schedule schedule = opened(two_free, 1, false, 0);
    struct schedule_ticket first, ticket;

    (void)state;
    assert_true(schedule_next(&schedule, false, &first));
    assert_int_equal(first.attempt, 1);
    assert_true(schedule_again(&schedule, &first));
    /* Not where nothing is exact. */
    assert_true(schedule_next(&schedule, true, &ticket));
    assert_int_equal(ticket.cell, 1);
    assert_true(schedule_next(&schedule, false, &ticket));
    assert_int_equal(ticket.cell, 0);
    assert_int_equal(ticket.attempt, 2);
    assert_true(schedule_next(&schedule, false, &ticket));
    assert_int_equal(ticket.cell, 2);
    schedule_close(&schedule);
}

static void nothing_comes_once_it_was_stopped(void **state)
{
    struct schedule schedule = opened(all_exact, 2, false, 0);
    struct schedule_ticket ticket;

    (void)state;
    assert_true(schedule_next(&schedule, false, &ticket));
    schedule_stop(&schedule);
    assert_false(schedule_again(&schedule, &ticket));
    assert_false(schedule_next(&schedule, false, &ticket));
    assert_int_equal(schedule_total(&schedule), 12);
    schedule_close(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_go_over_all_cells_in_turn),
        cmocka_unit_test(a_run_that_need_not_be_exact_may_go_ahead),
        cmocka_unit_test(a_seed_repeats_a_shuffled_order),
        cmocka_unit_test(a_late_run_comes_again_before_the_next),
        cmocka_unit_test(nothing_comes_once_it_was_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
