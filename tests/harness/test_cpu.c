/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cpu.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <errno.h>

static cpu_set_t set_of(const int *cpus, size_t count)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (size_t i = 0; i < count; i++)
        CPU_SET((size_t)cpus[i], &set);
    return set;
}

static void the_last_cpus_are_chosen_first(void **state)
{
    const cpu_set_t set = set_of((const int[]){1, 4, 63, 700}, 4);

    (void)state;
    assert_int_equal(cpu_choose(&set, 0), 700);
    assert_int_equal(cpu_choose(&set, 1), 63);
    assert_int_equal(cpu_choose(&set, 2), 4);
    assert_int_equal(cpu_choose(&set, 3), 1);
    assert_int_equal(cpu_choose(&set, 4), 700);
    assert_int_equal(cpu_choose(&set, 7), 1);
}

static void one_cpu_is_enough_for_all(void **state)
{
    const cpu_set_t set = set_of((const int[]){5}, 1);

    (void)state;
    for (int n = 0; n < 3; n++)
        assert_int_equal(cpu_choose(&set, n), 5);
}

static void no_cpu_can_be_chosen_from_none(void **state)
{
    const cpu_set_t set = set_of(NULL, 0);

    (void)state;
    assert_int_equal(cpu_choose(&set, 0), -1);
}

static void a_pinned_thread_comes_back_to_its_cpus(void **state)
{
    cpu_set_t before;
    cpu_set_t now;
    int cpu;

    (void)state;
    assert_int_equal(cpu_save(&before), 0);
    cpu = cpu_choose(&before, 0);
    assert_int_equal(cpu_pin(cpu), 0);
    assert_int_equal(sched_getcpu(), cpu);
    assert_int_equal(cpu_save(&now), 0);
    assert_int_equal(CPU_COUNT(&now), 1);
    cpu_restore(&before);
    assert_int_equal(cpu_save(&now), 0);
    assert_true(CPU_EQUAL(&now, &before));
}

static void a_cpu_that_is_not_there_changes_nothing(void **state)
{
    cpu_set_t before;
    cpu_set_t now;

    (void)state;
    assert_int_equal(cpu_save(&before), 0);
    assert_int_equal(cpu_pin(CPU_SETSIZE - 1), -EINVAL);
    assert_int_equal(cpu_save(&now), 0);
    assert_true(CPU_EQUAL(&now, &before));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_cpus_are_chosen_first),
        cmocka_unit_test(one_cpu_is_enough_for_all),
        cmocka_unit_test(no_cpu_can_be_chosen_from_none),
        cmocka_unit_test(a_pinned_thread_comes_back_to_its_cpus),
        cmocka_unit_test(a_cpu_that_is_not_there_changes_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
