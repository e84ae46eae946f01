/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cmocka.h>

/* What a TCP socket says in each state that is not an end: before a connection, while it is made,
 * when our own side is shut, and after it was dissolved. */

/* A socket in some state; a fresh one for each call. */
typedef int make_fn(struct rig *rig);

struct fact {
    const char *name;
    make_fn *make;
    const char *level;
    const char *reads; /* four */
    const char *level_after;
    const char *writes; /* three */
    const char *so_error;
};

#define ROW "%s: level %s, reads %s, then level %s, writes %s, SO_ERROR %s"

static void check_fact(struct rig *rig, const struct fact *fact)
{
    char expected[256], actual[256];
    int read = fact->make(rig), written = fact->make(rig), asked = fact->make(rig);
    const char *level = rig_level(rig, read);
    const char *reads = rig_reads(rig, read, 8, 4);

    (void)snprintf(expected, sizeof(expected), ROW, fact->name, fact->level, fact->reads,
                   fact->level_after, fact->writes, fact->so_error);
    (void)snprintf(actual, sizeof(actual), ROW, fact->name, level, reads, rig_level(rig, read),
                   rig_writes(rig, written, 3), rig_so_error(rig, asked));
    assert_string_equal(actual, expected);
}

static int fresh(struct rig *rig)
{
    return rig_keep(rig, sys_socket(rig_sys(rig), AF_INET, SOCK_STREAM, 0));
}

/* A listener on a port that the kernel chooses; where it is. */
static int listener(struct rig *rig, int backlog, struct sockaddr_storage *ret_address,
                    socklen_t *ret_length)
{
    struct sockaddr_in any = {
        .sin_family = AF_INET,
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    int fd = fresh(rig);

    assert_int_equal(sys_bind(rig_sys(rig), fd, (struct sockaddr *)&any, sizeof(any)), 0);
    assert_int_equal(sys_listen(rig_sys(rig), fd, backlog), 0);
    assert_int_equal(sys_getsockname(rig_sys(rig), fd, ret_address, ret_length), 0);
    return fd;
}

/* A connect that has been begun. */
static int call(struct rig *rig, const struct sockaddr_storage *address, socklen_t length)
{
    int fd = fresh(rig);

    assert_int_equal(sys_connect(rig_sys(rig), fd, (const struct sockaddr *)address, length),
                     -EINPROGRESS);
    return fd;
}

static int idle_listener(struct rig *rig)
{
    struct sockaddr_storage address;
    socklen_t length;

    return listener(rig, 8, &address, &length);
}

static int listener_with_one(struct rig *rig)
{
    struct sockaddr_storage address;
    socklen_t length;
    int fd = listener(rig, 8, &address, &length);

    (void)call(rig, &address, length);
    return fd;
}

static int shut_listener(struct rig *rig)
{
    int fd = idle_listener(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), fd, SHUT_RDWR), 0);
    return fd;
}

/* The listener's queue is full, so nobody answers (E79). */
static int connecting(struct rig *rig)
{
    struct sockaddr_storage address;
    socklen_t length;

    (void)listener(rig, 0, &address, &length);
    (void)call(rig, &address, length);
    return call(rig, &address, length);
}

static int refused(struct rig *rig)
{
    struct sockaddr_storage address;
    socklen_t length;
    int gone = listener(rig, 0, &address, &length);

    rig_close(rig, gone);
    return call(rig, &address, length);
}

static int own_fin(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_WR), 0);
    return a.near;
}

static int own_fin_then_five(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_WR), 0);
    rig_send(rig, a.far, "12345");
    return a.near;
}

static int read_shut_then_five(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_RD), 0);
    rig_send(rig, a.far, "12345");
    return a.near;
}

static int both_shut(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_RDWR), 0);
    return a.near;
}

static int five_both_shut(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);

    rig_send(rig, a.far, "12345");
    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_RDWR), 0);
    return a.near;
}

static int own_fin_then_rst(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_WR), 0);
    rig_reset(rig, a.far);
    return a.near;
}

/* The far end is gone, and answers what we send with a reset. */
static int sent_into_closed(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);

    rig_close(rig, a.far);
    assert_string_equal(rig_writes(rig, a.near, 1), "1");
    return a.near;
}

static int dissolved(struct rig *rig)
{
    struct rig_pair a = rig_connect(rig);
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};

    assert_int_equal(sys_connect(rig_sys(rig), a.near, &nobody, sizeof(nobody)), 0);
    return a.near;
}

static void tcp_tells_each_state(void **state)
{
#define NO_READS "ENOTCONN ENOTCONN ENOTCONN ENOTCONN"
#define NO_BYTES "EAGAIN EAGAIN EAGAIN EAGAIN"
#define NO_SENDS "EPIPE EPIPE EPIPE"
#define ENDED    "IN OUT RDHUP HUP"
#define FAILED   "IN OUT RDHUP ERR HUP"
    static const struct fact facts[] = {
        { "E51 never connected", fresh, "OUT HUP", NO_READS, "OUT HUP", NO_SENDS, "0" },
        { "E52 listening", idle_listener, "", NO_READS, "", NO_SENDS, "0" },
        { "E52 listening, one waits", listener_with_one, "IN", NO_READS, "IN", NO_SENDS, "0" },
        { "E53 listener, shut", shut_listener, "OUT HUP", NO_READS, "OUT HUP", NO_SENDS, "0" },
        { "E54 connecting", connecting, "", NO_BYTES, "", "EAGAIN EAGAIN EAGAIN", "0" },
        { "E55 refused", refused,
          FAILED, "ECONNREFUSED 0 0 0", ENDED, "ECONNREFUSED EPIPE EPIPE", "ECONNREFUSED" },
        { "E59 own FIN", own_fin, "OUT", NO_BYTES, "OUT", NO_SENDS, "0" },
        { "E59 own FIN, then five bytes", own_fin_then_five,
          "IN OUT", "5 EAGAIN EAGAIN EAGAIN", "OUT", NO_SENDS, "0" },
        { "E60 own shutdown of reading, then five bytes", read_shut_then_five,
          "IN OUT RDHUP", "5 0 0 0", "IN OUT RDHUP", "1 1 1", "0" },
        { "E61 own shutdown of both", both_shut, ENDED, "0 0 0 0", ENDED, NO_SENDS, "0" },
        { "E61 five bytes, own shutdown of both", five_both_shut,
          ENDED, "5 0 0 0", ENDED, NO_SENDS, "0" },
        { "E63 own FIN, then RST", own_fin_then_rst,
          FAILED, "ECONNRESET 0 0 0", ENDED, "ECONNRESET EPIPE EPIPE", "ECONNRESET" },
        { "E65 a byte sent to a closed end", sent_into_closed,
          FAILED, "0 0 0 0", FAILED, NO_SENDS, "EPIPE" },
        { "E69 dissolved", dissolved,
          "OUT ERR HUP", "ECONNRESET ENOTCONN ENOTCONN ENOTCONN", "OUT HUP",
          "ECONNRESET EPIPE EPIPE", "ECONNRESET" },
    };
    struct rig *rig = rig_of(state);

    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        check_fact(rig, &facts[i]);
}

/* E74: shutting what is not connected is refused; shutting twice is not. */
static void shutdown_needs_a_connection(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct sys sys = rig_sys(rig);

    assert_int_equal(sys_shutdown(sys, fresh(rig), SHUT_WR), -ENOTCONN);
    assert_int_equal(sys_shutdown(sys, a.near, SHUT_WR), 0);
    assert_int_equal(sys_shutdown(sys, a.near, SHUT_WR), 0);
    rig_reset(rig, a.far);
    assert_int_equal(sys_shutdown(sys, a.near, SHUT_WR), -ENOTCONN);
}

/* E75: nothing asked for or given. */
static void empty_calls(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct sys sys = rig_sys(rig);
    char byte;

    assert_int_equal(sys_read(sys, a.near, &byte, 0), 0);
    assert_int_equal(sys_recv(sys, a.near, &byte, 0, 0), -EAGAIN);
    assert_int_equal(sys_send(sys, a.near, &byte, 0, 0), 0);
    assert_int_equal(sys_unread(rig_far_sys(rig), a.far), 0);
}

/* E77: a connect is one event, of room, or of every bit. */
static void connect_is_one_event(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    struct sockaddr_storage here, nowhere;
    socklen_t length;
    int ours = fresh(rig), lost = fresh(rig);
    int gone = listener(rig, 0, &nowhere, &length);

    (void)listener(rig, 8, &here, &length);
    rig_close(rig, gone);
    rig_watch(rig, 'o', ours, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
    rig_watch(rig, 'l', lost, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "o OUT HUP, l OUT HUP");
    assert_int_equal(sys_connect(sys, ours, (struct sockaddr *)&here, length), -EINPROGRESS);
    assert_int_equal(sys_connect(sys, lost, (struct sockaddr *)&nowhere, length), -EINPROGRESS);
    assert_string_equal(rig_look(rig, 8), "o OUT, l IN OUT RDHUP ERR HUP");
    assert_string_equal(rig_look(rig, 8), "");
}

/* E79: who found the queue full asks again after a second, though room came before. */
static void dropped_connect_asks_again_after_a_second(void **state)
{
    struct rig *rig = rig_of(state);
    struct sys sys = rig_sys(rig);
    struct sockaddr_storage address;
    socklen_t length;
    int fd = listener(rig, 0, &address, &length);
    struct instant begun = sys_now(sys);

    (void)call(rig, &address, length);
    int late = call(rig, &address, length);
    struct pollfd entry = {.fd = late, .events = POLLOUT};
    (void)rig_keep(rig, sys_accept(sys, fd));
    assert_string_equal(rig_level(rig, late), "");
    assert_int_equal(sys_poll(sys, &entry, 1, instant_add(begun, DURATION_MS(60000))), 1);
    assert_true(instant_since(sys_now(sys), begun).ns >= DURATION_MS(990).ns);
    assert_string_equal(rig_level(rig, late), "OUT");
    assert_true(rig_keep(rig, sys_accept(sys, fd)) >= 0);
}

/* Our end sends without anybody reading until it is full; how many bytes went. */
static size_t fill(struct rig *rig, int fd)
{
    static const char bytes[1000];
    size_t sent = 0;
    long result;

    while ((result = sys_send(rig_sys(rig), fd, bytes, sizeof(bytes), 0)) > 0)
        sent += (size_t)result;
    assert_int_equal(result, -EAGAIN);
    return sent;
}

static size_t drain(struct rig *rig, int fd)
{
    static char bytes[65536];
    size_t got = 0;
    long result;

    while ((result = sys_recv(rig_far_sys(rig), fd, bytes, sizeof(bytes), 0)) > 0)
        got += (size_t)result;
    return got;
}

/* Reads all that was sent, as it comes. */
static void drain_all(struct rig *rig, int far, size_t sent)
{
    struct instant limit = instant_add(sys_now(rig_far_sys(rig)), DURATION_MS(20000));
    size_t got = drain(rig, far);

    while (got < sent) {
        struct pollfd entry = {.fd = far, .events = POLLIN};
        assert_int_equal(sys_poll(rig_far_sys(rig), &entry, 1, limit), 1);
        got += drain(rig, far);
    }
    assert_int_equal(got, sent);
}

/* E38, E80: a sender that was told EAGAIN has no room, and one edge when it has again. */
static void room_is_one_edge_after_a_full_buffer(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_setsockopt(rig_sys(rig), a.near, SOL_SOCKET, SO_SNDBUF, &(int){20000},
                                    sizeof(int)), 0);
    rig_watch(rig, 'a', a.near, EPOLLOUT | EPOLLET);
    assert_string_equal(rig_look(rig, 8), "a OUT");
    size_t sent = fill(rig, a.near);
    assert_string_equal(rig_level(rig, a.near), "");
    assert_string_equal(rig_look(rig, 8), "");
    drain_all(rig, a.far, sent);
    struct pollfd entry = {.fd = a.near, .events = POLLOUT};
    assert_int_equal(sys_poll(rig_sys(rig), &entry, 1,
                              instant_add(sys_now(rig_sys(rig)), DURATION_MS(20000))), 1);
    assert_string_equal(rig_look(rig, 8), "a OUT");
    assert_string_equal(rig_look(rig, 8), "");
}

/* E80: with our own side shut there is nothing to wait for. */
static void own_fin_behind_a_full_buffer_is_writable(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_setsockopt(rig_sys(rig), a.near, SOL_SOCKET, SO_SNDBUF, &(int){20000},
                                    sizeof(int)), 0);
    (void)fill(rig, a.near);
    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_WR), 0);
    assert_string_equal(rig_level(rig, a.near), "OUT");
    assert_string_equal(rig_writes(rig, a.near, 1), "EPIPE");
}

/* E84: what a closed end had not sent yet arrives, then its FIN. */
static void closed_end_goes_on_sending(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    size_t sent = fill(rig, a.near);

    rig_close(rig, a.near);
    drain_all(rig, a.far, sent);
    struct pollfd entry = {.fd = a.far, .events = POLLRDHUP};
    assert_int_equal(sys_poll(rig_far_sys(rig), &entry, 1,
                              instant_add(sys_now(rig_far_sys(rig)), DURATION_MS(20000))), 1);
    assert_string_equal(rig_reads(rig, a.far, 8, 2), "0 0");
}

/* E36: a lower SO_RCVLOWAT is told as data, if there is enough now. */
static void lower_rcvlowat_is_an_edge(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct sys sys = rig_sys(rig);

    assert_int_equal(sys_setsockopt(sys, a.near, SOL_SOCKET, SO_RCVLOWAT, &(int){9},
                                    sizeof(int)), 0);
    rig_watch(rig, 'a', a.near, EPOLLIN | EPOLLET);
    rig_send(rig, a.far, "12345");
    assert_string_equal(rig_look(rig, 8), "");
    assert_int_equal(sys_setsockopt(sys, a.near, SOL_SOCKET, SO_RCVLOWAT, &(int){5},
                                    sizeof(int)), 0);
    assert_string_equal(rig_look(rig, 8), "a IN");
}

/* A connection that is over keeps no port that the kernel chose: another may be bound. */
static void lost_connection_can_be_bound(void **state)
{
    struct rig *rig = rig_of(state);
    struct sockaddr_in any = {
        .sin_family = AF_INET,
        .sin_addr = {htonl(INADDR_LOOPBACK)},
    };
    int fd = refused(rig);

    assert_int_equal(sys_bind(rig_sys(rig), fd, (struct sockaddr *)&any, sizeof(any)), 0);
    assert_int_equal(sys_bind(rig_sys(rig), fd, (struct sockaddr *)&any, sizeof(any)), -EINVAL);
}

/* E58, E98: what a reset answers is looked at before: its urgent byte is told. */
static void refused_urgent_byte_is_told(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    assert_int_equal(sys_shutdown(rig_sys(rig), a.near, SHUT_RDWR), 0);
    assert_int_equal(sys_send(rig_far_sys(rig), a.far, "!", 1, MSG_OOB), 1);
    assert_string_equal(rig_level(rig, a.near), "IN OUT RDHUP ERR HUP PRI");
    assert_string_equal(rig_so_error(rig, a.near), "ECONNRESET");
}

/* E98: an urgent byte is a level of its own, a stop for reads, and not counted. */
static void urgent_byte_stands_aside(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    struct sys sys = rig_sys(rig);
    char byte = 0;

    rig_watch(rig, 'a', a.near, EPOLLPRI | EPOLLET);
    assert_int_equal(sys_send(rig_far_sys(rig), a.far, "ab!", 3, MSG_OOB), 3);
    rig_send(rig, a.far, "cd");
    assert_string_equal(rig_look(rig, 8), "a PRI");
    assert_int_equal(sys_unread(sys, a.near), 2);
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "2");
    assert_int_equal(sys_recv(sys, a.near, &byte, 1, MSG_OOB), 1);
    assert_int_equal(byte, '!');
    assert_int_equal(sys_recv(sys, a.near, &byte, 1, MSG_OOB), -EINVAL);
    assert_string_equal(rig_reads(rig, a.near, 8, 2), "2 EAGAIN");
}

/* E98: alone, it is lost to a plain read; asked for in line, it is a byte. */
static void lone_urgent_byte_is_dropped_or_in_line(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig), b = rig_connect(rig);

    assert_int_equal(sys_setsockopt(rig_sys(rig), b.near, SOL_SOCKET, SO_OOBINLINE, &(int){1},
                                    sizeof(int)), 0);
    assert_int_equal(sys_send(rig_far_sys(rig), a.far, "!", 1, MSG_OOB), 1);
    assert_int_equal(sys_send(rig_far_sys(rig), b.far, "!", 1, MSG_OOB), 1);
    assert_string_equal(rig_level(rig, a.near), "OUT PRI");
    assert_string_equal(rig_reads(rig, a.near, 8, 1), "EAGAIN");
    assert_string_equal(rig_level(rig, a.near), "OUT");
    assert_string_equal(rig_reads(rig, b.near, 8, 1), "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT(tcp_tells_each_state, LOOPBACK),
        RIG_FACT_TCP(shutdown_needs_a_connection),
        RIG_FACT_TCP(empty_calls),
        RIG_FACT(connect_is_one_event, LOOPBACK),
        RIG_FACT(dropped_connect_asks_again_after_a_second, LOOPBACK),
        RIG_FACT_TCP(room_is_one_edge_after_a_full_buffer),
        RIG_FACT_TCP(own_fin_behind_a_full_buffer_is_writable),
        RIG_FACT_TCP(closed_end_goes_on_sending),
        RIG_FACT_TCP(lower_rcvlowat_is_an_edge),
        RIG_FACT(lost_connection_can_be_bound, LOOPBACK),
        RIG_FACT_TCP(refused_urgent_byte_is_told),
        RIG_FACT_TCP(urgent_byte_stands_aside),
        RIG_FACT_TCP(lone_urgent_byte_is_dropped_or_in_line),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
