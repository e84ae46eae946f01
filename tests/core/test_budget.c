/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/budget.h"

#define BIT(kind) (1u << BUDGET_##kind)

static const struct instant start = {1000};

static struct instant after(struct duration elapsed)
{
    return instant_add(start, elapsed);
}

static const struct budget_limits wide = {.bytes = UINT32_MAX, .attempts = UINT32_MAX};

static void limits_need_bytes_and_attempts(void **context)
{
    struct budget_limits limits = {.bytes = 1, .attempts = 1};

    (void)context;
    assert_true(budget_limits_valid(&limits));
    limits.bytes = 0;
    assert_false(budget_limits_valid(&limits));
    limits = (struct budget_limits){.bytes = 1, .attempts = 0};
    assert_false(budget_limits_valid(&limits));
    limits = (struct budget_limits){.bytes = 1, .attempts = 1, .time = {-1}};
    assert_false(budget_limits_valid(&limits));
}

static void bytes_alone_end_a_quantum(void **context)
{
    struct budget_limits limits = wide;
    struct budget budget;

    (void)context;
    limits.bytes = 5;
    budget_start(&budget, start);
    assert_int_equal(budget_bytes_left(&limits, &budget), 5);
    budget_take(&budget, 4);
    assert_int_equal(budget_exhausted(&limits, &budget, start), 0);
    assert_int_equal(budget_bytes_left(&limits, &budget), 1);
    budget_take(&budget, 1);
    assert_int_equal(budget_exhausted(&limits, &budget, start), BIT(BYTES));
    assert_int_equal(budget_bytes_left(&limits, &budget), 0);
}

/* An attempt counts whatever it brings: EINTR spends one and no byte (R-B-02). */
static void attempts_alone_end_a_quantum(void **context)
{
    struct budget_limits limits = wide;
    struct budget budget;

    (void)context;
    limits.attempts = 3;
    budget_start(&budget, start);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(budget_exhausted(&limits, &budget, start), 0);
        budget_attempt(&budget);
    }
    assert_int_equal(budget_exhausted(&limits, &budget, start), BIT(ATTEMPTS));
    assert_int_equal(budget.bytes, 0);
}

static void frames_alone_end_a_quantum(void **context)
{
    struct budget_limits limits = wide;
    struct budget budget;

    (void)context;
    limits.frames = 2;
    budget_start(&budget, start);
    budget_deliver(&budget, true);
    budget_deliver(&budget, false);
    budget_deliver(&budget, false);
    assert_int_equal(budget_exhausted(&limits, &budget, start), 0);
    budget_deliver(&budget, true);
    assert_int_equal(budget_exhausted(&limits, &budget, start), BIT(FRAMES));
}

static void items_count_every_delivery(void **context)
{
    struct budget_limits limits = wide;
    struct budget budget;

    (void)context;
    limits.items = 2;
    budget_start(&budget, start);
    budget_deliver(&budget, true);
    assert_int_equal(budget_exhausted(&limits, &budget, start), 0);
    budget_deliver(&budget, false);
    assert_int_equal(budget_exhausted(&limits, &budget, start), BIT(ITEMS));
    assert_int_equal(budget.frames, 1);
}

static void time_alone_ends_a_quantum(void **context)
{
    struct budget_limits limits = wide;
    struct budget budget;

    (void)context;
    limits.time = DURATION_MS(1);
    budget_start(&budget, start);
    assert_int_equal(budget_exhausted(&limits, &budget, after((struct duration){999999})), 0);
    assert_int_equal(budget_exhausted(&limits, &budget, after(DURATION_MS(1))), BIT(TIME));
}

/* Nothing interrupts a callback of 5 ms: it is seen afterwards, however late (R-B-08). */
static void time_may_be_overshot(void **context)
{
    struct budget_limits limits = wide;
    struct budget budget;

    (void)context;
    limits.time = DURATION_MS(1);
    budget_start(&budget, start);
    assert_int_equal(budget_exhausted(&limits, &budget, after(DURATION_MS(5))), BIT(TIME));
    assert_int_equal(budget_exhausted(&limits, &budget, INSTANT_NEVER), BIT(TIME));
}

static void several_may_be_used_up_at_once(void **context)
{
    const struct budget_limits limits = {
        .bytes = 4, .attempts = 2, .frames = 1, .items = 1, .time = DURATION_US(10)};
    struct budget budget;

    (void)context;
    budget_start(&budget, start);
    budget_attempt(&budget);
    budget_take(&budget, 2);
    assert_int_equal(budget_exhausted(&limits, &budget, start), 0);
    budget_attempt(&budget);
    budget_take(&budget, 2);
    budget_deliver(&budget, true);
    assert_int_equal(budget_exhausted(&limits, &budget, start),
                     BIT(BYTES) | BIT(ATTEMPTS) | BIT(FRAMES) | BIT(ITEMS));
    assert_int_equal(budget_exhausted(&limits, &budget, after(DURATION_US(10))),
                     (1u << BUDGET_KIND_COUNT) - 1);
}

static void zero_means_not_limited(void **context)
{
    struct budget budget;

    (void)context;
    budget_start(&budget, start);
    for (int i = 0; i < 1000; i++) {
        budget_attempt(&budget);
        budget_take(&budget, 1000);
        budget_deliver(&budget, true);
    }
    assert_int_equal(budget_exhausted(&wide, &budget, INSTANT_NEVER), 0);
}

static void a_new_quantum_has_spent_nothing(void **context)
{
    const struct budget_limits limits = {.bytes = 1, .attempts = 1, .frames = 1, .items = 1};
    struct budget budget;

    (void)context;
    budget_start(&budget, start);
    budget_attempt(&budget);
    budget_take(&budget, 1);
    budget_deliver(&budget, true);
    assert_int_not_equal(budget_exhausted(&limits, &budget, start), 0);
    budget_start(&budget, after(DURATION_MS(1)));
    assert_int_equal(budget_exhausted(&limits, &budget, after(DURATION_MS(1))), 0);
    assert_int_equal(budget_bytes_left(&limits, &budget), 1);
}

/* q = 2, k = 1 over abcdef: each read takes 2 and uses both budgets up. */
static void the_six_quanta_stop_for_bytes_and_attempts(void **context)
{
    const struct budget_limits limits = {.bytes = 2, .attempts = 1};
    uint32_t unread = 6;

    (void)context;
    for (int quantum = 0; quantum < 3; quantum++) {
        struct budget budget;

        budget_start(&budget, start);
        assert_int_equal(budget_bytes_left(&limits, &budget), 2);
        budget_attempt(&budget);
        budget_take(&budget, 2);
        unread -= 2;
        assert_int_equal(budget_exhausted(&limits, &budget, start), BIT(BYTES) | BIT(ATTEMPTS));
    }
    assert_int_equal(unread, 0);
}

static void the_words_are_those_of_a_stop_row(void **context)
{
    static const char *const words[] = {"bytes", "frames", "items", "attempts", "time"};

    (void)context;
    assert_int_equal(sizeof(words) / sizeof(words[0]), BUDGET_KIND_COUNT);
    for (unsigned kind = 0; kind < BUDGET_KIND_COUNT; kind++)
        assert_string_equal(budget_kind_name(kind), words[kind]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_need_bytes_and_attempts),
        cmocka_unit_test(bytes_alone_end_a_quantum),
        cmocka_unit_test(attempts_alone_end_a_quantum),
        cmocka_unit_test(frames_alone_end_a_quantum),
        cmocka_unit_test(items_count_every_delivery),
        cmocka_unit_test(time_alone_ends_a_quantum),
        cmocka_unit_test(time_may_be_overshot),
        cmocka_unit_test(several_may_be_used_up_at_once),
        cmocka_unit_test(zero_means_not_limited),
        cmocka_unit_test(a_new_quantum_has_spent_nothing),
        cmocka_unit_test(the_six_quanta_stop_for_bytes_and_attempts),
        cmocka_unit_test(the_words_are_those_of_a_stop_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
