/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/fake_os.h"

/* A fake kernel behind a gate whose hooks write down their order: R round, E enter, I idle. */
struct gated {
    struct fake_os kernel;
    struct os_gate gate;
    struct os os;
    char order[64];
    struct instant now;
    struct instant deadline; /* as idle was told */
    int keep_on;             /* idle says false so many times, and the last time bytes arrive */
    int fd;
    struct os_event events[4];
};

static void note(struct gated *gated, char what)
{
    size_t used = strlen(gated->order);

    assert_true(used < sizeof(gated->order) - 1);
    gated->order[used] = what;
    gated->order[used + 1] = '\0';
}

static void on_enter(void *arg)
{
    note(arg, 'E');
}

static void on_round(void *arg)
{
    note(arg, 'R');
}

static bool on_idle(void *arg, struct instant deadline)
{
    struct gated *gated = arg;

    note(gated, 'I');
    gated->deadline = deadline;
    if (gated->keep_on == 0)
        return true;
    if (--gated->keep_on == 0)
        fake_os_arrive(&gated->kernel, gated->fd, "x", 1);
    return false;
}

static struct instant on_now(void *arg)
{
    return ((struct gated *)arg)->now;
}

static const struct os_gate_hooks hooks = {
    .enter = on_enter,
    .round = on_round,
    .idle = on_idle,
    .now = on_now,
};

static void gated_begin(struct gated *gated)
{
    *gated = (struct gated){0};
    gated->os = os_gate_wrap(&gated->gate, fake_os_table(&gated->kernel), &hooks, gated);
    gated->fd = fake_os_stream(&gated->kernel);
    assert_int_equal(os_ctl(fake_os_table(&gated->kernel), OS_ADD, gated->fd, OS_IN, 5), 0);
}

static void expect_wait(struct gated *gated, struct instant deadline, int result,
                        const char *order)
{
    gated->order[0] = '\0';
    assert_int_equal(os_wait(gated->os, gated->events, 4, deadline), result);
    assert_string_equal(gated->order, order);
    assert_int_equal(gated->kernel.sleeps, 0);
}

static void a_zero_wait_passes_through(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    expect_wait(&gated, INSTANT_PAST, 0, "RE");
    fake_os_arrive(&gated.kernel, gated.fd, "x", 1);
    expect_wait(&gated, INSTANT_PAST, 1, "RE");
    assert_int_equal(gated.events[0].data, 5);
}

static void idle_is_asked_only_when_nothing_is_there(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    fake_os_arrive(&gated.kernel, gated.fd, "x", 1);
    expect_wait(&gated, INSTANT_NEVER, 1, "RE");
    expect_wait(&gated, (struct instant){9}, 1, "RE");
}

static void after_a_verb_the_wait_returns_at_once_with_nothing(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    expect_wait(&gated, INSTANT_NEVER, 0, "REI");
    assert_true(instant_equal(gated.deadline, INSTANT_NEVER));
    expect_wait(&gated, (struct instant){-7}, 0, "REI");
    assert_int_equal(gated.deadline.ns, -7);
}

static void without_a_verb_it_collects_again(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    gated.keep_on = 3;
    expect_wait(&gated, INSTANT_NEVER, 1, "REIEIEIE");
}

static void what_arrives_with_a_verb_waits_for_the_next_round(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    expect_wait(&gated, INSTANT_NEVER, 0, "REI");
    fake_os_arrive(&gated.kernel, gated.fd, "x", 1);
    expect_wait(&gated, INSTANT_PAST, 1, "RE");
}

static void an_error_of_the_kernel_comes_out_at_once(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    gated.kernel.fail_wait = EINTR;
    expect_wait(&gated, INSTANT_NEVER, -EINTR, "RE");
    gated.keep_on = 2;
    gated.kernel.fail_wait = 0;
    expect_wait(&gated, INSTANT_NEVER, 1, "REIEIE");
}

static void every_call_enters_first(void **state)
{
    struct gated gated;
    char bytes[4];
    int listener;

    (void)state;
    gated_begin(&gated);
    listener = fake_os_listener(&gated.kernel);
    assert_int_equal(os_read(gated.os, gated.fd, bytes, 4), -EAGAIN);
    assert_string_equal(gated.order, "E");
    assert_int_equal(os_accept(gated.os, listener), -EAGAIN);
    assert_string_equal(gated.order, "EE");
    assert_int_equal(os_ctl(gated.os, OS_MOD, gated.fd, OS_IN | OS_ET, 6), 0);
    assert_string_equal(gated.order, "EEE");
    assert_int_equal(os_ctl(gated.os, OS_DEL, gated.fd, 0, 0), 0);
    assert_int_equal(os_close(gated.os, gated.fd), 0);
    assert_string_equal(gated.order, "EEEEE");
}

static void the_journals_question_enters_nothing(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    fake_os_arrive(&gated.kernel, gated.fd, "abc", 3);
    assert_int_equal(os_unread(gated.os, gated.fd), 3);
    assert_string_equal(gated.order, "");
}

static void now_is_the_hooks_and_wake_enters_nothing(void **state)
{
    struct gated gated;

    (void)state;
    gated_begin(&gated);
    gated.now.ns = 123;
    gated.kernel.now.ns = 456;
    assert_int_equal(os_now(gated.os).ns, 123);
    assert_int_equal(os_wake(gated.os), 0);
    assert_string_equal(gated.order, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_zero_wait_passes_through),
        cmocka_unit_test(idle_is_asked_only_when_nothing_is_there),
        cmocka_unit_test(after_a_verb_the_wait_returns_at_once_with_nothing),
        cmocka_unit_test(without_a_verb_it_collects_again),
        cmocka_unit_test(what_arrives_with_a_verb_waits_for_the_next_round),
        cmocka_unit_test(an_error_of_the_kernel_comes_out_at_once),
        cmocka_unit_test(every_call_enters_first),
        cmocka_unit_test(the_journals_question_enters_nothing),
        cmocka_unit_test(now_is_the_hooks_and_wake_enters_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
