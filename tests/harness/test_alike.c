/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/report/alike.h"
#include "tests/harness/sample.h"

static void free_both(struct result *a, struct result *b)
{
    result_free(a);
    result_free(b);
}

static void equal_rows_around_a_change_may_differ(void **state)
{
    struct result a = sample_fail(REACTOR_ET, PLAN_IPV4), b = sample_fail(REACTOR_LT, PLAN_IPV6);

    (void)state;
    assert_true(alike(&a, &b));
    lines_add(&b.events.diff, "  + c quantum 4");
    assert_false(alike(&a, &b));
    free_both(&a, &b);
}

static void other_words_are_another_story(void **state)
{
    struct result a = sample_fail(REACTOR_ET, PLAN_IPV4), b = sample_fail(REACTOR_LT, PLAN_IPV6);

    (void)state;
    lines_add(&b.left_over, "c held 5");
    assert_false(alike(&a, &b));
    free_both(&a, &b);
    a = sample_fail(REACTOR_ET, PLAN_IPV4);
    b = sample_pass(REACTOR_LT, PLAN_IPV4, 3);
    assert_false(alike(&a, &b));
    free_both(&a, &b);
}

static struct result ended(const char *how, const char *row)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 2);

    result.verdict = RESULT_FAIL;
    result.cut_short = true;
    lines_add(&result.failed, "%s", how);
    lines_add(&result.last, "%s", row);
    return result;
}

static void ends_are_alike_but_for_numbers(void **state)
{
    struct result a = ended("the limit was used up (round 501, call 7)", "A quantum 9");
    struct result b = ended("the limit was used up (round 7, call 1200)", "A quantum 9");
    struct result c = ended("the limit was used up (round 7, call 1200)", "B quantum 9");
    struct result d = ended("the limit was used up (round 7, call x)", "A quantum 9");

    (void)state;
    lines_add(&b.events.diff, "  + A quantum 8");
    assert_true(alike(&a, &b));
    assert_false(alike(&b, &c));
    assert_false(alike(&b, &d));
    free_both(&a, &b);
    free_both(&c, &d);
}

static void late_runs_are_alike_by_the_kind_of_their_cause(void **state)
{
    struct result a = sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_LATE, "6 ms late");
    struct result b = sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_LATE, "7 ms late");
    const struct result both[] = {a, b};

    (void)state;
    assert_true(alike(&a, &b));
    assert_false(alike_before(both, 0));
    assert_true(alike_before(both, 1));
    b.late_by_work = true;
    assert_false(alike(&a, &b));
    free_both(&a, &b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_rows_around_a_change_may_differ),
        cmocka_unit_test(other_words_are_another_story),
        cmocka_unit_test(ends_are_alike_but_for_numbers),
        cmocka_unit_test(late_runs_are_alike_by_the_kind_of_their_cause),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
