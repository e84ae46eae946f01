/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/turnstile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/fake_os.h"

/* The reactor whose quanta the keeper looks at; nothing runs on it. */
static struct reactor *idle_reactor(struct fake_os *kernel)
{
    static const struct reactor_handlers handlers;
    static const struct reactor_protocol protocol = {
        .limits = {.bytes = 1, .attempts = 1}, .handlers = &handlers};
    static const struct reactor_config config = {
        .slots = 1, .collect = 1, .protocols = &protocol, .protocol_count = 1, .inbox = 2};
    struct reactor *reactor = NULL;

    assert_int_equal(reactor_open(&config, fake_os_table(kernel), &reactor), 0);
    return reactor;
}

struct stage {
    struct plan plan;
    struct block *block;
    struct fake_os kernel;
    struct gatekeeper keeper;
    struct turnstile turnstile;
    struct reactor *reactor;
    struct os os;
};

static void stage_begin(struct stage *stage, uint64_t rounds, uint64_t calls)
{
    *stage = (struct stage){.plan = {.rounds_max = rounds, .calls_max = calls}};
    stage->block = block_map(&stage->plan);
    assert_non_null(stage->block);
    fake_os_init(&stage->kernel);
    stage->reactor = idle_reactor(&stage->kernel);
    gatekeeper_init(&stage->keeper, stage->block, &stage->plan, NULL, NULL);
    stage->keeper.reactor = stage->reactor;
    stage->os = turnstile_wrap(&stage->turnstile, fake_os_table(&stage->kernel), &stage->keeper);
}

static void stage_end(struct stage *stage)
{
    reactor_free(stage->reactor);
    block_unmap(stage->block);
}

static void calls_pass_and_are_counted(void **state)
{
    struct stage stage;
    struct os_event event;
    int listener, fd;
    char byte = 0;

    (void)state;
    stage_begin(&stage, 100, 100);
    listener = fake_os_listener(&stage.kernel);
    fake_os_connect(&stage.kernel, listener);
    stage.kernel.now = (struct instant){77};
    assert_int_equal(os_now(stage.os).ns, 77);
    fd = os_accept(stage.os, listener);
    assert_true(fd > listener);
    assert_int_equal(os_ctl(stage.os, OS_ADD, fd, OS_IN, 5), 0);
    fake_os_arrive(&stage.kernel, fd, "x", 1);
    assert_int_equal(os_unread(stage.os, fd), 1);
    assert_int_equal(os_wait(stage.os, &event, 1, INSTANT_NEVER), 1);
    assert_int_equal(event.data, 5);
    assert_int_equal(os_read(stage.os, fd, &byte, 1), 1);
    assert_int_equal(byte, 'x');
    assert_int_equal(os_ctl(stage.os, OS_DEL, fd, 0, 0), 0);
    assert_int_equal(os_close(stage.os, fd), 0);
    assert_int_equal(stage.keeper.rounds, 1);
    assert_int_equal(stage.keeper.calls, 6);
    stage_end(&stage);
}

/* A wait that may sleep is the kernel's own; nobody is asked. */
static void an_idle_wait_sleeps_in_the_kernel(void **state)
{
    struct stage stage;
    struct os_event event;
    unsigned before;

    (void)state;
    stage_begin(&stage, 100, 100);
    before = stage.kernel.sleeps;
    assert_int_equal(os_wait(stage.os, &event, 1, INSTANT_NEVER), 0);
    assert_int_equal(stage.kernel.sleeps, before + 1);
    assert_int_equal(handover_await(&stage.block->handover, HANDOVER_SUT, DURATION_ZERO),
                     -ETIMEDOUT);
    stage_end(&stage);
}

/* The one who is over the limit stays there, so another process does it. */
static void expect_limit(uint64_t rounds, uint64_t calls, const char *text)
{
    struct stage stage;
    const pid_t bench = getpid();
    struct os_event event;
    struct sut_report report;
    pid_t child;
    int status;

    stage_begin(&stage, rounds, calls);
    handover_pass(&stage.block->handover, HANDOVER_SUT);
    child = fork();
    if (child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        while (getppid() == bench)
            (void)os_wait(stage.os, &event, 1, INSTANT_PAST);
        _exit(1);
    }
    assert_true(child > 0);
    assert_int_equal(handover_await(&stage.block->handover, HANDOVER_BENCH, DURATION_MS(30000)),
                     0);
    report = block_report(stage.block);
    assert_int_equal(report.status, SUT_LIMIT);
    assert_string_equal(report.text, text);
    assert_int_equal(strcmp(text, "calls") == 0 ? report.calls : report.rounds, 11);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    stage_end(&stage);
}

static void the_limits_are_those_of_lockstep(void **state)
{
    (void)state;
    expect_limit(10, 1000, "rounds");
    expect_limit(1000, 10, "calls");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_pass_and_are_counted),
        cmocka_unit_test(an_idle_wait_sleeps_in_the_kernel),
        cmocka_unit_test(the_limits_are_those_of_lockstep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
