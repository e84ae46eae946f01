/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

/* What is in an interest list, and how it gets in and out. The reactor's "delete the entry, then
 * close" leans on these. */

static int control(struct rig *rig, int op, int fd, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.u64 = '?'};

    return sys_epoll_ctl(rig_sys(rig), rig_epoll(rig), op, fd, &event);
}

/* E1, E2: what each call refuses. */
static void control_refuses(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct sys sys = rig_sys(rig);
    struct epoll_event event;
    int closed = rig_keep(rig, sys_dup(sys, a.near));

    rig_close(rig, closed);
    assert_int_equal(control(rig, EPOLL_CTL_ADD, closed, EPOLLIN), -EBADF);
    assert_int_equal(control(rig, EPOLL_CTL_MOD, closed, EPOLLIN), -EBADF);
    assert_int_equal(control(rig, EPOLL_CTL_DEL, closed, 0), -EBADF);
    assert_int_equal(control(rig, EPOLL_CTL_MOD, a.near, EPOLLIN), -ENOENT);
    assert_int_equal(control(rig, EPOLL_CTL_DEL, a.near, 0), -ENOENT);
    assert_int_equal(control(rig, EPOLL_CTL_ADD, a.near, EPOLLIN), 0);
    assert_int_equal(control(rig, EPOLL_CTL_ADD, a.near, EPOLLIN), -EEXIST);
    assert_int_equal(control(rig, EPOLL_CTL_ADD, rig_epoll(rig), EPOLLIN), -EINVAL);
    event.events = EPOLLIN;
    assert_int_equal(sys_epoll_ctl(sys, a.near, EPOLL_CTL_ADD, a.near, &event), -EINVAL);
    assert_int_equal(sys_epoll_wait(sys, a.near, &event, 1, INSTANT_PAST), -EINVAL);
    assert_int_equal(sys_epoll_wait(sys, closed, &event, 1, INSTANT_PAST), -EBADF);
}

/* E3: the way out when a number was closed before its entry: the description back under it. */
static void duplicate_under_the_old_number_can_be_deleted(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    int copy = rig_keep(rig, sys_dup(rig_sys(rig), a.near));

    rig_watch(rig, 'a', a.near, EPOLLIN);
    rig_send(rig, a.far, "1");
    rig_close(rig, a.near);
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_int_equal(rig_keep(rig, sys_dup_onto(rig_sys(rig), copy, a.near)), a.near);
    assert_int_equal(control(rig, EPOLL_CTL_DEL, a.near, 0), 0);
    assert_string_equal(rig_look(rig, 8), "");
}

/* E4: a number that is given to another description is closed before. */
static void dup_onto_a_number_drops_its_entry(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    rig_watch(rig, 'a', a.near, EPOLLIN);
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    assert_int_equal(sys_dup_onto(rig_sys(rig), b.near, a.near), a.near);
    assert_string_equal(rig_look(rig, 8), "");
    assert_int_equal(control(rig, EPOLL_CTL_DEL, a.near, 0), -ENOENT);
}

/* E5: a stale entry and a new one live side by side under one number. */
static void reused_number_is_a_new_key(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);
    int copy = rig_keep(rig, sys_dup(rig_sys(rig), a.near));

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    assert_int_equal(sys_dup_onto(rig_sys(rig), b.near, a.near), a.near);
    rig_watch(rig, 'b', a.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    assert_string_equal(rig_look(rig, 8), "a IN, b IN");
    assert_int_equal(control(rig, EPOLL_CTL_DEL, a.near, 0), 0);
    assert_string_equal(rig_reads(rig, copy, 8, 1), "1");
    rig_send(rig, a.far, "1");
    rig_send(rig, b.far, "1");
    assert_string_equal(rig_look(rig, 8), "a IN");
}

/* E22: each epoll that watches hears it. */
static void two_epolls_hear_one_wake(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET}, heard;
    int other = rig_keep(rig, sys_epoll_create(rig_sys(rig)));

    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    assert_int_equal(sys_epoll_ctl(rig_sys(rig), other, EPOLL_CTL_ADD, a.near, &event), 0);
    rig_send(rig, a.far, "1");
    assert_string_equal(rig_look(rig, 8), "a IN");
    assert_int_equal(sys_epoll_wait(rig_sys(rig), other, &heard, 1, INSTANT_PAST), 1);
    assert_int_equal(heard.events, EPOLLIN);
}

/* E3: an epoll that is closed takes its entries along. */
static void closed_epoll_leaves_nothing(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct epoll_event event = {.events = EPOLLIN};
    int other = rig_keep(rig, sys_epoll_create(rig_sys(rig)));

    assert_int_equal(sys_epoll_ctl(rig_sys(rig), other, EPOLL_CTL_ADD, a.near, &event), 0);
    rig_close(rig, other);
    rig_send(rig, a.far, "1");
    other = rig_keep(rig, sys_epoll_create(rig_sys(rig)));
    assert_int_equal(sys_epoll_ctl(rig_sys(rig), other, EPOLL_CTL_ADD, a.near, &event), 0);
    assert_int_equal(sys_epoll_wait(rig_sys(rig), other, &event, 1, INSTANT_PAST), 1);
}

/* E9: four epolls may be below one another in a fifth, and none in itself. */
static void epolls_nest_four_deep(void **state)
{
    struct rig *rig = rig_of(state);
    struct epoll_event event = {.events = EPOLLIN};
    int epolls[6];

    for (int i = 0; i < 6; i++)
        epolls[i] = rig_keep(rig, sys_epoll_create(rig_sys(rig)));
    for (int i = 0; i < 5; i++)
        assert_int_equal(sys_epoll_ctl(rig_sys(rig), epolls[i], EPOLL_CTL_ADD, epolls[i + 1],
                                       &event), i < 4 ? 0 : -ELOOP);
    assert_int_equal(sys_epoll_ctl(rig_sys(rig), epolls[4], EPOLL_CTL_ADD, epolls[1], &event),
                     -ELOOP);
}

/* E35: an epoll is readable while one of its entries is; looking does not use an edge up. */
static void outer_epoll_tells_of_an_inner_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    int inner = rig_keep(rig, sys_epoll_create(rig_sys(rig)));

    assert_int_equal(sys_epoll_ctl(rig_sys(rig), inner, EPOLL_CTL_ADD, a.near, &event), 0);
    rig_watch(rig, 'l', inner, EPOLLIN);
    rig_send(rig, a.far, "1");
    assert_string_equal(rig_look(rig, 8), "l IN");
    assert_string_equal(rig_look(rig, 8), "l IN");
    rig_rewatch(rig, 'e', inner, EPOLLIN | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "e IN");
    assert_string_equal(rig_look(rig, 8), "");
    rig_send(rig, a.far, "2");
    assert_string_equal(rig_look(rig, 8), "e IN");
    assert_int_equal(sys_epoll_wait(rig_sys(rig), inner, &event, 1, INSTANT_PAST), 1);
    assert_string_equal(rig_level(rig, inner), "");
}

/* E18, E23: exclusive entries are told last, the first added first, and cannot be changed. */
static void exclusive_entries_are_told_last(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    int fds[4] = {a.near};

    for (int i = 0; i < 4; i++) {
        if (i > 0)
            fds[i] = rig_keep(rig, sys_dup(rig_sys(rig), a.near));
        rig_watch(rig, (char)('1' + i), fds[i],
                  EPOLLIN | EPOLLET | (i % 3 == 0 ? EPOLLEXCLUSIVE : 0));
    }
    rig_send(rig, a.far, "x");
    assert_string_equal(rig_look(rig, 8), "3 IN, 2 IN, 1 IN, 4 IN");
    assert_int_equal(control(rig, EPOLL_CTL_MOD, fds[0], EPOLLIN), -EINVAL);
    assert_int_equal(control(rig, EPOLL_CTL_MOD, fds[1], EPOLLIN | EPOLLEXCLUSIVE), -EINVAL);
    assert_int_equal(control(rig, EPOLL_CTL_DEL, fds[0], 0), 0);
    assert_int_equal(control(rig, EPOLL_CTL_ADD, fds[0],
                             EPOLLIN | EPOLLRDHUP | EPOLLEXCLUSIVE), -EINVAL);
    assert_int_equal(control(rig, EPOLL_CTL_ADD, rig_keep(rig, sys_epoll_create(rig_sys(rig))),
                             EPOLLIN | EPOLLEXCLUSIVE), -EINVAL);
}

/* E26, E27: a wait ends at its deadline, not before. */
static void wait_is_never_early(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    struct epoll_event event;
    struct instant deadline = instant_add(sys_now(sys), DURATION_MS(3));

    assert_int_equal(sys_epoll_wait(sys, rig_epoll(rig), &event, 1, deadline), 0);
    assert_false(instant_before(sys_now(sys), deadline));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT_STREAMS(control_refuses),
        RIG_FACT_STREAMS(duplicate_under_the_old_number_can_be_deleted),
        RIG_FACT_STREAMS(dup_onto_a_number_drops_its_entry),
        RIG_FACT_STREAMS(reused_number_is_a_new_key),
        RIG_FACT_STREAMS(two_epolls_hear_one_wake),
        RIG_FACT_STREAMS(closed_epoll_leaves_nothing),
        RIG_FACT(epolls_nest_four_deep, LOOPBACK),
        RIG_FACT_STREAMS(outer_epoll_tells_of_an_inner_edge),
        RIG_FACT_STREAMS(exclusive_entries_are_told_last),
        RIG_FACT(wait_is_never_early, LOOPBACK),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
