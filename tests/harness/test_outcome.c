/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/outcome.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/runs.h"
#include "tests/support/story.h"

static const struct judge_expected nothing_expected;

static struct outcome judged(job_run_fn *run)
{
    struct job_request request = runs_request(run);
    struct bench_failure failure = {0};
    struct job_outcome came;
    struct outcome outcome;

    assert_int_equal(job_run(&request, &came, &failure), 0);
    outcome_judge(&request.bench, &came, &nothing_expected, 2, &outcome);
    return outcome;
}

static void what_the_bench_cannot_do_is_an_error_whatever_its_errno(void **state)
{
    struct outcome outcome = judged(runs_and_fails);

    (void)state;
    assert_int_equal(outcome.result.verdict, RESULT_ERROR);
    assert_string_equal(outcome.result.reason, "no link");
    assert_ptr_equal(outcome.result.plan, &runs_plan);
    assert_int_equal(outcome.result.trigger, REACTOR_LT);
    assert_int_equal(outcome.result.family, PLAN_UNIX);
    assert_int_equal(outcome.result.attempts, 2);
    assert_int_equal(outcome.result.runs[RESULT_ERROR], 1);
    assert_true(outcome.result.wall.ns > 0);
    assert_false(outcome.recorded);
    outcome_free(&outcome);
}

static void a_world_that_cannot_be_had_is_a_skip_with_the_reason(void **state)
{
    const struct bench_job bench = {.plan = &runs_plan, .world = RESULT_WORLD_VETH,
                                    .trigger = REACTOR_LT, .family = PLAN_UNIX};
    const struct bench_failure why = {.text = "no namespace"};
    struct outcome outcome;

    (void)state;
    outcome_skip(&bench, &why, &outcome);
    assert_int_equal(outcome.result.verdict, RESULT_SKIP);
    assert_string_equal(outcome.result.reason, "no namespace");
    assert_int_equal(outcome.result.runs[RESULT_SKIP], 1);
    assert_ptr_equal(outcome.result.plan, &runs_plan);
    assert_false(outcome.recorded);
    outcome_free(&outcome);
}

static void a_run_that_died_is_an_error_that_says_where_and_shows_its_rows(void **state)
{
    struct outcome outcome = judged(runs_into_a_fault);

    (void)state;
    assert_int_equal(outcome.result.verdict, RESULT_ERROR);
    assert_string_equal(outcome.result.reason,
                        "the bench was killed by SIGSEGV; begun last: line 12, c close");
    assert_int_equal(outcome.result.events.rows.count, 1);
    assert_int_equal(outcome.result.runs[RESULT_ERROR], 1);
    assert_false(outcome.recorded);
    outcome_free(&outcome);
}

static int told_to_end(const struct bench_job *job, struct happened *ret_happened,
                       struct bench_failure *failure)
{
    (void)job;
    (void)ret_happened;
    (void)failure;
    return -EINTR;
}

static void a_run_that_alone_was_told_to_end_is_an_error(void **state)
{
    struct outcome outcome = judged(told_to_end);

    (void)state;
    assert_int_equal(outcome.result.verdict, RESULT_ERROR);
    assert_non_null(strstr(outcome.result.reason, "somebody told this run alone to end"));
    outcome_free(&outcome);
}

static void a_run_that_could_not_be_started_is_an_error(void **state)
{
    struct bench_job bench = {.plan = &runs_plan, .trigger = REACTOR_OS, .family = PLAN_IPV6};
    struct bench_failure failure = {.code = 11, .text = "a process for a run: no"};
    struct outcome outcome;

    (void)state;
    outcome_blame(&bench, &failure, 1, &outcome);
    assert_int_equal(outcome.result.verdict, RESULT_ERROR);
    assert_string_equal(outcome.result.reason, "a process for a run: no");
    assert_int_equal(outcome.result.family, PLAN_IPV6);
    outcome_free(&outcome);
}

/* Whether a late run of `count` statements, one every `gap_us`, is worth another try. */
static bool late_again(unsigned count, int64_t gap_us)
{
    struct story story;
    struct outcome outcome = {0};
    bool again;

    story_begin(&story, REACTOR_ET, "c");
    story.plan.compare = PLAN_STREAMS;
    for (unsigned i = 0; i < count; i++)
        (void)story_does(&story, "c", PLAN_CONNECT, NULL, 0, gap_us * i);
    judge_run(&story.happened, &nothing_expected, &outcome.result);
    assert_true(outcome.result.worst_late.ns > story.plan.tolerance.ns);
    again = outcome_late(&outcome, true);
    assert_false(outcome.result.verdict == RESULT_FAIL && outcome_late(&outcome, false));
    outcome_free(&outcome);
    story_end(&story);
    return again;
}

static void a_late_run_is_made_again_unless_its_script_is_in_a_hurry(void **state)
{
    (void)state;
    assert_true(late_again(2, 3000));
    assert_false(late_again(10, 500));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_bench_cannot_do_is_an_error_whatever_its_errno),
        cmocka_unit_test(a_world_that_cannot_be_had_is_a_skip_with_the_reason),
        cmocka_unit_test(a_run_that_died_is_an_error_that_says_where_and_shows_its_rows),
        cmocka_unit_test(a_run_that_alone_was_told_to_end_is_an_error),
        cmocka_unit_test(a_run_that_could_not_be_started_is_an_error),
        cmocka_unit_test(a_late_run_is_made_again_unless_its_script_is_in_a_hurry),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
