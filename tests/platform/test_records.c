/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

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

/* E97: the highest count has no room for more, and a write that does not fit changes nothing. */
static void eventfd_is_full_at_its_maximum(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    int fd = rig_keep(rig, sys_eventfd(sys, 0));
    uint64_t most = UINT64_MAX - 1, one = 1;

    assert_string_equal(rig_level(rig, fd), "OUT");
    assert_int_equal(sys_write(sys, fd, &most, sizeof(most)), sizeof(most));
    assert_string_equal(rig_level(rig, fd), "IN");
    assert_int_equal(sys_write(sys, fd, &one, sizeof(one)), -EAGAIN);
    assert_int_equal(sys_write(sys, fd, &one, 4), -EINVAL);
    assert_int_equal(sys_read(sys, fd, &one, 4), -EINVAL);
    assert_int_equal(sys_read(sys, fd, &one, sizeof(one)), sizeof(one));
    assert_true(one == most);
}

/* E48: a read is room for writers; a write of nothing is an edge of whatever is there. */
static void eventfd_wakes_writers_too(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    int fd = rig_keep(rig, sys_eventfd(sys, 1));
    uint64_t count = 0;

    rig_watch(rig, 'e', fd, EPOLLIN | EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "e IN OUT");
    assert_int_equal(sys_read(sys, fd, &count, sizeof(count)), sizeof(count));
    assert_string_equal(rig_look(rig, 8), "e OUT");
    count = 0;
    assert_int_equal(sys_write(sys, fd, &count, sizeof(count)), sizeof(count));
    assert_string_equal(rig_look(rig, 8), "e OUT");
}

/* Timers. */

static long expirations(struct rig *rig, int fd)
{
    uint64_t count = 0;
    long result = sys_read(rig_sys(rig), fd, &count, sizeof(count));

    return result < 0 ? result : (long)count;
}

/* E49: unread, a periodic timer is one edge, however many periods pass; a read counts them all. */
static void periodic_timer_is_one_edge_until_it_is_read(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    int fd = rig_keep(rig, sys_timerfd(sys));
    struct instant first = instant_add(sys_now(sys), DURATION_MS(2));

    rig_watch(rig, 't', fd, EPOLLIN | EPOLLET);
    assert_int_equal(sys_timerfd_set(sys, fd, first, DURATION_MS(2)), 0);
    assert_string_equal(rig_level(rig, fd), "");
    assert_int_equal(expirations(rig, fd), -EAGAIN);
    assert_int_equal(sys_sleep_until(sys, instant_add(first, DURATION_MS(7))), 0);
    assert_string_equal(rig_look(rig, 8), "t IN");
    assert_string_equal(rig_look(rig, 8), "");
    assert_string_equal(rig_level(rig, fd), "IN");
    assert_true(expirations(rig, fd) >= 4);
}

/* E50: setting drops what was not read; what is past fires at once. */
static void setting_a_timer_drops_what_was_not_read(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    int fd = rig_keep(rig, sys_timerfd(sys));

    rig_watch(rig, 't', fd, EPOLLIN | EPOLLET);
    assert_int_equal(sys_timerfd_set(sys, fd, (struct instant){1}, DURATION_ZERO), 0);
    struct pollfd entry = {.fd = fd, .events = POLLIN};
    assert_int_equal(sys_poll(sys, &entry, 1, INSTANT_NEVER), 1);
    assert_int_equal(sys_timerfd_set(sys, fd, INSTANT_NEVER, DURATION_ZERO), 0);
    assert_string_equal(rig_level(rig, fd), "");
    assert_string_equal(rig_look(rig, 8), "");
    assert_int_equal(expirations(rig, fd), -EAGAIN);
}

/* E20: an event that comes while somebody waits ends the wait. */
static void timer_ends_a_wait(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    int fd = rig_keep(rig, sys_timerfd(sys));
    struct instant first = instant_add(sys_now(sys), DURATION_MS(2));
    struct epoll_event event;

    rig_watch(rig, 't', fd, EPOLLIN);
    assert_int_equal(sys_timerfd_set(sys, fd, first, DURATION_ZERO), 0);
    assert_int_equal(sys_epoll_wait(sys, rig_epoll(rig), &event, 1, INSTANT_NEVER), 1);
    assert_false(instant_before(sys_now(sys), first));
    assert_int_equal(expirations(rig, fd), 1);
}

/* UDP. */

/* E46: a send is an edge of its sender's. */
static void each_datagram_sent_is_an_edge_of_its_sender(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair udp = udp_pair(rig);

    rig_watch(rig, 's', udp.far, EPOLLOUT | EPOLLET);
    rig_watch(rig, 'r', udp.near, EPOLLIN | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "s OUT");
    send_record(rig, udp.far, "1");
    assert_string_equal(rig_look(rig, 8), "s OUT, r IN");
}

/* E94: a refusal is told once, to a read or to a send, which then sends nothing. */
static void refused_datagram_is_told_once(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair udp = udp_pair(rig);

    rig_close(rig, udp.near);
    send_record(rig, udp.far, "1");
    assert_string_equal(rig_level(rig, udp.far), "OUT ERR");
    assert_string_equal(rig_reads(rig, udp.far, 1, 2), "ECONNREFUSED EAGAIN");
    assert_string_equal(rig_writes(rig, udp.far, 3), "1 ECONNREFUSED 1");
    assert_string_equal(rig_so_error(rig, udp.far), "ECONNREFUSED");
    assert_string_equal(rig_so_error(rig, udp.far), "0");
}

/* E95: shut for reading, a UDP socket is readable for ever, and gives nothing. */
static void shut_udp_is_readable_and_empty(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair udp = udp_pair(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), udp.far, SHUT_RD), 0);
    assert_string_equal(rig_level(rig, udp.far), "IN OUT RDHUP");
    assert_string_equal(rig_reads(rig, udp.far, 8, 2), "EAGAIN EAGAIN");
}

/* UNIX datagrams. */

static int local_socket(struct rig *rig, char name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {'\0', name}};
    int fd = rig_keep(rig, sys_socket(rig_sys(rig), AF_UNIX, SOCK_DGRAM, 0));

    assert_int_equal(sys_bind(rig_sys(rig), fd, (struct sockaddr *)&address,
                              offsetof(struct sockaddr_un, sun_path) + 2), 0);
    return fd;
}

static void connect_local(struct rig *rig, int fd, char name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {'\0', name}};

    assert_int_equal(sys_connect(rig_sys(rig), fd, (struct sockaddr *)&address,
                                 offsetof(struct sockaddr_un, sun_path) + 2), 0);
}

/* E47: a receiver that does not answer takes eleven; one edge when one of them was read. */
static void one_way_unix_datagrams_are_few(void **state)
{
    struct rig *rig = rig_of(state);
    int receiver = local_socket(rig, 'r'), sender = local_socket(rig, 's');

    connect_local(rig, sender, 'r');
    rig_watch(rig, 's', sender, EPOLLOUT | EPOLLET);
    for (int i = 0; i < 11; i++)
        assert_string_equal(rig_writes(rig, sender, 1), "1");
    assert_string_equal(rig_writes(rig, sender, 1), "EAGAIN");
    assert_string_equal(rig_level(rig, sender), "");
    assert_string_equal(rig_look(rig, 8), "");
    assert_string_equal(rig_reads(rig, receiver, 8, 1), "1");
    assert_string_equal(rig_look(rig, 8), "s OUT");
}

/* E47: connected both ways, only the sender's buffer is the limit. */
static void mutual_unix_datagrams_are_many(void **state)
{
    struct rig *rig = rig_of(state);
    int a = local_socket(rig, 'a'), b = local_socket(rig, 'b');
    int sent = 0, sndbuf = 0;
    socklen_t length = sizeof(sndbuf);

    connect_local(rig, a, 'b');
    connect_local(rig, b, 'a');
    while (sys_send(rig_sys(rig), a, "!", 1, 0) == 1)
        sent++;
    assert_int_equal(sys_getsockopt(rig_sys(rig), a, SOL_SOCKET, SO_SNDBUF, &sndbuf, &length), 0);
    assert_int_equal(sent, (sndbuf + 767) / 768);
}

/* E96: a receiver that was closed is refused once, then forgotten. */
static void closed_unix_receiver_is_told_once(void **state)
{
    struct rig *rig = rig_of(state);
    int receiver = local_socket(rig, 'r'), sender = local_socket(rig, 's');

    connect_local(rig, sender, 'r');
    rig_close(rig, receiver);
    assert_string_equal(rig_level(rig, sender), "OUT");
    assert_string_equal(rig_writes(rig, sender, 2), "ECONNREFUSED ENOTCONN");
}

/* A UNIX datagram that could not be sent looks like room to its sender. */
static void unsent_unix_datagram_is_an_edge_of_its_sender(void **state)
{
    struct rig *rig = rig_of(state);
    int sender = local_socket(rig, 's');

    rig_watch(rig, 's', sender, EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "s OUT");
    assert_string_equal(rig_writes(rig, sender, 1), "ENOTCONN");
    assert_string_equal(rig_look(rig, 8), "s OUT");
}

/* A UDP socket has a port from its first send on, even one that had nowhere to go. */
static void vain_send_binds_a_udp_socket(void **state)
{
    struct rig *rig = rig_of(state);
    int fd = rig_keep(rig, sys_socket(rig_sys(rig), AF_INET, SOCK_DGRAM, 0));
    struct sockaddr_in any = {
        .sin_family = AF_INET,
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };

    assert_string_equal(rig_writes(rig, fd, 1), "EDESTADDRREQ");
    assert_int_equal(sys_bind(rig_sys(rig), fd, (struct sockaddr *)&any, sizeof(any)), -EINVAL);
}

/* A UNIX socket that is connected anew loses what its old peer sent, who hears of it if it was
 * connected back. */
static void unix_datagrams_are_lost_by_a_new_connect(void **state)
{
    struct rig *rig = rig_of(state);
    int a = local_socket(rig, 'a'), b = local_socket(rig, 'b');

    (void)local_socket(rig, 'c');
    connect_local(rig, a, 'b');
    connect_local(rig, b, 'a');
    assert_string_equal(rig_writes(rig, a, 1), "1");
    connect_local(rig, b, 'c');
    assert_string_equal(rig_reads(rig, b, 8, 1), "EAGAIN");
    assert_string_equal(rig_level(rig, a), "OUT ERR");
    assert_string_equal(rig_writes(rig, a, 2), "ECONNRESET EPERM");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT(eventfd_adds_up, LOOPBACK),
        RIG_FACT(eventfd_makes_an_edge_for_each_write, LOOPBACK),
        RIG_FACT(empty_datagram_is_a_record, LOOPBACK),
        RIG_FACT(short_buffer_cuts_a_datagram, LOOPBACK),
        RIG_FACT(each_datagram_is_an_edge, LOOPBACK),
        RIG_FACT(eventfd_is_full_at_its_maximum, LOOPBACK),
        RIG_FACT(eventfd_wakes_writers_too, LOOPBACK),
        RIG_FACT(periodic_timer_is_one_edge_until_it_is_read, LOOPBACK),
        RIG_FACT(setting_a_timer_drops_what_was_not_read, LOOPBACK),
        RIG_FACT(timer_ends_a_wait, LOOPBACK),
        RIG_FACT(each_datagram_sent_is_an_edge_of_its_sender, LOOPBACK),
        RIG_FACT(refused_datagram_is_told_once, LOOPBACK),
        RIG_FACT(shut_udp_is_readable_and_empty, LOOPBACK),
        RIG_FACT(one_way_unix_datagrams_are_few, LOOPBACK),
        RIG_FACT(mutual_unix_datagrams_are_many, LOOPBACK),
        RIG_FACT(closed_unix_receiver_is_told_once, LOOPBACK),
        RIG_FACT(unsent_unix_datagram_is_an_edge_of_its_sender, LOOPBACK),
        RIG_FACT(vain_send_binds_a_udp_socket, LOOPBACK),
        RIG_FACT(unix_datagrams_are_lost_by_a_new_connect, LOOPBACK),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
