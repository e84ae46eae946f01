/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sys_linux.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/peer.h"
#include "tests/support/rig.h"

static struct sys open_here(struct sys_linux *kernel)
{
    return sys_linux_open(kernel, NULL);
}

static void assert_nonblocking_and_cloexec(int fd)
{
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFL) & O_NONBLOCK);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(close(fd), 0);
}

static void descriptors_are_nonblocking_and_close_on_exec(void **state)
{
    struct sys_linux kernel;
    struct sys sys = open_here(&kernel);
    int ends[2];

    (void)state;
    assert_nonblocking_and_cloexec(sys_socket(sys, AF_UNIX, SOCK_STREAM, 0));
    assert_nonblocking_and_cloexec(sys_eventfd(sys, 0));
    assert_int_equal(sys_pipe(sys, ends), 0);
    assert_nonblocking_and_cloexec(sys_dup(sys, ends[0]));
    assert_nonblocking_and_cloexec(ends[0]);
    assert_nonblocking_and_cloexec(ends[1]);
    int epoll = sys_epoll_create(sys);
    assert_true(fcntl(epoll, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(sys_close(sys, epoll), 0);
}

static void accepted_sockets_are_nonblocking_and_close_on_exec(void **state)
{
    struct rig *rig = rig_of(state);

    (void)rig_dial(rig);
    assert_nonblocking_and_cloexec(sys_accept(rig_sys(rig), rig_listener(rig)));
}

static void errors_are_negative_errno(void **state)
{
    struct sys_linux kernel;
    struct sys sys = open_here(&kernel);
    struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
    socklen_t length = 77;
    char byte = 0;

    (void)state;
    assert_int_equal(sys_close(sys, -1), -EBADF);
    assert_int_equal(sys_read(sys, -1, &byte, 1), -EBADF);
    assert_int_equal(sys_unread(sys, -1), -EBADF);
    assert_int_equal(sys_inode(sys, -1), -EBADF);
    assert_int_equal(sys_socket(sys, -1, SOCK_STREAM, 0), -EAFNOSUPPORT);
    assert_int_equal(sys_getsockname(sys, -1, &address, &length), -EBADF);
    assert_int_equal(length, 77);
}

/* The default action of SIGPIPE would end this program here. */
static void writing_to_nobody_raises_no_signal(void **state)
{
    struct sys_linux kernel;
    struct sys sys = open_here(&kernel);
    sigset_t before, after, pending;
    int ends[2];

    (void)state;
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &before), 0);
    assert_int_equal(sys_pipe(sys, ends), 0);
    assert_int_equal(sys_close(sys, ends[0]), 0);
    assert_int_equal(sys_write(sys, ends[1], "x", 1), -EPIPE);
    assert_int_equal(sys_close(sys, ends[1]), 0);
    assert_int_equal(sigpending(&pending), 0);
    assert_false(sigismember(&pending, SIGPIPE));
    assert_int_equal(sigprocmask(SIG_SETMASK, NULL, &after), 0);
    assert_int_equal(sigismember(&after, SIGPIPE), sigismember(&before, SIGPIPE));
}

static void sending_to_nobody_raises_no_signal(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_close(rig, a.far);
    assert_int_equal(sys_send(rig_sys(rig), a.near, "x", 1, 0), -EPIPE);
}

/* A SIGPIPE of somebody else that waits is left for him. */
static void a_waiting_signal_is_left_alone(void **state)
{
    struct sys_linux kernel;
    struct sys sys = open_here(&kernel);
    sigset_t broken_pipe, before, pending;
    int ends[2], signal_number = 0;

    (void)state;
    assert_int_equal(sigemptyset(&broken_pipe), 0);
    assert_int_equal(sigaddset(&broken_pipe, SIGPIPE), 0);
    assert_int_equal(sigprocmask(SIG_BLOCK, &broken_pipe, &before), 0);
    assert_int_equal(raise(SIGPIPE), 0);
    assert_int_equal(sys_pipe(sys, ends), 0);
    assert_int_equal(sys_close(sys, ends[0]), 0);
    assert_int_equal(sys_write(sys, ends[1], "x", 1), -EPIPE);
    assert_int_equal(sys_close(sys, ends[1]), 0);
    assert_int_equal(sigpending(&pending), 0);
    assert_true(sigismember(&pending, SIGPIPE));
    assert_int_equal(sigwait(&broken_pipe, &signal_number), 0);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
}

static void waits_end_at_their_deadline_and_not_before(void **state)
{
    struct sys_linux kernel;
    struct sys sys = open_here(&kernel);
    struct epoll_event event;
    int epoll = sys_epoll_create(sys);

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct instant deadline = instant_add(sys_now(sys), DURATION_US(700));
        if (i == 0)
            assert_int_equal(sys_sleep_until(sys, deadline), 0);
        else if (i == 1)
            assert_int_equal(sys_poll(sys, NULL, 0, deadline), 0);
        else
            assert_int_equal(sys_epoll_wait(sys, epoll, &event, 1, deadline), 0);
        assert_false(instant_before(sys_now(sys), deadline));
    }
    assert_int_equal(sys_close(sys, epoll), 0);
}

static void a_deadline_in_the_past_only_looks(void **state)
{
    struct sys_linux kernel;
    struct sys sys = open_here(&kernel);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = 5};
    int epoll = sys_epoll_create(sys);
    int fd = sys_eventfd(sys, 1);

    (void)state;
    assert_int_equal(sys_sleep_until(sys, INSTANT_PAST), 0);
    assert_int_equal(sys_poll(sys, NULL, 0, INSTANT_PAST), 0);
    assert_int_equal(sys_epoll_wait(sys, epoll, &event, 1, INSTANT_PAST), 0);
    assert_int_equal(sys_epoll_ctl(sys, epoll, EPOLL_CTL_ADD, fd, &event), 0);
    assert_int_equal(sys_epoll_wait(sys, epoll, &event, 1, INSTANT_NEVER), 1);
    assert_int_equal(event.data.u64, 5);
    assert_int_equal(sys_close(sys, fd), 0);
    assert_int_equal(sys_close(sys, epoll), 0);
}

/* The two ends of a veth have one kernel but not one world: a name that is taken in one is free in
 * the other, and the thread itself has not moved. */
static void sockets_are_born_in_their_space(void **state)
{
    struct rig *rig = rig_of(state);
    const struct sys sides[] = {rig_sys(rig), rig_far_sys(rig)};
    struct sockaddr_storage address;
    socklen_t length;

    assert_int_equal(peer_unix_address("edgewise-twice", &address, &length), 0);
    for (int i = 0; i < 2; i++) {
        int fd = rig_keep(rig, sys_socket(sides[i], AF_UNIX, SOCK_STREAM, 0));
        assert_int_equal(sys_bind(sides[i], fd, (struct sockaddr *)&address, length), 0);
        int again = rig_keep(rig, sys_socket(sides[i], AF_UNIX, SOCK_STREAM, 0));
        assert_int_equal(sys_bind(sides[i], again, (struct sockaddr *)&address, length),
                         -EADDRINUSE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors_are_nonblocking_and_close_on_exec),
        RIG_TEST(accepted_sockets_are_nonblocking_and_close_on_exec, LOOPBACK),
        cmocka_unit_test(errors_are_negative_errno),
        cmocka_unit_test(writing_to_nobody_raises_no_signal),
        RIG_TEST(sending_to_nobody_raises_no_signal, UNIX),
        cmocka_unit_test(a_waiting_signal_is_left_alone),
        cmocka_unit_test(waits_end_at_their_deadline_and_not_before),
        cmocka_unit_test(a_deadline_in_the_past_only_looks),
        RIG_TEST(sockets_are_born_in_their_space, VETH),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
