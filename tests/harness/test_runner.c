/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/runner.h"
#include "tests/support/story.h"
/* A bench that fails as it is told, in place of the real one. */
static int outcome;
static unsigned runs;

int bench_run(const struct bench_job *job, struct happened *ret_happened,
              struct bench_failure *failure)
{
    (void)job;
    (void)ret_happened;
    runs++;
    failure->code = -outcome;
    (void)snprintf(failure->text, sizeof(failure->text), "socket: refused");
    return outcome;
}

static void fails(int status, enum result_verdict verdict)
{
    struct plan plan = {.file = "x.scn", .name = "x"};
    struct bench_job job = {.plan = &plan, .trigger = REACTOR_LT, .family = PLAN_IPV6};
    struct judge_expected expected = {0};
    struct runner_outcome came;

    runs = 0;
    outcome = status;
    assert_int_equal(runner_run(&job, &expected, (struct runner_patience){2, false}, &came), 0);
    assert_int_equal(came.result.verdict, verdict);
    assert_string_equal(came.result.reason, "socket: refused");
    assert_int_equal(came.result.trigger, REACTOR_LT);
    assert_int_equal(came.result.family, PLAN_IPV6);
    assert_false(came.recorded);
    assert_int_equal(runs, 1);
    runner_free(&came);
}

static void what_the_bench_cannot_do_is_an_error_whatever_its_errno(void **state)
{
    (void)state;
    fails(-EIO, RESULT_ERROR);
    fails(-EPERM, RESULT_ERROR);
    fails(-ENOSYS, RESULT_ERROR);
}

static void an_interrupted_run_has_no_outcome(void **state)
{
    struct plan plan = {.file = "x.scn", .name = "x"};
    struct bench_job job = {.plan = &plan};
    struct judge_expected expected = {0};
    struct runner_outcome came;

    (void)state;
    outcome = -EINTR;
    assert_int_equal(runner_run(&job, &expected, (struct runner_patience){2, false}, &came),
                     -EINTR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_bench_cannot_do_is_an_error_whatever_its_errno),
        cmocka_unit_test(an_interrupted_run_has_no_outcome),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
