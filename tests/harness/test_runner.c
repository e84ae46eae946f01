/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/runner.h"
#include "tests/support/story.h"

/* A bench that fails as it is told, in place of the real one. */
static int outcome;
static unsigned runs;
/* What happens in a run that does not fail; NULL: nothing. */
static const struct story *told;

static void *copy(const void *from, size_t size)
{
    void *to = malloc(size);

    assert_non_null(to);
    return memcpy(to, from, size);
}

int bench_run(const struct bench_job *job, struct happened *ret_happened,
              struct bench_failure *failure)
{
    (void)job;
    runs++;
    if (told) {
        *ret_happened = told->happened;
        ret_happened->actions = copy(told->actions, sizeof(told->actions));
        ret_happened->peers = copy(told->got, sizeof(told->got));
        ret_happened->sources = copy(told->sources, sizeof(told->sources));
        return 0;
    }
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

/* How many runs a late one of `count` statements takes, one every `gap_us`. */
static unsigned runs_of(unsigned count, int64_t gap_us)
{
    struct story story;
    struct judge_expected expected = {0};
    struct runner_outcome came;
    struct bench_job job = {.plan = &story.plan};

    story_begin(&story, REACTOR_ET, "c");
    story.plan.compare = PLAN_STREAMS;
    for (unsigned i = 0; i < count; i++)
        (void)story_does(&story, "c", PLAN_CONNECT, NULL, 0, gap_us * i);
    told = &story;
    runs = 0;
    assert_int_equal(runner_run(&job, &expected, (struct runner_patience){2, true}, &came), 0);
    assert_true(came.result.worst_late.ns > story.plan.tolerance.ns);
    assert_int_equal(came.result.attempts, runs);
    runner_free(&came);
    told = NULL;
    story_end(&story);
    return runs;
}

static void a_late_run_is_repeated_unless_its_script_is_in_a_hurry(void **state)
{
    (void)state;
    assert_int_equal(runs_of(2, 3000), 3);
    assert_int_equal(runs_of(10, 500), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_bench_cannot_do_is_an_error_whatever_its_errno),
        cmocka_unit_test(an_interrupted_run_has_no_outcome),
        cmocka_unit_test(a_late_run_is_repeated_unless_its_script_is_in_a_hurry),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
