/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/mistakes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void each_mistake_stands_behind_its_place(void **state)
{
    static const char *const sets[] = {"capacity=1", "quantum.bytes=x"};
    struct mistakes mistakes = {.file = "a/b.scn", .sets = sets};

    (void)state;
    mistakes_add(&mistakes, (struct plan_place){9, 12}, "wrong %s; write %d", "word", 7);
    mistakes_add(&mistakes, (struct plan_place){0, 2}, "not a number; write one");
    assert_int_equal(mistakes.lines.count, 2);
    assert_string_equal(mistakes.lines.line[0], "a/b.scn:9:12: wrong word; write 7");
    assert_string_equal(mistakes.lines.line[1], "--set quantum.bytes=x: not a number; write one");
    mistakes_free(&mistakes);
    assert_int_equal(mistakes.lines.count, 0);
}

static void above_the_bound_they_are_only_counted(void **state)
{
    struct mistakes mistakes = {.file = "a"};

    (void)state;
    for (uint32_t i = 0; i < MISTAKES_MAX + 3; i++)
        mistakes_add(&mistakes, (struct plan_place){i + 1, 1}, "m");
    assert_int_equal(mistakes.lines.count, MISTAKES_MAX);
    assert_int_equal(mistakes.more, 3);
    mistakes_free(&mistakes);
}

static void the_same_mistake_of_a_place_is_told_once(void **state)
{
    struct mistakes mistakes = {.file = "a"};

    (void)state;
    for (int i = 0; i < 3; i++)
        for (int repeat = 0; repeat < 10000; repeat++)
            mistakes_add(&mistakes, (struct plan_place){7, 3}, "m%d", i);
    assert_int_equal(mistakes.lines.count, 3);
    assert_int_equal(mistakes.more, 0);
    assert_string_equal(mistakes.lines.line[2], "a:7:3: m2");
    mistakes_free(&mistakes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_stands_behind_its_place),
        cmocka_unit_test(above_the_bound_they_are_only_counted),
        cmocka_unit_test(the_same_mistake_of_a_place_is_told_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
