/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/credit.h"

#define SMALL 12

static void assert_credit(const struct credit *credit, uint64_t used, uint64_t reserved)
{
    assert_int_equal(credit->used, used);
    assert_int_equal(credit->reserved, reserved);
    assert_true(credit_check(credit));
}

/* Every operation on one legal state, against the rule in 64-bit arithmetic. */
static void try_every_operation(struct credit state, uint64_t n)
{
    const uint64_t used = state.used, reserved = state.reserved;
    const bool fits = reserved > 0 || used + n <= state.capacity;
    struct credit credit = state;

    assert_int_equal(credit_total(&credit), used + reserved);
    assert_int_equal(credit_allows(&credit, (uint32_t)n), fits);

    assert_int_equal(credit_reserve(&credit, (uint32_t)n), fits ? 0 : -ENOSPC);
    assert_credit(&credit, used, fits && reserved == 0 ? n : reserved);

    credit = state;
    assert_int_equal(credit_release(&credit, (uint32_t)n), n <= used ? 0 : -EINVAL);
    assert_credit(&credit, n <= used ? used - n : used, reserved);

    credit = state;
    credit_drop(&credit);
    assert_credit(&credit, used, 0);

    if (n > reserved)
        return;
    credit = state;
    credit_shrink(&credit, (uint32_t)n);
    assert_credit(&credit, used, n);
    credit = state;
    credit_commit(&credit, (uint32_t)n);
    assert_credit(&credit, used + n, 0);
}

static void every_small_state_keeps_the_rule(void **context)
{
    unsigned states = 0;

    (void)context;
    for (uint32_t capacity = 0; capacity <= SMALL; capacity++)
        for (uint32_t used = 0; used <= capacity; used++)
            for (uint32_t reserved = 0; reserved <= capacity - used; reserved++) {
                struct credit credit = {capacity, used, reserved};

                states++;
                for (uint32_t n = 0; n <= SMALL + 2; n++)
                    try_every_operation(credit, n);
            }
    assert_int_equal(states, 455); /* choose 3 of 15 */
}

static void the_largest_values_do_not_wrap(void **context)
{
    static const uint32_t large[] = {0, 1, 2, UINT32_MAX / 2, UINT32_MAX / 2 + 1,
                                     UINT32_MAX - 2, UINT32_MAX - 1, UINT32_MAX};
    const size_t count = sizeof(large) / sizeof(large[0]);
    unsigned states = 0;

    (void)context;
    for (size_t c = 0; c < count; c++)
        for (size_t u = 0; u < count; u++)
            for (size_t r = 0; r < count; r++) {
                struct credit credit = {large[c], large[u], large[r]};

                assert_int_equal(credit_check(&credit),
                                 (uint64_t)large[u] + large[r] <= large[c]);
                if (!credit_check(&credit))
                    continue;
                states++;
                for (size_t n = 0; n < count; n++)
                    try_every_operation(credit, large[n]);
            }
    assert_true(states > count);
}

static void a_new_account_is_empty(void **context)
{
    struct credit credit = {1, 2, 3};

    (void)context;
    credit_init(&credit, 9);
    assert_int_equal(credit.capacity, 9);
    assert_credit(&credit, 0, 0);
}

/* Asking for used + reserved + need would strand a half frame (R-ST-18). */
static void a_held_reservation_is_room_enough(void **context)
{
    struct credit credit;

    (void)context;
    credit_init(&credit, 9);
    assert_int_equal(credit_reserve(&credit, 5), 0);
    assert_true(credit_allows(&credit, 5));
    assert_int_equal(credit_reserve(&credit, 5), 0);
    assert_credit(&credit, 0, 5);
}

/* Capacity 9, largest frame 5; CAT is 5 encoded bytes, OK is 4. */
static void the_worked_trace_peaks_at_nine_and_ends_at_zero(void **context)
{
    struct credit credit;

    (void)context;
    credit_init(&credit, 9);
    assert_int_equal(credit_reserve(&credit, 5), 0);
    credit_shrink(&credit, 5);
    credit_commit(&credit, 5);
    assert_credit(&credit, 5, 0);
    assert_int_equal(credit_reserve(&credit, 5), -ENOSPC); /* 5 + 5 > 9: the pause */
    assert_int_equal(credit_release(&credit, 5), 0);
    assert_int_equal(credit_reserve(&credit, 5), 0);
    credit_shrink(&credit, 4);
    assert_credit(&credit, 0, 4);
    credit_commit(&credit, 4);
    assert_credit(&credit, 4, 0);
    assert_int_equal(credit_reserve(&credit, 5), 0); /* 4 + 5 <= 9: the probe */
    assert_int_equal(credit_total(&credit), 9);
    assert_int_equal(credit_release(&credit, 4), 0);
    assert_int_equal(credit_total(&credit), 5);
    credit_drop(&credit);
    assert_int_equal(credit_total(&credit), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_state_keeps_the_rule),
        cmocka_unit_test(the_largest_values_do_not_wrap),
        cmocka_unit_test(a_new_account_is_empty),
        cmocka_unit_test(a_held_reservation_is_room_enough),
        cmocka_unit_test(the_worked_trace_peaks_at_nine_and_ends_at_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
