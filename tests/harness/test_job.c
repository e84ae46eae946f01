/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/sut/block.h"
#include "tests/support/plans.h"
#include "tests/support/runs.h"

static void step_to(struct job *job, enum job_state state)
{
    while (job->state < state) {
        struct pollfd wanted = {.fd = job_descriptor(job), .events = POLLIN};

        assert_int_equal(poll(&wanted, 1, 20000), 1);
        job_step(job);
    }
}

static struct job started(const struct job_request *request)
{
    struct bench_failure failure = {0};
    struct job job;

    if (job_start(&job, request, &failure) < 0)
        fail_msg("%s", failure.text);
    return job;
}

static struct job_outcome outcome_of(job_run_fn *run)
{
    struct job_request request = runs_request(run);
    struct bench_failure failure = {0};
    struct job_outcome outcome;

    assert_int_equal(job_run(&request, &outcome, &failure), 0);
    return outcome;
}

static void what_happened_comes_back_with_its_journal(void **state)
{
    struct job_outcome outcome = outcome_of(runs_well);

    (void)state;
    assert_int_equal(outcome.end, JOB_HAPPENED);
    assert_ptr_equal(outcome.happened.plan, &runs_plan);
    assert_int_equal(outcome.happened.trigger, REACTOR_LT);
    assert_string_equal(outcome.happened.notes.line[0], "well");
    assert_non_null(outcome.happened.journal);
    assert_true(outcome.wall.ns > 0);
    job_forget(&outcome);
}

static void why_the_bench_could_not_comes_back(void **state)
{
    struct job_outcome outcome = outcome_of(runs_and_fails);

    (void)state;
    assert_int_equal(outcome.end, JOB_FAILED);
    assert_int_equal(outcome.failure.code, EIO);
    assert_string_equal(outcome.failure.text, "no link");
    job_forget(&outcome);
}

static void a_bench_that_crashes_leaves_its_rows_and_where_it_was(void **state)
{
    struct job_outcome outcome = outcome_of(runs_into_a_fault);

    (void)state;
    assert_int_equal(outcome.end, JOB_DIED);
    assert_string_equal(outcome.failure.text,
                        "the bench was killed by SIGSEGV; begun last: line 12, c close");
    assert_int_equal(outcome.happened.fate, HAPPENED_HUNG);
    assert_string_equal(outcome.happened.fate_text, "its bench died");
    assert_int_equal(outcome.happened.journal->count, 1);
    assert_int_equal(journal_at(outcome.happened.journal, 0)->kind, JOURNAL_HALT);
    assert_int_equal(outcome.happened.source_count, 1);
    assert_int_equal(outcome.happened.sources[0], 0);
    job_forget(&outcome);
}

static void a_bench_that_ends_without_a_word_is_told_by_its_status(void **state)
{
    struct job_outcome outcome = outcome_of(runs_away);

    (void)state;
    assert_int_equal(outcome.end, JOB_DIED);
    assert_string_equal(outcome.failure.text, "the bench ended with status 7 and no result; "
                                              "while its world was set up");
    job_forget(&outcome);
}

static void a_run_that_takes_too_long_is_ended(void **state)
{
    struct job_request request = runs_request(runs_forever);
    struct bench_failure failure = {0};
    struct job_outcome outcome;

    (void)state;
    request.limit = DURATION_MS(20);
    assert_int_equal(job_run(&request, &outcome, &failure), 0);
    assert_int_equal(outcome.end, JOB_EXPIRED);
    assert_string_equal(outcome.failure.text,
                        "ended after 0.02 s without a result; while its world was set up");
    assert_string_equal(outcome.happened.fate_text, "its bench was ended");
    job_forget(&outcome);
}

static void nobody_waits_beyond_the_limit(void **state)
{
    const struct instant begin = {7000};
    struct job job = {.request = {.limit = DURATION_MS(120)}, .started = begin};

    (void)state;
    assert_int_equal(job_patience(&job, begin), JOB_LOOK_MS);
    assert_int_equal(job_patience(&job, instant_add(begin, DURATION_MS(100))), 20);
    assert_int_equal(job_patience(&job, instant_add(begin, DURATION_US(119999))), 1);
    assert_int_equal(job_patience(&job, instant_add(begin, DURATION_MS(120))), 0);
    assert_int_equal(job_patience(&job, instant_add(begin, DURATION_MS(500))), 0);
    /* One that is being killed has no limit any more. */
    job.expired = true;
    assert_int_equal(job_patience(&job, instant_add(begin, DURATION_MS(500))), JOB_LOOK_MS);
}

static void a_run_that_was_killed_because_it_did_not_stop_was_interrupted(void **state)
{
    struct job_request request = runs_request(runs_forever);
    struct job job = started(&request);
    struct job_outcome outcome;

    (void)state;
    job_kill(&job, false);
    step_to(&job, JOB_TOLD);
    job_take(&job, &outcome);
    assert_int_equal(outcome.end, JOB_INTERRUPTED);
    job_forget(&outcome);
    step_to(&job, JOB_GONE);
    assert_int_equal(job_descriptor(&job), -1);
    job_close(&job);
}

/* Ends with 1 when it has any descriptor but the standard ones and one more. */
static int counts_descriptors(const struct bench_job *job, struct happened *ret_happened,
                              struct bench_failure *failure)
{
    int count = 0;

    for (int fd = 3; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    if (count != 1)
        _exit(1);
    return runs_well(job, ret_happened, failure);
}

static void a_run_gets_no_descriptor_of_ours(void **state)
{
    int ours = dup(0);
    struct job_outcome outcome = outcome_of(counts_descriptors);

    (void)state;
    assert_true(ours >= 0);
    assert_int_equal(outcome.end, JOB_HAPPENED);
    job_forget(&outcome);
    (void)close(ours);
}

/* The journal of the job that was started first; the second must not have it. */
static struct block *first_block;

static int looks_for_the_first(const struct bench_job *job, struct happened *ret_happened,
                               struct bench_failure *failure)
{
    int ends[2];

    /* write() reads the memory on our behalf: EFAULT where there is none. */
    if (pipe(ends) < 0 || write(ends[1], first_block, 1) >= 0 || errno != EFAULT)
        _exit(1);
    return runs_well(job, ret_happened, failure);
}

static void a_run_cannot_write_the_journal_of_another(void **state)
{
    struct job_request request = runs_request(runs_forever);
    struct job job = started(&request);
    struct job_outcome outcome;

    (void)state;
    first_block = job.block;
    outcome = outcome_of(looks_for_the_first);
    assert_int_equal(outcome.end, JOB_HAPPENED);
    job_forget(&outcome);
    job_close(&job);
}

/* --- With the real bench --- */

static struct job_request real_request(struct plan *plan)
{
    struct bench_failure failure = {0};

    if (bench_prepare(RESULT_WORLD_VETH, &failure) < 0) {
        print_message("%s\n", failure.text);
        plan_free(plan);
        skip();
    }
    return (struct job_request){
        .bench = {.plan = plan, .trigger = REACTOR_ET, .family = PLAN_PIPE},
        .limit = DURATION_MS(50000),
    };
}

/* Half a minute long. */
static struct plan *long_plan(void)
{
    static const struct plans_text text = {
        .family = "pipe",
        .peers = "  c pipe\n",
        .timeline = "  0ms c connect\n  1ms c send \"hello\"\n  30s c close\n",
    };

    return plans_make(&text);
}

/* Until the sut has read what was sent. */
static void await_rows(const struct job *job, uint64_t rows)
{
    for (int i = 0; i < 20000 && block_journal(job->block)->count < rows; i++)
        (void)poll(NULL, 0, 1);
    assert_true(block_journal(job->block)->count >= rows);
}

static void the_sut_dies_with_its_bench_and_its_rows_survive(void **state)
{
    struct plan *plan = long_plan();
    struct job_request request = real_request(plan);
    struct job job;
    struct job_outcome outcome;
    pid_t sut;

    (void)state;
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    job = started(&request);
    await_rows(&job, 5);
    sut = job.trail->sut;
    assert_true(sut > 0);
    assert_int_equal(kill(job.pid, SIGKILL), 0);
    step_to(&job, JOB_TOLD);
    /* Reaped, and with it everything in its namespace. */
    assert_int_equal(kill(sut, 0), -1);
    assert_int_equal(errno, ESRCH);
    job_take(&job, &outcome);
    assert_int_equal(outcome.end, JOB_DIED);
    assert_non_null(strstr(outcome.failure.text, "killed by SIGKILL; begun last: line "));
    assert_true(outcome.happened.journal->count >= 5);
    assert_int_equal(outcome.happened.source_count, 1);
    job_forget(&outcome);
    job_close(&job);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    plan_free(plan);
}

static void a_whole_run_comes_back(void **state)
{
    static const struct plans_text text = {.family = "pipe", .peers = "  c pipe\n"};
    struct plan *plan = plans_make(&text);
    struct job_request request = real_request(plan);
    struct bench_failure failure = {0};
    struct job_outcome outcome;

    (void)state;
    assert_int_equal(job_run(&request, &outcome, &failure), 0);
    assert_int_equal(outcome.end, JOB_HAPPENED);
    assert_int_equal(outcome.happened.fate, HAPPENED_STOPPED);
    assert_true(outcome.happened.journal->count > 0);
    assert_true(outcome.happened.action_count > 0);
    job_forget(&outcome);
    plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_happened_comes_back_with_its_journal),
        cmocka_unit_test(why_the_bench_could_not_comes_back),
        cmocka_unit_test(a_bench_that_crashes_leaves_its_rows_and_where_it_was),
        cmocka_unit_test(a_bench_that_ends_without_a_word_is_told_by_its_status),
        cmocka_unit_test(a_run_that_takes_too_long_is_ended),
        cmocka_unit_test(nobody_waits_beyond_the_limit),
        cmocka_unit_test(a_run_that_was_killed_because_it_did_not_stop_was_interrupted),
        cmocka_unit_test(a_run_gets_no_descriptor_of_ours),
        cmocka_unit_test(a_run_cannot_write_the_journal_of_another),
        cmocka_unit_test(a_whole_run_comes_back),
        cmocka_unit_test(the_sut_dies_with_its_bench_and_its_rows_survive),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
