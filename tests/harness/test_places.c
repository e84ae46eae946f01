/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct places made(unsigned slots, int cpus)
{
    struct places places;
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int cpu = 0; cpu < cpus; cpu++)
        CPU_SET((size_t)cpu, &set);
    places_make(&places, slots, &set);
    return places;
}

static void exact_runs_have_a_cpu_each(void **state)
{
    struct places places = made(4, 2);
    struct cpu_place one, other, none;
    int slot;

    (void)state;
    slot = places_take(&places, true, &one);
    assert_true(slot >= 0);
    assert_true(places_take(&places, true, &other) >= 0);
    assert_int_equal(one.claim, CPU_GIVEN);
    assert_int_equal(one.sut, one.bench);
    assert_int_not_equal(one.sut, other.sut);
    assert_false(places_free(&places, true));
    assert_int_equal(places_take(&places, true, &none), -1);
    places_give(&places, slot);
    assert_true(places_take(&places, true, &none) >= 0);
    assert_int_equal(none.sut, one.sut);
}

static void above_the_cpus_only_what_need_not_be_exact_runs_and_anywhere(void **state)
{
    struct places places = made(3, 1);
    struct cpu_place place;

    (void)state;
    assert_true(places_take(&places, true, &place) >= 0);
    for (int i = 0; i < 2; i++) {
        assert_true(places_free(&places, false));
        assert_true(places_take(&places, false, &place) >= 0);
        assert_int_equal(place.claim, CPU_NONE);
        assert_int_equal(place.sut, -1);
    }
    assert_false(places_free(&places, false));
}

static void a_free_run_borrows_a_cpu_that_no_slot_has(void **state)
{
    struct places places = made(2, 3);
    struct cpu_place one, other;
    int slot;

    (void)state;
    slot = places_take(&places, false, &one);
    assert_true(slot >= 0);
    assert_int_not_equal(one.sut, one.bench);
    assert_true(places_take(&places, false, &other) >= 0);
    assert_int_equal(other.sut, other.bench);
    assert_int_not_equal(other.sut, one.sut);
    assert_int_not_equal(other.sut, one.bench);
    places_give(&places, slot);
    assert_true(places_take(&places, false, &other) >= 0);
    assert_int_equal(other.bench, one.bench);
}

static void without_a_cpu_that_can_be_told_runs_go_on(void **state)
{
    struct places places = made(1, 0);
    struct cpu_place place;

    (void)state;
    assert_true(places_free(&places, true));
    assert_true(places_take(&places, true, &place) >= 0);
    assert_int_equal(place.claim, CPU_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_runs_have_a_cpu_each),
        cmocka_unit_test(above_the_cpus_only_what_need_not_be_exact_runs_and_anywhere),
        cmocka_unit_test(a_free_run_borrows_a_cpu_that_no_slot_has),
        cmocka_unit_test(without_a_cpu_that_can_be_told_runs_go_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
