/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/numbers.h"

static void reads_as_many_as_there_are(void **state)
{
    int64_t numbers[4] = {0};

    (void)state;
    assert_int_equal(numbers_read("         0       1000 4294967295\n", numbers, 4), 3);
    assert_int_equal(numbers[1], 1000);
    assert_int_equal(numbers[2], INT64_C(4294967295));
    assert_int_equal(numbers_read("-3 4", numbers, 4), 2);
    assert_int_equal(numbers[0], -3);
    assert_int_equal(numbers_read("", numbers, 4), 0);
}

static void reads_no_more_than_are_wanted(void **state)
{
    int64_t numbers[2] = {0, 7};

    (void)state;
    assert_int_equal(numbers_read("1 2 3", numbers, 1), 1);
    assert_int_equal(numbers[1], 7);
}

static void ends_at_what_is_no_number(void **state)
{
    int64_t numbers[2];

    (void)state;
    assert_int_equal(numbers_read("max 100000", numbers, 2), 0);
    assert_int_equal(numbers_read("5 x", numbers, 2), 1);
    assert_int_equal(numbers_read("9223372036854775807 9223372036854775808", numbers, 2), 1);
    assert_int_equal(numbers[0], INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_as_many_as_there_are),
        cmocka_unit_test(reads_no_more_than_are_wanted),
        cmocka_unit_test(ends_at_what_is_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
