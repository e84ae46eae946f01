/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <netinet/in.h>
#include <string.h>

#include <cmocka.h>

/* When what one side did is at the other side, and where that can be seen from outside.
 * Lock-step leans on these: see harness/confirm.h. */

#define MANY 16 /* no more than a first window of segments */

static struct diag_tcp look(struct diag *diag, struct sys own_sys, int own, struct sys other_sys,
                            int other)
{
    struct sockaddr_storage local, remote;
    socklen_t length;
    struct diag_key key;
    struct diag_tcp tcp = {0};

    assert_int_equal(sys_getsockname(own_sys, own, &local, &length), 0);
    assert_int_equal(sys_getsockname(other_sys, other, &remote, &length), 0);
    assert_int_equal(diag_key_set(&key, (struct sockaddr *)&local, (struct sockaddr *)&remote,
                                  DIAG_ANY_COOKIE), 0);
    assert_int_equal(diag_tcp(diag, &key, true, &tcp), 1);
    return tcp;
}

static struct diag_tcp look_near(struct rig *rig, struct rig_pair pair)
{
    return look(rig_diag(rig), rig_sys(rig), pair.near, rig_far_sys(rig), pair.far);
}

static struct diag_tcp look_far(struct rig *rig, struct rig_pair pair)
{
    return look(rig_far_diag(rig), rig_far_sys(rig), pair.far, rig_sys(rig), pair.near);
}

/* E118: when a send returns, the bytes are in the receiver's queue. */
static void bytes_arrive_before_send_returns(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    for (int i = 1; i <= MANY; i++) {
        rig_send(rig, a.far, "x");
        assert_int_equal(sys_unread(rig_sys(rig), a.near), i);
    }
}

/* E118: so are a FIN and a RST when shutdown and close return. */
static void ends_arrive_before_the_call_returns(void **state)
{
    struct rig *rig = rig_of(state);

    for (int i = 0; i < 16; i++) {
        struct rig_pair a = rig_connect(rig);
        rig_fin(rig, a.far);
        assert_string_equal(rig_level(rig, a.near), "IN OUT RDHUP");
        rig_reset(rig, a.far);
        assert_string_equal(rig_level(rig, a.near), "IN OUT RDHUP ERR HUP");
        rig_close(rig, a.near);
    }
}

/* E119: the receiver's queue, from inside and from outside. */
static void diag_counts_unread_bytes(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_send(rig, a.far, "12345");
    assert_int_equal(look_near(rig, a).rqueue, 5);
    assert_string_equal(rig_reads(rig, a.near, 2, 1), "2");
    assert_int_equal(look_near(rig, a).rqueue, 3);
    assert_int_equal(sys_unread(rig_sys(rig), a.near), 3);
}

/* E120: a FIN counts 1 in diag's queue and in bytes_received, not in FIONREAD and bytes_sent. */
static void fin_counts_one(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_send(rig, a.far, "12345");
    rig_fin(rig, a.far);
    struct diag_tcp near = look_near(rig, a), far = look_far(rig, a);
    assert_int_equal(near.state, DIAG_CLOSE_WAIT);
    assert_int_equal(near.rqueue, 6);
    assert_int_equal(near.counters.bytes_received, 6);
    assert_int_equal(sys_unread(rig_sys(rig), a.near), 5);
    assert_int_equal(far.counters.bytes_sent, 5);
}

/* Once it is read, the FIN no longer counts in diag's queue, but goes on counting in
 * bytes_received. */
static void fin_that_was_read_counts_in_bytes_received_only(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_send(rig, a.far, "12345");
    rig_fin(rig, a.far);
    assert_string_equal(rig_reads(rig, a.near, 8, 2), "5 0");
    assert_int_equal(look_near(rig, a).rqueue, 0);
    assert_int_equal(look_near(rig, a).counters.bytes_received, 6);
}

/* E121, E125: into a reader that does not read, until the window is shut: what the application
 * sent is notsent + sent - retransmitted, and what arrived is sent - retransmitted. */
static void counters_add_up_behind_a_shut_window(void **state)
{
    static const char block[4096];
    struct rig *rig = rig_of(state);
    struct sys far = rig_far_sys(rig);
    uint64_t taken = 0;
    long result;

    assert_int_equal(sys_setsockopt(rig_sys(rig), rig_listener(rig), SOL_SOCKET, SO_RCVBUF,
                                    &(int){8192}, sizeof(int)), 0);
    struct rig_pair a = rig_connect(rig);
    struct diag_tcp tcp;
    struct instant limit = instant_add(sys_now(far), DURATION_MS(5000));
    do {
        while ((result = sys_send(far, a.far, block, sizeof(block), 0)) > 0)
            taken += (uint64_t)result;
        assert_int_equal(result, -EAGAIN);
        tcp = look_far(rig, a);
        assert_true(instant_before(sys_now(far), limit));
    } while (tcp.counters.unacked_segments > 0 || tcp.counters.snd_wnd_bytes > 0);
    uint64_t arrived = tcp.counters.bytes_sent - tcp.counters.bytes_retrans;
    assert_int_equal(tcp.counters.notsent_bytes + arrived, taken);
    assert_int_equal(look_near(rig, a).counters.bytes_received, arrived);
    assert_int_equal(sys_unread(rig_sys(rig), a.near), arrived);
}

/* E77: asked again, a connect says 0 once when it is over, then EISCONN. */
static void second_connect_tells_the_outcome(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys far = rig_far_sys(rig);
    socklen_t length;
    const struct sockaddr *address = (const struct sockaddr *)rig_address(rig, &length);

    int fd = rig_keep(rig, sys_socket(far, AF_INET, SOCK_STREAM, 0));
    assert_int_equal(sys_connect(far, fd, address, length), -EINPROGRESS);
    assert_int_equal(sys_connect(far, fd, address, length), 0);
    assert_int_equal(sys_connect(far, fd, address, length), -EISCONN);
}

/* E77: or why it was refused. */
static void second_connect_tells_a_refusal(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys far = rig_far_sys(rig);
    struct sockaddr_storage address;
    socklen_t length;

    address = *rig_address(rig, &length);
    ((struct sockaddr_in *)&address)->sin_port = htons(9);
    int fd = rig_keep(rig, sys_socket(far, AF_INET, SOCK_STREAM, 0));
    assert_int_equal(sys_connect(far, fd, (struct sockaddr *)&address, length), -EINPROGRESS);
    assert_int_equal(sys_connect(far, fd, (struct sockaddr *)&address, length), -ECONNREFUSED);
}

/* E79: backlog + 1 connections wait; the listener's own queue says so. */
static void listener_takes_one_more_than_its_backlog(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys far = rig_far_sys(rig);
    socklen_t length;
    const struct sockaddr *address = (const struct sockaddr *)rig_address(rig, &length);

    for (int i = 0; i < 9; i++)
        (void)rig_dial(rig);
    int fd = rig_keep(rig, sys_socket(far, AF_INET, SOCK_STREAM, 0));
    assert_int_equal(sys_connect(far, fd, address, length), -EINPROGRESS);
    assert_int_equal(sys_connect(far, fd, address, length), -EALREADY);
}

/* FIONREAD answers at the write end of a pipe, too, and after the reader has gone. */
static void pipe_counts_unread_bytes_at_its_write_end(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_send(rig, a.far, "12345");
    assert_int_equal(sys_unread(rig_sys(rig), a.far), 5);
    assert_string_equal(rig_reads(rig, a.near, 2, 1), "2");
    assert_int_equal(sys_unread(rig_sys(rig), a.far), 3);
    rig_close(rig, a.near);
    assert_int_equal(sys_unread(rig_sys(rig), a.far), 3);
}

/* UNIX diagnosis: our socket names its other side, whose queue counts bytes. */
static void unix_diag_counts_unread_bytes(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    struct diag_unix own, other;

    int far = rig_dial(rig);
    rig_send(rig, far, "12345");
    assert_int_equal(diag_unix(rig_diag(rig), (uint32_t)sys_inode(sys, far), &own), 1);
    assert_int_equal(own.peer_inode, 0);
    int near = rig_accept(rig);
    assert_int_equal(diag_unix(rig_diag(rig), (uint32_t)sys_inode(sys, far), &own), 1);
    assert_int_equal(own.peer_inode, sys_inode(sys, near));
    assert_int_equal(diag_unix(rig_diag(rig), own.peer_inode, &other), 1);
    assert_int_equal(other.rqueue, 5);
    rig_close(rig, near);
    assert_int_equal(diag_unix(rig_diag(rig), (uint32_t)sys_inode(sys, far), &own), 1);
    assert_int_equal(own.peer_inode, 0);
    assert_int_equal(own.shutdown, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT_STREAMS(bytes_arrive_before_send_returns),
        RIG_FACT_TCP(ends_arrive_before_the_call_returns),
        RIG_TEST_TCP(diag_counts_unread_bytes),
        RIG_TEST_TCP(fin_counts_one),
        RIG_TEST_TCP(fin_that_was_read_counts_in_bytes_received_only),
        RIG_TEST(counters_add_up_behind_a_shut_window, VETH),
        RIG_FACT_TCP(second_connect_tells_the_outcome),
        RIG_FACT_TCP(second_connect_tells_a_refusal),
        RIG_FACT_TCP(listener_takes_one_more_than_its_backlog),
        RIG_FACT(pipe_counts_unread_bytes_at_its_write_end, PIPE),
        RIG_TEST(unix_diag_counts_unread_bytes, UNIX),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
