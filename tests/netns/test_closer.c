/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>

#include "netns/closer.h"

#define MANY 200 /* far more than may wait */

/* A pipe's reading end sees when the other is gone. */
static void make_pipe(int ends[2])
{
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
}

static void expect_end(int fd)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    char byte;

    assert_int_equal(poll(&wanted, 1, FIXTURE_LIMIT_MS), 1);
    assert_int_equal(read(fd, &byte, 1), 0);
    assert_int_equal(close(fd), 0);
}

static void what_is_handed_over_gets_closed(void **state)
{
    int ends[2];
    (void)state;

    make_pipe(ends);
    closer_close(ends[1]);
    expect_end(ends[0]);
}

static void more_than_may_wait_are_closed_all_the_same(void **state)
{
    static int ends[MANY][2];
    (void)state;

    for (size_t i = 0; i < MANY; i++)
        make_pipe(ends[i]);
    for (size_t i = 0; i < MANY; i++)
        closer_close(ends[i][1]);
    for (size_t i = 0; i < MANY; i++)
        expect_end(ends[i][0]);
}

static int close_in_a_child(void)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return 1;
    closer_close(ends[1]);
    return fcntl(ends[1], F_GETFD) < 0 && errno == EBADF ? 0 : 2;
}

/* The threads are not there: nobody would ever close what is handed over. */
static void a_forked_process_closes_by_itself(void **state)
{
    int ends[2];
    (void)state;

    make_pipe(ends);
    closer_close(ends[1]);
    expect_end(ends[0]);
    assert_int_equal(fixture_in_child(close_in_a_child), 0);
}

/* USR1 would end the process if any of its threads let it in. */
static void the_threads_leave_signals_to_the_caller(void **state)
{
    const struct timespec limit = {.tv_sec = FIXTURE_LIMIT_MS / 1000};
    sigset_t user, before;
    int ends[2];
    (void)state;

    make_pipe(ends);
    closer_close(ends[1]);
    expect_end(ends[0]);
    assert_int_equal(sigemptyset(&user), 0);
    assert_int_equal(sigaddset(&user, SIGUSR1), 0);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &user, &before), 0);
    assert_int_equal(kill(getpid(), SIGUSR1), 0);
    assert_int_equal(sigtimedwait(&user, NULL, &limit), SIGUSR1);
    assert_int_equal(pthread_sigmask(SIG_SETMASK, &before, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_handed_over_gets_closed),
        cmocka_unit_test(more_than_may_wait_are_closed_all_the_same),
        cmocka_unit_test(a_forked_process_closes_by_itself),
        cmocka_unit_test(the_threads_leave_signals_to_the_caller),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
