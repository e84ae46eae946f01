/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/rig.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

/* What a stream says after each kind of end: poll, then reads, sends and SO_ERROR, each on a
 * connection of its own. The reader's rule "data, then one error, then nothing" leans on these. */

typedef void act_fn(struct rig *rig, struct rig_pair pair);

struct fact {
    const char *name;
    act_fn *act;
    const char *level;
    const char *reads; /* four */
    const char *level_after;
    const char *writes; /* three */
    const char *so_error;
};

#define ROW "%s: level %s, reads %s, then level %s, writes %s, SO_ERROR %s"

static void check_fact(struct rig *rig, const struct fact *fact)
{
    struct rig_pair pairs[3];

    for (int i = 0; i < 3; i++) {
        pairs[i] = rig_connect(rig);
        fact->act(rig, pairs[i]);
    }
    const char *level = rig_level(rig, pairs[0].near);
    const char *reads = rig_reads(rig, pairs[0].near, 8, 4);
    char expected[256], actual[256];
    (void)snprintf(expected, sizeof(expected), ROW, fact->name, fact->level, fact->reads,
                   fact->level_after, fact->writes, fact->so_error);
    (void)snprintf(actual, sizeof(actual), ROW, fact->name, level, reads,
                   rig_level(rig, pairs[0].near), rig_writes(rig, pairs[1].near, 3),
                   rig_so_error(rig, pairs[2].near));
    assert_string_equal(actual, expected);
}

#define CHECK_FACTS(rig, facts)                                          \
    do {                                                                 \
        for (size_t i = 0; i < sizeof(facts) / sizeof((facts)[0]); i++)  \
            check_fact((rig), &(facts)[i]);                              \
    } while (0)

/* What the far end does, or the near one. */

static void nothing(struct rig *rig, struct rig_pair pair)
{
    (void)rig;
    (void)pair;
}

static void five(struct rig *rig, struct rig_pair pair)
{
    rig_send(rig, pair.far, "12345");
}

static void fin(struct rig *rig, struct rig_pair pair)
{
    rig_fin(rig, pair.far);
}

static void five_fin(struct rig *rig, struct rig_pair pair)
{
    five(rig, pair);
    fin(rig, pair);
}

static void rst(struct rig *rig, struct rig_pair pair)
{
    rig_reset(rig, pair.far);
}

static void five_rst(struct rig *rig, struct rig_pair pair)
{
    five(rig, pair);
    rst(rig, pair);
}

static void fin_rst(struct rig *rig, struct rig_pair pair)
{
    fin(rig, pair);
    rst(rig, pair);
}

static void five_fin_rst(struct rig *rig, struct rig_pair pair)
{
    five_fin(rig, pair);
    rst(rig, pair);
}

static void closed(struct rig *rig, struct rig_pair pair)
{
    rig_close(rig, pair.far);
}

static void five_closed(struct rig *rig, struct rig_pair pair)
{
    five(rig, pair);
    closed(rig, pair);
}

/* The far end closes and our data unread. */
static void unread_closed(struct rig *rig, struct rig_pair pair)
{
    (void)rig_writes(rig, pair.near, 1);
    closed(rig, pair);
}

static void five_unread_closed(struct rig *rig, struct rig_pair pair)
{
    five(rig, pair);
    unread_closed(rig, pair);
}

static void rst_taken(struct rig *rig, struct rig_pair pair)
{
    rst(rig, pair);
    (void)rig_so_error(rig, pair.near);
}

static void fin_both_ways(struct rig *rig, struct rig_pair pair)
{
    fin(rig, pair);
    assert_int_equal(sys_shutdown(rig_sys(rig), pair.near, SHUT_WR), 0);
}

static void five_own_read_shut(struct rig *rig, struct rig_pair pair)
{
    five(rig, pair);
    assert_int_equal(sys_shutdown(rig_sys(rig), pair.near, SHUT_RD), 0);
}

static void far_read_shut(struct rig *rig, struct rig_pair pair)
{
    assert_int_equal(sys_shutdown(rig_far_sys(rig), pair.far, SHUT_RD), 0);
}

static void tcp_tells_each_end(void **state)
{
#define ENDED "IN OUT RDHUP HUP"
#define FAILED "IN OUT RDHUP ERR HUP"
    static const struct fact facts[] = {
        { "E56 established", nothing,
          "OUT", "EAGAIN EAGAIN EAGAIN EAGAIN", "OUT", "1 1 1", "0" },
        { "E56 five bytes", five,
          "IN OUT", "5 EAGAIN EAGAIN EAGAIN", "OUT", "1 1 1", "0" },
        { "E57 FIN", fin,
          "IN OUT RDHUP", "0 0 0 0", "IN OUT RDHUP", "1 1 1", "0" },
        { "E57 five bytes, FIN", five_fin,
          "IN OUT RDHUP", "5 0 0 0", "IN OUT RDHUP", "1 1 1", "0" },
        { "E58 close", closed,
          "IN OUT RDHUP", "0 0 0 0", "IN OUT RDHUP", "1 EPIPE EPIPE", "0" },
        { "E58 five bytes, close", five_closed,
          "IN OUT RDHUP", "5 0 0 0", "IN OUT RDHUP", "1 EPIPE EPIPE", "0" },
        { "E60 five bytes, own shutdown of reading", five_own_read_shut,
          "IN OUT RDHUP", "5 0 0 0", "IN OUT RDHUP", "1 1 1", "0" },
        { "E62 FIN both ways", fin_both_ways,
          ENDED, "0 0 0 0", ENDED, "EPIPE EPIPE EPIPE", "0" },
        { "E63 RST", rst,
          FAILED, "ECONNRESET 0 0 0", ENDED, "ECONNRESET EPIPE EPIPE", "ECONNRESET" },
        { "E64 five bytes, RST", five_rst,
          FAILED, "5 ECONNRESET 0 0", ENDED, "ECONNRESET EPIPE EPIPE", "ECONNRESET" },
        { "E65 FIN, RST", fin_rst,
          FAILED, "0 0 0 0", FAILED, "EPIPE EPIPE EPIPE", "EPIPE" },
        { "E66 five bytes, FIN, RST", five_fin_rst,
          FAILED, "5 0 0 0", FAILED, "EPIPE EPIPE EPIPE", "EPIPE" },
        { "E67 close over our unread byte", unread_closed,
          FAILED, "ECONNRESET 0 0 0", ENDED, "ECONNRESET EPIPE EPIPE", "ECONNRESET" },
        { "E67 five bytes, close over our unread byte", five_unread_closed,
          FAILED, "5 ECONNRESET 0 0", ENDED, "ECONNRESET EPIPE EPIPE", "ECONNRESET" },
        { "E68 RST, its error taken", rst_taken,
          ENDED, "0 0 0 0", ENDED, "EPIPE EPIPE EPIPE", "0" },
        { "E88 far shutdown of reading is local", far_read_shut,
          "OUT", "EAGAIN EAGAIN EAGAIN EAGAIN", "OUT", "1 1 1", "0" },
    };
    struct rig *rig = rig_of(state);

    CHECK_FACTS(rig, facts);
}

static void unix_tells_each_end(void **state)
{
    static const struct fact facts[] = {
        { "E88 far shutdown of writing", five_fin,
          "IN OUT RDHUP", "5 0 0 0", "IN OUT RDHUP", "1 1 1", "0" },
        { "E88 far shutdown of reading", far_read_shut,
          "OUT", "EAGAIN EAGAIN EAGAIN EAGAIN", "OUT", "EPIPE EPIPE EPIPE", "0" },
        { "E88 own shutdown of reading", five_own_read_shut,
          "IN OUT RDHUP", "5 0 0 0", "IN OUT RDHUP", "1 1 1", "0" },
        { "E86 close", closed,
          ENDED, "0 0 0 0", ENDED, "EPIPE EPIPE EPIPE", "0" },
        { "E86 five bytes, close", five_closed,
          ENDED, "5 0 0 0", ENDED, "EPIPE EPIPE EPIPE", "0" },
        { "E87 close over our unread byte", unread_closed,
          FAILED, "ECONNRESET 0 0 0", ENDED, "EPIPE EPIPE EPIPE", "ECONNRESET" },
        { "E87, K5 five bytes, close over our unread byte", five_unread_closed,
          FAILED, "5 ECONNRESET 0 0", ENDED, "EPIPE EPIPE EPIPE", "ECONNRESET" },
    };
    struct rig *rig = rig_of(state);

    CHECK_FACTS(rig, facts);
}

/* E71: the error is given once, to whoever asks first, and a look ahead counts. */
static void reset_is_told_once(void **state)
{
    struct rig *rig = rig_of(state);
    char byte;

    for (int first = 0; first < 4; first++) {
        struct rig_pair a = rig_connect(rig);
        rig_reset(rig, a.far);
        if (first == 0)
            assert_string_equal(rig_so_error(rig, a.near), "ECONNRESET");
        else if (first == 1)
            assert_string_equal(rig_reads(rig, a.near, 1, 1), "ECONNRESET");
        else if (first == 2)
            assert_string_equal(rig_writes(rig, a.near, 1), "ECONNRESET");
        else
            assert_int_equal(sys_recv(rig_sys(rig), a.near, &byte, 1, MSG_PEEK), -ECONNRESET);
        assert_string_equal(rig_so_error(rig, a.near), "0");
        assert_string_equal(rig_reads(rig, a.near, 1, 2), "0 0");
        assert_string_equal(rig_writes(rig, a.near, 2), "EPIPE EPIPE");
        assert_string_equal(rig_level(rig, a.near), ENDED);
    }
}

/* E87: on a UNIX stream a send fails at once and leaves the error to others. */
static void unix_send_leaves_the_error(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    unread_closed(rig, a);
    assert_string_equal(rig_writes(rig, a.near, 1), "EPIPE");
    assert_string_equal(rig_reads(rig, a.near, 1, 2), "ECONNRESET 0");
}

/* E72, K5: a reset leaves what was received, to be read in any pieces, and counted by FIONREAD. */
static void reset_keeps_received_bytes(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    five_rst(rig, a);
    assert_int_equal(sys_unread(rig_sys(rig), a.near), 5);
    assert_string_equal(rig_reads(rig, a.near, 2, 1), "2");
    assert_int_equal(sys_unread(rig_sys(rig), a.near), 3);
    assert_string_equal(rig_reads(rig, a.near, 2, 4), "2 1 ECONNRESET 0");
}

/* E78: a connection that was reset before its accept is accepted all the same. */
static void reset_before_accept_stays_in_the_queue(void **state)
{
    struct rig *rig = rig_of(state);

    rig_reset(rig, rig_dial(rig));
    assert_string_equal(rig_level(rig, rig_listener(rig)), "IN");
    int near = rig_accept(rig);
    assert_true(near >= 0);
    assert_string_equal(rig_reads(rig, near, 1, 3), "ECONNRESET 0 0");
    assert_int_equal(rig_accept(rig), -EAGAIN);
}

/* E85: a UNIX connect is over at once, and data may be sent before the accept. */
static void unix_data_comes_before_the_accept(void **state)
{
    struct rig *rig = rig_of(state);

    rig_send(rig, rig_dial(rig), "12345");
    int near = rig_accept(rig);
    assert_true(near >= 0);
    assert_string_equal(rig_reads(rig, near, 8, 2), "5 EAGAIN");
}

/* E89: a UNIX stream is writable while a quarter of its buffer is free of skbs, and only then. */
static void unix_is_writable_up_to_a_quarter(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);
    int sndbuf = 0;
    socklen_t length = sizeof(sndbuf);

    assert_int_equal(sys_getsockopt(rig_sys(rig), a.near, SOL_SOCKET, SO_SNDBUF, &sndbuf,
                                    &length), 0);
    for (int i = 0; i < 1000000; i++) {
        long queued = sys_unacked(rig_sys(rig), a.near);
        bool writable = 4 * queued <= sndbuf;
        assert_string_equal(rig_level(rig, a.near), writable ? "OUT" : "");
        if (!writable)
            return;
        assert_string_equal(rig_writes(rig, a.near, 1), "1");
    }
    fail_msg("%s", "it never was full");
}

/* E90: a pipe whose writer is gone says HUP, with IN only while bytes are left. */
static void pipe_tells_its_end(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    assert_string_equal(rig_level(rig, a.near), "");
    five(rig, a);
    assert_string_equal(rig_level(rig, a.near), "IN");
    rig_fin(rig, a.far);
    assert_string_equal(rig_level(rig, a.near), "IN HUP");
    assert_string_equal(rig_reads(rig, a.near, 8, 3), "5 0 0");
    assert_string_equal(rig_level(rig, a.near), "HUP");
}

/* E91: and whose reader is gone ERR; a write fails without a signal. */
static void pipe_tells_a_gone_reader(void **state)
{
    struct rig *rig = rig_of(state);
    struct rig_pair a = rig_connect(rig);

    rig_close(rig, a.near);
    assert_string_equal(rig_level(rig, a.far), "OUT ERR");
    assert_string_equal(rig_writes(rig, a.far, 1), "EPIPE");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_FACT_TCP(tcp_tells_each_end),
        RIG_FACT(unix_tells_each_end, UNIX),
        RIG_FACT_TCP(reset_is_told_once),
        RIG_FACT(unix_send_leaves_the_error, UNIX),
        RIG_FACT_TCP(reset_keeps_received_bytes),
        RIG_FACT_TCP(reset_before_accept_stays_in_the_queue),
        RIG_FACT(unix_data_comes_before_the_accept, UNIX),
        RIG_FACT(unix_is_writable_up_to_a_quarter, UNIX),
        RIG_FACT(pipe_tells_its_end, PIPE),
        RIG_FACT(pipe_tells_a_gone_reader, PIPE),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
