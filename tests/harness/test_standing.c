/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/standing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void add(struct standing *standing, enum result_verdict verdict, const char *reason)
{
    struct outcome outcome = {.result = {.verdict = verdict, .reason = strdup(reason)}};

    outcome.result.runs[verdict] = 1;
    standing_add(standing, &outcome);
}

static void the_first_of_the_gravest_is_kept_and_all_are_counted(void **state)
{
    struct standing standing = {0};

    (void)state;
    add(&standing, RESULT_PASS, "a");
    assert_string_equal(standing.kept.result.reason, "a");
    assert_true(standing_would_keep(&standing, RESULT_LATE));
    add(&standing, RESULT_LATE, "b");
    add(&standing, RESULT_FAIL, "c");
    assert_false(standing_would_keep(&standing, RESULT_FAIL));
    add(&standing, RESULT_FAIL, "d");
    add(&standing, RESULT_PASS, "e");
    assert_int_equal(standing.kept.result.verdict, RESULT_FAIL);
    assert_string_equal(standing.kept.result.reason, "c");
    add(&standing, RESULT_ERROR, "f");
    assert_string_equal(standing.kept.result.reason, "f");
    assert_int_equal(standing.count, 6);
    assert_int_equal(standing.kept.result.runs[RESULT_PASS], 2);
    assert_int_equal(standing.kept.result.runs[RESULT_FAIL], 2);
    assert_int_equal(standing.kept.result.runs[RESULT_LATE], 1);
    assert_int_equal(standing.kept.result.runs[RESULT_ERROR], 1);
    standing_free(&standing);
    assert_int_equal(standing.count, 0);
}

static void the_first_run_is_kept_whatever_it_came_to(void **state)
{
    struct standing standing = {0};

    (void)state;
    assert_true(standing_would_keep(&standing, RESULT_SKIP));
    add(&standing, RESULT_SKIP, "a");
    assert_int_equal(standing.kept.result.verdict, RESULT_SKIP);
    assert_int_equal(standing.kept.result.runs[RESULT_SKIP], 1);
    standing_free(&standing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_of_the_gravest_is_kept_and_all_are_counted),
        cmocka_unit_test(the_first_run_is_kept_whatever_it_came_to),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
