/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/instant.h"

static struct instant at(int64_t ns)
{
    return (struct instant){ns};
}

static struct duration by(int64_t ns)
{
    return (struct duration){ns};
}

static void units_are_nanoseconds(void **context)
{
    (void)context;
    assert_true(DURATION_ZERO.ns == 0);
    assert_true(DURATION_US(3).ns == 3000);
    assert_true(DURATION_MS(3).ns == 3000000);
    assert_true(DURATION_MS(10000000).ns == INT64_C(10000000000000));
}

static void past_and_never_enclose_every_instant(void **context)
{
    static const int64_t some[] = {INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1};

    (void)context;
    for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++) {
        assert_true(instant_before(INSTANT_PAST, at(some[i])));
        assert_true(instant_before(at(some[i]), INSTANT_NEVER));
        assert_false(instant_before(at(some[i]), at(some[i])));
        assert_true(instant_equal(at(some[i]), at(some[i])));
        assert_true(instant_equal(instant_earlier(INSTANT_NEVER, at(some[i])), at(some[i])));
        assert_true(instant_equal(instant_earlier(at(some[i]), INSTANT_NEVER), at(some[i])));
        assert_true(instant_equal(instant_earlier(INSTANT_PAST, at(some[i])), INSTANT_PAST));
    }
    assert_false(instant_equal(at(1), at(2)));
}

static void a_sum_stays_within_the_range(void **context)
{
    (void)context;
    assert_true(instant_add(at(5), by(7)).ns == 12);
    assert_true(instant_add(at(5), by(-7)).ns == -2);
    assert_true(instant_add(at(INT64_MAX - 1), by(1)).ns == INT64_MAX);
    assert_true(instant_equal(instant_add(at(INT64_MAX - 1), by(2)), INSTANT_NEVER));
    assert_true(instant_equal(instant_add(at(INT64_MIN + 1), by(-2)), INSTANT_PAST));
    assert_true(instant_equal(instant_add(INSTANT_NEVER, DURATION_MS(1)), INSTANT_NEVER));
}

static void a_distance_stays_within_the_range(void **context)
{
    (void)context;
    assert_true(instant_since(at(12), at(5)).ns == 7);
    assert_true(instant_since(at(5), at(12)).ns == -7);
    assert_true(instant_since(INSTANT_NEVER, at(-1)).ns == INT64_MAX);
    assert_true(instant_since(INSTANT_PAST, at(1)).ns == INT64_MIN);
    assert_true(instant_since(INSTANT_NEVER, INSTANT_PAST).ns == INT64_MAX);
    assert_true(instant_since(INSTANT_PAST, INSTANT_NEVER).ns == INT64_MIN);
    assert_true(instant_since(INSTANT_PAST, INSTANT_PAST).ns == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_nanoseconds),
        cmocka_unit_test(past_and_never_enclose_every_instant),
        cmocka_unit_test(a_sum_stays_within_the_range),
        cmocka_unit_test(a_distance_stays_within_the_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
