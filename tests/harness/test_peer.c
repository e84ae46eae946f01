/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "netns/link.h"
#include "tests/support/rig.h"

static const struct plan_sockets plain;

static enum plan_family family_of(const struct rig *rig)
{
    static const enum plan_family families[RIG_GROUND_COUNT] = {
        [RIG_LOOPBACK] = PLAN_IPV4, [RIG_VETH] = PLAN_IPV4,
        [RIG_UNIX] = PLAN_UNIX, [RIG_PIPE] = PLAN_PIPE,
    };

    return families[rig_ground_of(rig)];
}

static struct peer idle_peer(struct rig *rig)
{
    struct peer peer;

    peer_open(&peer, rig_far_sys(rig), "c", family_of(rig), &plain);
    return peer;
}

static void connect_peer(struct rig *rig, struct peer *peer)
{
    socklen_t length;
    const struct sockaddr_storage *address = rig_address(rig, &length);

    assert_int_equal(peer_connect(peer, (const struct sockaddr *)address, length), 0);
}

/* An open peer, and the sut's end in *ret_near. */
static struct peer open_peer(struct rig *rig, int *ret_near)
{
    struct peer peer = idle_peer(rig);
    int ends[2];

    if (rig_ground_of(rig) == RIG_PIPE) {
        assert_int_equal(sys_pipe(rig_sys(rig), ends), 0);
        *ret_near = rig_keep(rig, ends[0]);
        assert_int_equal(peer_adopt(&peer, ends[1]), 0);
    } else {
        connect_peer(rig, &peer);
        *ret_near = rig_accept(rig);
        assert_true(*ret_near >= 0);
    }
    assert_int_equal(peer.state, PEER_OPEN);
    assert_true(peer.connected);
    return peer;
}

static void assert_received(const struct peer *peer, const char *text)
{
    assert_int_equal(peer->received.size, strlen(text));
    if (peer->received.size > 0)
        assert_memory_equal(peer->received.data, text, peer->received.size);
}

/* A block too large for any queue here. */
static void *big_block(size_t size)
{
    char *block = calloc(1, size);

    assert_non_null(block);
    return block;
}

static void connect_opens_at_once_and_knows_both_addresses(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer.near.ss_family, peer.far.ss_family);
    assert_int_equal(peer_push(&peer), 0);
    assert_false(peer_busy(&peer));
    peer_free(&peer);
    peer_free(&peer);
}

static void pushed_bytes_arrive_whole_and_in_order(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);
    char bytes[8];

    assert_int_equal(peer_queue(&peer, "abc", 3), 0);
    assert_int_equal(peer_queue(&peer, "", 0), 0);
    assert_int_equal(peer_queue(&peer, "de", 2), 0);
    assert_true(peer_busy(&peer));
    assert_int_equal(peer_unsent(&peer), 5);
    assert_int_equal(sys_unread(rig_sys(rig), near), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer_push(&peer), 0);
    assert_false(peer_busy(&peer));
    assert_int_equal(peer.bytes_taken, 5);
    assert_int_equal(sys_read(rig_sys(rig), near, bytes, sizeof(bytes)), 5);
    assert_memory_equal(bytes, "abcde", 5);
    peer_free(&peer);
}

static void ends_wait_for_the_bytes_before_them(void **state)
{
    const size_t size = 8U << 20;
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);
    char *block = big_block(size);
    size_t got = 0;
    long result;

    assert_int_equal(peer_queue(&peer, block, size), 0);
    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_WRITE), 0);
    assert_int_equal(peer_queue(&peer, "x", 1), -EPIPE);
    assert_int_equal(peer_push(&peer), 1);
    assert_true(peer.full);
    assert_int_equal(peer.state, PEER_OPEN);
    assert_true(peer_unsent(&peer) > 0);
    do {
        assert_true(peer_push(&peer) >= 0);
        result = sys_read(rig_sys(rig), near, block, size);
        assert_true(result >= 0 || result == -EAGAIN);
        got += result > 0 ? (size_t)result : 0;
    } while (result != 0);
    assert_int_equal(got, size);
    assert_int_equal(peer.bytes_taken, size);
    assert_int_equal(peer.state, PEER_SHUT);
    assert_false(peer_busy(&peer));
    free(block);
    peer_free(&peer);
}

static void close_ends_everything(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer_queue(&peer, "abc", 3), 0);
    assert_int_equal(peer_close(&peer), 0);
    assert_int_equal(peer_queue(&peer, "d", 1), -EBADF);
    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_WRITE), -EBADF);
    assert_int_equal(peer_close(&peer), -EBADF);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_CLOSED);
    assert_int_equal(peer.fd, -1);
    assert_string_equal(rig_reads(rig, near, 8, 2), "3 0");
    assert_int_equal(peer_close(&peer), -EBADF);
    assert_int_equal(peer_push(&peer), 0);
    assert_int_equal(peer_drain(&peer), 0);
    peer_free(&peer);
}

static void reset_does_not_wait(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer_queue(&peer, "abc", 3), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer_queue(&peer, "de", 2), 0);
    assert_int_equal(peer_reset(&peer), 0);
    assert_int_equal(peer.state, PEER_RESET);
    assert_int_equal(peer_unsent(&peer), 2);
    assert_false(peer_busy(&peer));
    assert_string_equal(rig_reads(rig, near, 8, 3), "3 ECONNRESET 0");
    assert_int_equal(peer_reset(&peer), -EBADF);
    assert_int_equal(peer_queue(&peer, "x", 1), -EBADF);
    peer_free(&peer);
}

static void reset_is_for_tcp(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer_reset(&peer), -EOPNOTSUPP);
    assert_int_equal(peer.state, PEER_OPEN);
    peer_free(&peer);
}

static void a_pipe_can_only_end_its_writing(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_READ), -EOPNOTSUPP);
    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_BOTH), -EOPNOTSUPP);
    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_WRITE), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_SHUT);
    assert_string_equal(rig_reads(rig, near, 8, 1), "0");
    assert_int_equal(peer_close(&peer), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_CLOSED);
    peer_free(&peer);
}

static void nothing_can_be_lined_up_before_connect(void **state)
{
    struct rig *rig = rig_of(state);
    struct peer peer = idle_peer(rig);

    assert_int_equal(peer_queue(&peer, "x", 1), -ENOTCONN);
    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_WRITE), -ENOTCONN);
    assert_int_equal(peer_reset(&peer), -ENOTCONN);
    assert_int_equal(peer_push(&peer), 0);
    assert_int_equal(peer_close(&peer), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_CLOSED);
    peer_free(&peer);
}

static void connect_wants_its_own_family_and_happens_once(void **state)
{
    struct rig *rig = rig_of(state);
    struct sockaddr_storage other;
    socklen_t length;
    struct peer peer = idle_peer(rig);

    assert_int_equal(peer_unix_address("x", &other, &length), 0);
    assert_int_equal(peer_connect(&peer, (struct sockaddr *)&other, length), -EAFNOSUPPORT);
    assert_int_equal(peer_adopt(&peer, rig_listener(rig)), -EAFNOSUPPORT);
    connect_peer(rig, &peer);
    assert_int_equal(peer_connect(&peer, (struct sockaddr *)&other, length), -EISCONN);
    assert_int_equal(peer_adopt(&peer, rig_listener(rig)), -EISCONN);
    peer_free(&peer);
}

/* The sut's end sees the address, before the peer says anything. */
static void a_peer_calls_from_the_address_that_it_was_given(void **state)
{
    struct rig *rig = rig_of(state);
    struct peer peer = idle_peer(rig);
    struct sockaddr_storage near = {0}, other, seen = {0};
    socklen_t length, other_length, seen_length = sizeof(seen);
    int fd;

    if (rig_ground_of(rig) == RIG_UNIX) {
        assert_int_equal(peer_unix_address("edgewise-test-caller", &near, &length), 0);
        assert_true(link_address(LINK_PEER, AF_INET, 7777, &other) > 0);
    } else {
        length = link_address(LINK_PEER, AF_INET, 7777, &near);
        assert_int_equal(peer_unix_address("x", &other, &other_length), 0);
    }
    assert_int_equal(peer_bind(&peer, (struct sockaddr *)&other, sizeof(struct sockaddr_in)),
                     -EAFNOSUPPORT);
    assert_int_equal(peer_bind(&peer, (struct sockaddr *)&near, length), 0);
    connect_peer(rig, &peer);
    assert_int_equal(peer_bind(&peer, (struct sockaddr *)&near, length), -EISCONN);
    fd = rig_accept(rig);
    assert_true(fd >= 0);
    assert_int_equal(getpeername(fd, (struct sockaddr *)&seen, &seen_length), 0);
    assert_int_equal(seen_length, length);
    assert_memory_equal(&seen, &near, length);
    assert_memory_equal(&peer.near, &near, length);
    peer_free(&peer);
}

static void an_address_that_cannot_be_had_names_the_call(void **state)
{
    struct rig *rig = rig_of(state);
    struct peer peer = idle_peer(rig);
    struct sockaddr_storage near;
    socklen_t length = link_address(LINK_SUT, AF_INET, 7777, &near); /* the other end's */
    socklen_t far_length;
    const struct sockaddr_storage *far = rig_address(rig, &far_length);
    char text[64];

    assert_int_equal(peer_bind(&peer, (struct sockaddr *)&near, length), 0);
    assert_int_equal(peer_connect(&peer, (const struct sockaddr *)far, far_length),
                     -EADDRNOTAVAIL);
    peer_explain(&peer, text, sizeof(text));
    assert_string_equal(text, "c bind: Cannot assign requested address");
    peer_free(&peer);
}

static void a_refusal_names_the_call(void **state)
{
    struct rig *rig = rig_of(state);
    struct peer peer = idle_peer(rig);
    struct sockaddr_storage address;
    socklen_t length;
    char text[64];

    peer_explain(&peer, text, sizeof(text));
    assert_string_equal(text, "");
    address = *rig_address(rig, &length);
    rig_close(rig, rig_listener(rig));
    assert_int_equal(peer_connect(&peer, (struct sockaddr *)&address, length), -ECONNREFUSED);
    assert_int_equal(peer.state, PEER_BROKEN);
    assert_false(peer.connected);
    peer_explain(&peer, text, sizeof(text));
    assert_string_equal(text, "c connect: Connection refused");
    assert_int_equal(peer_drain(&peer), 0);
    assert_int_equal(peer.saw, PLAN_SAW_NOTHING);
    assert_int_equal(peer_push(&peer), 0);
    peer_free(&peer);
}

static void a_bad_option_names_itself(void **state)
{
    const struct plan_sockets wrong = { .congestion = "no-such-algorithm" };
    struct rig *rig = rig_of(state);
    struct peer peer;
    socklen_t length;
    const struct sockaddr_storage *address = rig_address(rig, &length);
    char text[64];

    peer_open(&peer, rig_far_sys(rig), "c", PLAN_IPV4, &wrong);
    assert_int_equal(peer_connect(&peer, (const struct sockaddr *)address, length), -ENOENT);
    peer_explain(&peer, text, sizeof(text));
    assert_string_equal(text, "c TCP_CONGESTION: No such file or directory");
    peer_free(&peer);
}

static void drain_gets_bytes_and_sees_a_fin(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer_drain(&peer), 0);
    assert_int_equal(sys_write(rig_sys(rig), near, "hello", 5), 5);
    assert_int_equal(peer_drain(&peer), 1);
    assert_int_equal(sys_write(rig_sys(rig), near, "!", 1), 1);
    assert_int_equal(peer.saw, PLAN_SAW_NOTHING);
    rig_close(rig, near);
    assert_int_equal(peer_drain(&peer), 1);
    assert_int_equal(peer.saw, PLAN_SAW_FIN);
    assert_received(&peer, "hello!");
    assert_int_equal(peer_drain(&peer), 0);
    peer_free(&peer);
}

static void drain_keeps_large_streams(void **state)
{
    const size_t size = 1U << 20;
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);
    char *block = big_block(size);
    size_t sent = 0;

    memset(block, 'z', size);
    while (sent < size) {
        long result = sys_write(rig_sys(rig), near, block + sent, size - sent);
        assert_true(result > 0 || result == -EAGAIN);
        sent += result > 0 ? (size_t)result : 0;
        assert_true(peer_drain(&peer) >= 0);
    }
    rig_close(rig, near);
    while (peer.saw == PLAN_SAW_NOTHING)
        assert_true(peer_drain(&peer) >= 0);
    assert_int_equal(peer.received.size, size);
    assert_memory_equal(peer.received.data, block, size);
    free(block);
    peer_free(&peer);
}

/* The sut closes with a byte of ours unread. */
static void be_reset(struct rig *rig, struct peer *peer, int near)
{
    assert_int_equal(peer_queue(peer, "x", 1), 0);
    assert_int_equal(peer_push(peer), 1);
    rig_close(rig, near);
}

static void drain_sees_a_reset_behind_the_bytes(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(sys_write(rig_sys(rig), near, "hello", 5), 5);
    be_reset(rig, &peer, near);
    assert_int_equal(peer_drain(&peer), 1);
    assert_received(&peer, "hello");
    assert_int_equal(peer.saw, PLAN_SAW_RESET);
    assert_int_equal(peer.state, PEER_BROKEN);
    assert_int_equal(peer_queue(&peer, "y", 1), -EPIPE);
    assert_int_equal(peer_close(&peer), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_CLOSED);
    peer_free(&peer);
}

/* E71: the send takes the error, the read would say 0. */
static void a_reset_that_a_send_met_is_seen_all_the_same(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);
    char text[64];

    assert_int_equal(sys_write(rig_sys(rig), near, "hello", 5), 5);
    be_reset(rig, &peer, near);
    assert_int_equal(peer_queue(&peer, "yz", 2), 0);
    assert_int_equal(peer_push(&peer), -ECONNRESET);
    assert_int_equal(peer_push(&peer), 0);
    assert_false(peer_busy(&peer));
    assert_int_equal(peer_unsent(&peer), 2);
    peer_explain(&peer, text, sizeof(text));
    assert_string_equal(text, "c send: Connection reset by peer");
    assert_int_equal(peer_drain(&peer), 1);
    assert_received(&peer, "hello");
    assert_int_equal(peer.saw, PLAN_SAW_RESET);
    peer_free(&peer);
}

static void a_close_behind_bytes_that_failed_still_closes(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    be_reset(rig, &peer, near);
    assert_int_equal(peer_queue(&peer, "yz", 2), 0);
    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_WRITE), 0);
    assert_int_equal(peer_close(&peer), 0);
    assert_true(peer_push(&peer) < 0);
    assert_int_equal(peer.state, PEER_BROKEN);
    assert_true(peer_busy(&peer));
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_CLOSED);
    assert_int_equal(peer_unsent(&peer), 2);
    peer_free(&peer);
}

/* E60: after its own shutdown of reading an end means nothing. */
static void own_shutdown_of_reading_is_no_end(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer_shutdown(&peer, PLAN_HOW_READ), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_OPEN);
    assert_int_equal(peer_drain(&peer), 0);
    assert_int_equal(peer.saw, PLAN_SAW_NOTHING);
    assert_int_equal(peer_queue(&peer, "abc", 3), 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_string_equal(rig_reads(rig, near, 8, 1), "3");
    peer_free(&peer);
}

/* E85: a UNIX listener that is full makes the peer wait, and a push goes on. */
static void a_full_unix_listener_keeps_the_peer_connecting(void **state)
{
    struct rig *rig = rig_of(state);
    struct peer peer = idle_peer(rig);

    for (int i = 0; i < 9; i++)
        (void)rig_dial(rig);
    connect_peer(rig, &peer);
    assert_int_equal(peer.state, PEER_CONNECTING);
    assert_int_equal(peer_queue(&peer, "abc", 3), 0);
    assert_int_equal(peer_push(&peer), 0);
    assert_true(rig_accept(rig) >= 0);
    assert_int_equal(peer_push(&peer), 1);
    assert_int_equal(peer.state, PEER_OPEN);
    assert_int_equal(peer.bytes_taken, 3);
    peer_free(&peer);
}

static void options_are_set_and_told_as_the_kernel_has_them(void **state)
{
    const struct plan_sockets sockets = {.rcvbuf = 5000, .sndbuf = 6000};
    struct rig *rig = rig_of(state);
    struct peer peer;
    struct lines lines = {0};

    peer_open(&peer, rig_far_sys(rig), "c", PLAN_IPV4, &sockets);
    peer_options_tell(&peer, &lines);
    assert_int_equal(lines.count, 0);
    connect_peer(rig, &peer);
    peer_options_tell(&peer, &lines);
    assert_int_equal(lines.count, 1);
    assert_string_equal(lines.line[0], "c rcvbuf 10000 sndbuf 12000 reno nodelay");
    lines_free(&lines);
    peer_free(&peer);
}

static void unix_names_are_bounded(void **state)
{
    struct sockaddr_storage address;
    socklen_t length = 0;
    char name[109];

    (void)state;
    memset(name, 'n', sizeof(name));
    name[108] = '\0';
    assert_int_equal(peer_unix_address(name, &address, &length), -ENAMETOOLONG);
    assert_int_equal(peer_unix_address("", &address, &length), -EINVAL);
    assert_int_equal(length, 0);
    name[107] = '\0';
    assert_int_equal(peer_unix_address(name, &address, &length), 0);
    assert_int_equal(length, 2 + 108);
}

static void too_much_to_send_is_refused(void **state)
{
    struct rig *rig = rig_of(state);
    int near;
    struct peer peer = open_peer(rig, &near);

    assert_int_equal(peer_queue(&peer, "abc", 3), 0);
    assert_int_equal(peer_queue(&peer, "x", PEER_BYTES_MAX - 2), -ENOBUFS);
    assert_int_equal(peer_queue(&peer, "x", SIZE_MAX), -ENOBUFS);
    assert_int_equal(peer_unsent(&peer), 3);
    peer_free(&peer);
}

static void each_state_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(peer_state_name(PEER_IDLE), "idle");
    assert_string_equal(peer_state_name(PEER_CLOSED), "closed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_TEST_TCP(connect_opens_at_once_and_knows_both_addresses),
        RIG_TEST(connect_opens_at_once_and_knows_both_addresses, UNIX),
        RIG_TEST_STREAMS(pushed_bytes_arrive_whole_and_in_order),
        RIG_TEST_STREAMS(ends_wait_for_the_bytes_before_them),
        RIG_TEST_STREAMS(close_ends_everything),
        RIG_TEST_TCP(reset_does_not_wait),
        RIG_TEST(reset_is_for_tcp, UNIX),
        RIG_TEST(reset_is_for_tcp, PIPE),
        RIG_TEST(a_pipe_can_only_end_its_writing, PIPE),
        RIG_TEST_STREAMS(nothing_can_be_lined_up_before_connect),
        RIG_TEST(connect_wants_its_own_family_and_happens_once, LOOPBACK),
        RIG_TEST_TCP(a_refusal_names_the_call),
        RIG_TEST(a_refusal_names_the_call, UNIX),
        RIG_TEST(a_bad_option_names_itself, LOOPBACK),
        RIG_TEST_TCP(drain_gets_bytes_and_sees_a_fin),
        RIG_TEST(drain_gets_bytes_and_sees_a_fin, UNIX),
        RIG_TEST_TCP(drain_keeps_large_streams),
        RIG_TEST(drain_keeps_large_streams, UNIX),
        RIG_TEST_TCP(drain_sees_a_reset_behind_the_bytes),
        RIG_TEST(drain_sees_a_reset_behind_the_bytes, UNIX),
        RIG_TEST_TCP(a_reset_that_a_send_met_is_seen_all_the_same),
        RIG_TEST_STREAMS(a_close_behind_bytes_that_failed_still_closes),
        RIG_TEST_TCP(own_shutdown_of_reading_is_no_end),
        RIG_TEST(a_peer_calls_from_the_address_that_it_was_given, VETH),
        RIG_TEST(a_peer_calls_from_the_address_that_it_was_given, UNIX),
        RIG_TEST(an_address_that_cannot_be_had_names_the_call, VETH),
        RIG_TEST(a_full_unix_listener_keeps_the_peer_connecting, UNIX),
        RIG_TEST(options_are_set_and_told_as_the_kernel_has_them, VETH),
        cmocka_unit_test(unix_names_are_bounded),
        RIG_TEST(too_much_to_send_is_refused, UNIX),
        cmocka_unit_test(each_state_has_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
