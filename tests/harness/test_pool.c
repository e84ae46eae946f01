/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "harness/interrupted.h"
#include "tests/support/runs.h"

static struct pool pool;

static void on_signal(int number)
{
    (void)number;
    interrupted_set();
}

static int opened(void **state)
{
    struct sigaction action = {.sa_handler = on_signal};

    (void)state;
    return sigaction(SIGTERM, &action, NULL) < 0 || pool_open(&pool, 3) < 0;
}

static int closed(void **state)
{
    (void)state;
    pool_close(&pool);
    /* Nobody is left, and nobody unreaped. */
    return waitpid(-1, NULL, WNOHANG) != -1 || errno != ECHILD;
}

/* Starts a run that need not be exact, so that there is room for three of them anywhere. */
static void start(job_run_fn *run, void *tag, struct duration limit)
{
    struct job_request request = runs_request(run);
    struct bench_failure failure = {0};

    request.bench.plan = &runs_free_plan;
    request.limit = limit;
    assert_true(pool_free(&pool, false));
    if (pool_start(&pool, &request, tag, &failure) < 0)
        fail_msg("%s", failure.text);
}

#define LONG DURATION_MS(50000)

static void every_run_comes_back_under_its_tag(void **state)
{
    enum job_end expected[] = {JOB_HAPPENED, JOB_FAILED, JOB_DIED};
    job_run_fn *runs[] = {runs_well, runs_and_fails, runs_into_a_fault};
    int left = 7;
    struct job_outcome outcome;
    void *tag;

    (void)state;
    for (int i = 0; i < 3; i++)
        start(runs[i], &expected[i], LONG);
    assert_false(pool_free(&pool, false));
    while (pool_await(&pool, &outcome, &tag) == 1) {
        assert_int_equal(outcome.end, *(enum job_end *)tag);
        left &= ~(1 << ((enum job_end *)tag - expected));
        job_forget(&outcome);
    }
    assert_int_equal(left, 0);
}

/* One that hangs holds nobody up. */
static void a_free_slot_is_used_while_another_run_goes_on(void **state)
{
    struct job_outcome outcome;
    int hangs, runs;
    void *tag;

    (void)state;
    start(runs_forever, &hangs, DURATION_MS(400));
    for (int i = 0; i < 40; i++) {
        start(runs_well, &runs, LONG);
        assert_int_equal(pool_await(&pool, &outcome, &tag), 1);
        if (tag == &hangs)
            break;
        assert_int_equal(outcome.end, JOB_HAPPENED);
        job_forget(&outcome);
    }
    while (tag != &hangs) {
        assert_int_equal(pool_await(&pool, &outcome, &tag), 1);
        if (tag != &hangs)
            job_forget(&outcome);
    }
    assert_int_equal(outcome.end, JOB_EXPIRED);
    job_forget(&outcome);
}

static void those_that_leave_are_bounded_and_all_reaped(void **state)
{
    struct job_outcome outcome;
    void *tag;

    (void)state;
    for (int i = 0; i < 100; i++) {
        while (!pool_free(&pool, false))
            assert_int_equal(pool_await(&pool, &outcome, &tag), 0);
        start(runs_well, NULL, LONG);
        assert_int_equal(pool_await(&pool, &outcome, &tag), 1);
        job_forget(&outcome);
        assert_true(pool.count <= POOL_LEAVING_MAX + 1);
    }
    while (pool.count > 0)
        assert_int_equal(pool_await(&pool, &outcome, &tag), 0);
}

static void a_stop_ends_those_that_listen_and_those_that_do_not(void **state)
{
    struct job_outcome outcome;
    void *tag;
    int count = 0;

    (void)state;
    start(runs_until_told, NULL, LONG);
    start(runs_forever, NULL, LONG);
    pool_stop(&pool);
    assert_false(pool_free(&pool, false));
    while (pool_await(&pool, &outcome, &tag) == 1) {
        assert_int_equal(outcome.end, JOB_INTERRUPTED);
        job_forget(&outcome);
        count++;
    }
    assert_int_equal(count, 2);
}

static void what_still_runs_ends_with_the_pool(void **state)
{
    (void)state;
    start(runs_forever, NULL, LONG);
    start(runs_forever, NULL, LONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_run_comes_back_under_its_tag, opened, closed),
        cmocka_unit_test_setup_teardown(a_free_slot_is_used_while_another_run_goes_on, opened,
                                        closed),
        cmocka_unit_test_setup_teardown(those_that_leave_are_bounded_and_all_reaped, opened,
                                        closed),
        cmocka_unit_test_setup_teardown(a_stop_ends_those_that_listen_and_those_that_do_not,
                                        opened, closed),
        cmocka_unit_test_setup_teardown(what_still_runs_ends_with_the_pool, opened, closed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
