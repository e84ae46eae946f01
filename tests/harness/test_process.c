/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "harness/conduct/bench.h"
#include "harness/interrupted.h"
#include "tests/support/plans.h"
#include "tests/support/rows.h"

/* A sut that reads from pipes, in a namespace of its own. */
struct running {
    struct plan *plan;
    struct space space;
    struct process process;
    struct sut sut;
    struct failure failure;
    struct sut_report report;
    int writer;
};

/* Skips the test where no namespace can be had. */
static struct running running_in_space(void)
{
    struct running running = {.space = SPACE_NONE, .writer = -1};
    struct bench_failure failure = {0};

    if (bench_prepare(RESULT_WORLD_VETH, &failure) < 0) {
        print_message("%s\n", failure.text);
        skip();
    }
    assert_int_equal(space_open(&running.space, &running.failure), 0);
    return running;
}

static void running_begin(struct running *running, const struct plans_text *text)
{
    struct sut_start start = {.trigger = REACTOR_ET, .family = PLAN_PIPE, .cpu = -1};

    *running = running_in_space();
    running->plan = plans_make(text);
    running->sut = process_sut(&running->process);
    start.plan = running->plan;
    start.space = &running->space;
    assert_int_equal(running->sut.ops->start(running->sut.self, &start, &running->failure), 0);
}

static void running_end(struct running *running)
{
    running->sut.ops->close(running->sut.self, NULL);
    running->sut.ops->close(running->sut.self, NULL);
    if (running->writer >= 0)
        (void)close(running->writer);
    space_close(&running->space);
    plan_free(running->plan);
}

static const struct plans_text pipe_text = {.family = "pipe", .peers = "  c pipe\n"};

static int grant(struct running *running, struct sut_order order)
{
    return running->sut.ops->grant(running->sut.self, &order, &running->report);
}

static struct sut_order verb(enum sut_verb_kind kind)
{
    return (struct sut_order){.verb_count = 1, .verbs = {{.kind = kind}}};
}

static void adopt(struct running *running)
{
    int ends[2];

    assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    assert_int_equal(running->sut.ops->give(running->sut.self, ends[0]), 0);
    (void)close(ends[0]);
    running->writer = ends[1];
    assert_int_equal(grant(running, verb(SUT_ADOPT)), 0);
    assert_int_equal(running->report.status, SUT_IDLE);
}

static void expect_fate(struct running *running, enum happened_fate fate, const char *text)
{
    char *told;

    assert_int_equal(running->sut.ops->finish(running->sut.self, &told), fate);
    if (text)
        assert_non_null(told);
    if (told)
        assert_string_equal(told, text ? text : "");
    free(told);
}

/* Sends a signal to the sut's own process and waits until all of its namespace is gone. */
static void kill_sut(struct running *running, int signal)
{
    struct pollfd entry = {.fd = running->process.pidspace.pidfd, .events = POLLIN};

    assert_int_equal(kill(running->process.pidspace.payload, signal), 0);
    assert_int_equal(poll(&entry, 1, 30000), 1);
}

static void a_sut_reads_what_comes_and_stops_when_told(void **state)
{
    struct running running;
    const struct journal *journal;

    (void)state;
    running_begin(&running, &pipe_text);
    adopt(&running);
    assert_int_equal(write(running.writer, "hello", 5), 5);
    assert_int_equal(grant(&running, (struct sut_order){0}), 0);
    assert_int_equal(running.report.status, SUT_IDLE);
    journal = running.sut.ops->journal(running.sut.self);
    assert_int_equal(rows_count(journal, "adopt 0"), 1);
    assert_int_equal(
        rows_count(journal, "read 0 asked=65536 result=5 credit=0+0 bytes=68656c6c6f"), 1);
    assert_int_equal(grant(&running, verb(SUT_STOP)), 0);
    assert_int_equal(running.report.status, SUT_STOPPED);
    expect_fate(&running, HAPPENED_STOPPED, NULL);
    assert_int_equal(rows_count(journal, "close 0"), 1);
    running_end(&running);
}

static void the_signal_that_killed_it_is_named(void **state)
{
    static const struct {
        int signal;
        const char *text;
    } ends[] = {
        {SIGKILL, "killed by SIGKILL"},
        {SIGSEGV, "killed by SIGSEGV"},
        {SIGABRT, "killed by SIGABRT"},
        {SIGTERM, "killed by SIGTERM"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        struct running running;

        running_begin(&running, &pipe_text);
        adopt(&running);
        kill_sut(&running, ends[i].signal);
        assert_int_equal(grant(&running, (struct sut_order){0}), SUT_GONE);
        /* What it wrote before is still there. */
        assert_int_equal(
            rows_count(running.sut.ops->journal(running.sut.self), "adopt 0"), 1);
        expect_fate(&running, HAPPENED_DIED, ends[i].text);
        running_end(&running);
    }
}

static void a_limit_that_was_used_up_is_named(void **state)
{
    struct plans_text text = pipe_text;
    struct running running;
    char block[4096] = {0};

    (void)state;
    text.reactor = "  trigger et\n  quantum bytes=1 attempts=1\n  limit rounds=50\n";
    running_begin(&running, &text);
    adopt(&running);
    assert_int_equal(write(running.writer, block, sizeof(block)), sizeof(block));
    assert_int_equal(grant(&running, (struct sut_order){0}), 0);
    assert_int_equal(running.report.status, SUT_LIMIT);
    assert_int_equal(running.report.rounds, 51);
    {
        char *told;

        assert_int_equal(running.sut.ops->finish(running.sut.self, &told), HAPPENED_LIMIT);
        assert_non_null(strstr(told, "the limit of rounds was used up (round 51, call "));
        free(told);
    }
    running_end(&running);
}

static void a_sut_that_cannot_start_says_why(void **state)
{
    const struct plans_text text = {.family = "ipv4\n  socket congestion=nosuch"};
    struct running running = running_in_space();
    struct sut_start start = {.trigger = REACTOR_ET, .family = PLAN_IPV4, .cpu = -1};

    (void)state;
    running.plan = plans_make(&text);
    running.sut = process_sut(&running.process);
    start.plan = running.plan;
    start.space = &running.space;
    assert_int_equal(running.sut.ops->start(running.sut.self, &start, &running.failure), -EIO);
    assert_non_null(strstr(running.failure.text, "the sut could not start: "));
    assert_non_null(strstr(running.failure.text, strerror(ENOENT)));
    running_end(&running);
}

/* Its journal moves to the record, and outlives the sut. */
static void the_journal_outlives_the_sut(void **state)
{
    struct running running;
    struct happened happened = {0};
    pid_t pid;

    (void)state;
    running_begin(&running, &pipe_text);
    adopt(&running);
    pid = running.process.pidspace.payload;
    assert_true(pid > 0);
    running.sut.ops->close(running.sut.self, &happened);
    assert_int_equal(kill(pid, 0), -1);
    assert_int_equal(rows_count(happened.journal, "adopt 0"), 1);
    happened_free(&happened);
    running_end(&running);
}

static void *interrupt_soon(void *arg)
{
    (void)arg;
    (void)poll(NULL, 0, 20);
    interrupted_set();
    return NULL;
}

/* Last: an interruption is for good. */
static void an_interruption_ends_the_wait_for_a_sut_that_does_not_answer(void **state)
{
    struct running running;
    struct timespec begin, end;
    pthread_t thread;

    (void)state;
    running_begin(&running, &pipe_text);
    adopt(&running);
    assert_int_equal(kill(running.process.pidspace.payload, SIGSTOP), 0);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &begin), 0);
    assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, NULL), 0);
    assert_int_equal(grant(&running, (struct sut_order){0}), -EINTR);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &end), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(end.tv_sec - begin.tv_sec < 5); /* its patience is longer */
    running_end(&running);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sut_reads_what_comes_and_stops_when_told),
        cmocka_unit_test(the_signal_that_killed_it_is_named),
        cmocka_unit_test(a_limit_that_was_used_up_is_named),
        cmocka_unit_test(a_sut_that_cannot_start_says_why),
        cmocka_unit_test(the_journal_outlives_the_sut),
        cmocka_unit_test(an_interruption_ends_the_wait_for_a_sut_that_does_not_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
