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

/* Descriptors that keep counts or records rather than a stream. */

/* K12, E48: writes add up, one read takes all, a second one finds nothing. */
static void eventfd_adds_up(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    int fd = rig_keep(rig, sys_eventfd(sys, 0));
    uint64_t count = 1;

    rig_watch(rig, 'e', fd, EPOLLIN | EPOLLET);
    for (int i = 0; i < 5; i++)
        assert_int_equal(sys_write(sys, fd, &count, sizeof(count)), sizeof(count));
    assert_string_equal(rig_look(rig, 8), "e IN");
    assert_int_equal(sys_read(sys, fd, &count, sizeof(count)), sizeof(count));
    assert_int_equal(count, 5);
    assert_int_equal(sys_read(sys, fd, &count, sizeof(count)), -EAGAIN);
}

/* E48: a write to a count that is not zero is an edge again. */
static void eventfd_makes_an_edge_for_each_write(void **state)
{
    struct rig *rig = rig_of(state);
    int fd = rig_keep(rig, sys_eventfd(rig_sys(rig), 1));
    uint64_t one = 1;

    rig_watch(rig, 'e', fd, EPOLLIN | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "e IN");
    assert_string_equal(rig_look(rig, 8), "");
    assert_int_equal(sys_write(rig_sys(rig), fd, &one, sizeof(one)), sizeof(one));
    assert_string_equal(rig_look(rig, 8), "e IN");
}

/* A UDP socket on a free port of loopback, and one connected to it. */
static struct rig_pair udp_pair(struct rig *rig)
{
    struct sys sys = rig_sys(rig);
    struct sockaddr_in any = {
        .sin_family = AF_INET,
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    struct sockaddr_storage bound;
    socklen_t length;
    struct rig_pair pair = {
        .near = rig_keep(rig, sys_socket(sys, AF_INET, SOCK_DGRAM, 0)),
        .far = rig_keep(rig, sys_socket(sys, AF_INET, SOCK_DGRAM, 0)),
    };

    assert_int_equal(sys_bind(sys, pair.near, (struct sockaddr *)&any, sizeof(any)), 0);
    assert_int_equal(sys_getsockname(sys, pair.near, &bound, &length), 0);
    assert_int_equal(sys_connect(sys, pair.far, (struct sockaddr *)&bound, length), 0);
    return pair;
}

static void send_record(struct rig *rig, int fd, const char *text)
{
    assert_int_equal(sys_send(rig_sys(rig), fd, text, strlen(text), 0), strlen(text));
}

/* K9: an empty datagram reads as 0 and is no end; three may be one event. */
static void empty_datagram_is_a_record(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair udp = udp_pair(rig);

    rig_watch(rig, 'u', udp.near, EPOLLIN | EPOLLET);
    send_record(rig, udp.far, "");
    send_record(rig, udp.far, "12");
    send_record(rig, udp.far, "3");
    assert_string_equal(rig_look(rig, 8), "u IN");
    assert_string_equal(rig_reads(rig, udp.near, 8, 4), "0 2 1 EAGAIN");
}

/* K9, E76: a short buffer cuts a record; the rest is gone. MSG_TRUNC tells the whole length. */
static void short_buffer_cuts_a_datagram(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair udp = udp_pair(rig);
    char bytes[2];

    send_record(rig, udp.far, "12345");
    send_record(rig, udp.far, "678");
    assert_string_equal(rig_reads(rig, udp.near, 2, 1), "2");
    assert_int_equal(sys_recv(rig_sys(rig), udp.near, bytes, sizeof(bytes), MSG_TRUNC), 3);
    assert_string_equal(rig_reads(rig, udp.near, 8, 1), "EAGAIN");
}

/* E31: a datagram behind an unread one is an edge of its own. */
static void each_datagram_is_an_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair udp = udp_pair(rig);

    rig_watch(rig, 'u', udp.near, EPOLLIN | EPOLLET);
    send_record(rig, udp.far, "1");
    assert_string_equal(rig_look(rig, 8), "u IN");
    send_record(rig, udp.far, "2");
    assert_string_equal(rig_look(rig, 8), "u IN");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT(eventfd_adds_up, LOOPBACK),
        RIG_FACT(eventfd_makes_an_edge_for_each_write, LOOPBACK),
        RIG_FACT(empty_datagram_is_a_record, LOOPBACK),
        RIG_FACT(short_buffer_cuts_a_datagram, LOOPBACK),
        RIG_FACT(each_datagram_is_an_edge, LOOPBACK),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
