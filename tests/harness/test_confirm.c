/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/confirm.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/rig.h"

/* One peer, its account, and the sut's end with what it has read. */
struct bench {
    struct rig *rig;
    struct peer peer;
    struct confirm confirm;
    int near;
    uint64_t sut_read;
};

static void open_peer(struct bench *bench, struct rig *rig, const struct plan_sockets *sockets)
{
    static const enum plan_family families[RIG_GROUND_COUNT] = {
        [RIG_LOOPBACK] = PLAN_IPV4, [RIG_VETH] = PLAN_IPV4,
        [RIG_UNIX] = PLAN_UNIX, [RIG_PIPE] = PLAN_PIPE,
    };

    *bench = (struct bench){.rig = rig, .near = -1};
    peer_open(&bench->peer, rig_far_sys(rig), "c", families[rig_ground_of(rig)], sockets);
    confirm_open(&bench->confirm, &bench->peer, rig_diag(rig), rig_far_diag(rig));
}

static int check(struct bench *bench)
{
    return confirm_check(&bench->confirm, bench->sut_read);
}

/* What the conductor does: push and look, until it is not pending, with a limit. */
static int settle(struct bench *bench)
{
    struct sys sys = rig_sys(bench->rig);
    struct instant limit = instant_add(sys_now(sys), DURATION_MS(5000));
    int answer;

    do {
        (void)peer_push(&bench->peer);
        answer = check(bench);
    } while (answer == CONFIRM_PENDING && instant_before(sys_now(sys), limit));
    return answer;
}

static void dial(struct bench *bench)
{
    socklen_t length;
    const struct sockaddr_storage *address = rig_address(bench->rig, &length);

    assert_int_equal(peer_connect(&bench->peer, (const struct sockaddr *)address, length), 0);
}

static void take(struct bench *bench)
{
    bench->near = rig_accept(bench->rig);
    assert_true(bench->near >= 0);
}

static void connect_bench(struct bench *bench)
{
    int ends[2];

    if (rig_ground_of(bench->rig) == RIG_PIPE) {
        assert_int_equal(sys_pipe(rig_sys(bench->rig), ends), 0);
        bench->near = rig_keep(bench->rig, ends[0]);
        assert_int_equal(peer_adopt(&bench->peer, ends[1]), 0);
    } else {
        dial(bench);
        take(bench);
    }
    assert_int_equal(check(bench), CONFIRM_DONE);
}

static void open_bench(struct bench *bench, void **state)
{
    static const struct plan_sockets plain;

    open_peer(bench, rig_of(state), &plain);
    connect_bench(bench);
}

/* A peer whose kernel buffer and the sut's are small. */
static void open_small_bench(struct bench *bench, void **state)
{
    static const struct plan_sockets small = {.sndbuf = 8192};
    struct rig *rig = rig_of(state);
    int rcvbuf = 8192;

    if (rig_ground_of(rig) == RIG_LOOPBACK || rig_ground_of(rig) == RIG_VETH)
        assert_int_equal(sys_setsockopt(rig_sys(rig), rig_listener(rig), SOL_SOCKET, SO_RCVBUF,
                                        &rcvbuf, sizeof(rcvbuf)), 0);
    open_peer(bench, rig, &small);
    connect_bench(bench);
}

static void send_text(struct bench *bench, const char *text)
{
    assert_int_equal(peer_queue(&bench->peer, text, strlen(text)), 0);
    assert_int_equal(peer_push(&bench->peer), 1);
}

static long sut_reads(struct bench *bench, size_t size)
{
    char bytes[4096];

    assert_true(size <= sizeof(bytes));
    long result = sys_read(rig_sys(bench->rig), bench->near, bytes, size);
    bench->sut_read += result > 0 ? (uint64_t)result : 0;
    return result;
}

static void assert_explains(const struct bench *bench, const char *expected)
{
    char text[160];

    confirm_explain(&bench->confirm, text, sizeof(text));
    assert_string_equal(text, expected);
}

static void an_idle_peer_is_done(void **state)
{
    static const struct plan_sockets plain;
    struct bench bench;

    open_peer(&bench, rig_of(state), &plain);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_explains(&bench, "c: nothing is missing");
    assert_int_equal(peer_close(&bench.peer), 0);
    assert_int_equal(check(&bench), CONFIRM_PENDING);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void a_connection_is_done_before_its_accept_and_keeps_its_cookie(void **state)
{
    static const struct plan_sockets plain;
    struct bench bench;

    open_peer(&bench, rig_of(state), &plain);
    dial(&bench);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_true(bench.confirm.cookie != DIAG_ANY_COOKIE);
    send_text(&bench, "12345");
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(bench.confirm.arrived, 5);
    peer_free(&bench.peer);
}

static void unix_bytes_are_done_before_the_accept(void **state)
{
    static const struct plan_sockets plain;
    struct bench bench;

    open_peer(&bench, rig_of(state), &plain);
    dial(&bench);
    send_text(&bench, "12345");
    assert_int_equal(check(&bench), CONFIRM_DONE);
    take(&bench);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void bytes_are_done_read_or_unread(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    send_text(&bench, "12345");
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(bench.confirm.arrived, 5);
    assert_int_equal(sut_reads(&bench, 2), 2);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    send_text(&bench, "67");
    assert_int_equal(sut_reads(&bench, 8), 5);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void bytes_that_were_not_pushed_are_pending(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    send_text(&bench, "12345");
    assert_int_equal(peer_queue(&bench.peer, "6789", 4), 0);
    assert_int_equal(check(&bench), CONFIRM_PENDING);
    assert_explains(&bench, "c: 5 of 9 bytes arrived; the sut's side is ESTABLISHED");
    assert_int_equal(peer_push(&bench.peer), 1);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void local_bytes_that_were_not_pushed_are_pending(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    assert_int_equal(peer_queue(&bench.peer, "6789", 4), 0);
    assert_int_equal(check(&bench), CONFIRM_PENDING);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void a_fin_is_done_with_and_without_unread_bytes(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    send_text(&bench, "12345");
    assert_int_equal(peer_shutdown(&bench.peer, PLAN_HOW_WRITE), 0);
    assert_int_equal(check(&bench), CONFIRM_PENDING);
    assert_int_equal(peer_push(&bench.peer), 1);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(sut_reads(&bench, 8), 5);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(sut_reads(&bench, 8), 0);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    rig_close(bench.rig, bench.near);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void a_fin_behind_the_suts_own_is_done(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    assert_int_equal(sys_shutdown(rig_sys(bench.rig), bench.near, SHUT_WR), 0);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    send_text(&bench, "12345");
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(peer_shutdown(&bench.peer, PLAN_HOW_WRITE), 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    assert_int_equal(bench.confirm.seen, DIAG_TIME_WAIT);
    peer_free(&bench.peer);
}

static void a_close_is_done(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    send_text(&bench, "12345");
    assert_int_equal(peer_close(&bench.peer), 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    assert_int_equal(sut_reads(&bench, 8), 5);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void a_close_over_unread_bytes_is_done(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    assert_string_equal(rig_writes(bench.rig, bench.near, 1), "1");
    assert_int_equal(peer_close(&bench.peer), 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    assert_string_equal(rig_reads(bench.rig, bench.near, 8, 1), "ECONNRESET");
    peer_free(&bench.peer);
}

static void a_reset_is_done_when_the_cookie_is_gone(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    send_text(&bench, "12345");
    assert_int_equal(check(&bench), CONFIRM_DONE);
    bench.peer.state = PEER_RESET; /* as if its RST were under way */
    assert_int_equal(check(&bench), CONFIRM_PENDING);
    assert_explains(&bench, "c: still to come is its reset; the sut's side is ESTABLISHED");
    bench.peer.state = PEER_OPEN;
    assert_int_equal(peer_reset(&bench.peer), 0);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(bench.confirm.seen, 0);
    peer_free(&bench.peer);
}

static void a_reset_before_the_accept_is_done(void **state)
{
    static const struct plan_sockets plain;
    struct bench bench;

    open_peer(&bench, rig_of(state), &plain);
    dial(&bench);
    assert_int_equal(peer_reset(&bench.peer), 0);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    take(&bench);
    assert_int_equal(sut_reads(&bench, 1), -ECONNRESET);
    peer_free(&bench.peer);
}

/* The sut has closed: whatever the peer does next is answered by a RST, and that is an end. */
static void a_sut_that_closed_is_done(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    send_text(&bench, "12345");
    assert_int_equal(sut_reads(&bench, 8), 5);
    rig_close(bench.rig, bench.near);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(peer_queue(&bench.peer, "6", 1), 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    assert_int_equal(peer_queue(&bench.peer, "7", 1),
                     bench.peer.state == PEER_BROKEN ? -EPIPE : 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    assert_int_equal(bench.peer.state, PEER_BROKEN);
    assert_int_equal(peer_close(&bench.peer), 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void a_sut_that_closed_over_unread_bytes_is_done(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    send_text(&bench, "12345");
    rig_close(bench.rig, bench.near);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    assert_int_equal(peer_close(&bench.peer), 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void a_fin_to_a_sut_that_closed_is_done(void **state)
{
    struct bench bench;

    open_bench(&bench, state);
    rig_close(bench.rig, bench.near);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    assert_int_equal(peer_close(&bench.peer), 0);
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

/* Queues more than both kernels hold, so that the sender ends up blocked. */
static void block_sender(struct bench *bench, size_t size)
{
    char *block = calloc(1, size);

    assert_non_null(block);
    assert_int_equal(peer_queue(&bench->peer, block, size), 0);
    free(block);
    assert_int_equal(settle(bench), CONFIRM_BLOCKED);
    assert_true(peer_unsent(&bench->peer) > 0);
}

/* Whatever the sut reads, the answer is blocked again or done, and all arrives in the end. */
static void a_blocked_sender_is_told_from_a_slow_one(void **state)
{
    const size_t size = 256 << 10;
    struct bench bench;

    open_small_bench(&bench, state);
    block_sender(&bench, size);
    assert_int_equal(peer_shutdown(&bench.peer, PLAN_HOW_WRITE), 0);
    assert_int_equal(settle(&bench), CONFIRM_BLOCKED);
    int answer;
    do {
        while (sut_reads(&bench, 4096) > 0)
            continue;
        answer = settle(&bench);
        assert_true(answer == CONFIRM_DONE || answer == CONFIRM_BLOCKED);
    } while (answer == CONFIRM_BLOCKED);
    while (sut_reads(&bench, 4096) > 0)
        continue;
    assert_int_equal(bench.sut_read, size);
    assert_int_equal(bench.peer.state, PEER_SHUT);
    peer_free(&bench.peer);
}

/* Longer than the persist timer, which fills a window that is small but not shut, can take. */
static void a_blocked_sender_sends_nothing_by_itself(void **state)
{
    struct bench bench;
    struct epoll_event event;

    open_small_bench(&bench, state);
    block_sender(&bench, 256 << 10);
    uint64_t arrived = bench.confirm.arrived;
    rig_watch(bench.rig, 'a', bench.near, EPOLLIN | EPOLLET);
    assert_string_equal(rig_look(bench.rig, 8), "a IN");
    struct sys sys = rig_sys(bench.rig);
    struct instant limit = instant_add(sys_now(sys), DURATION_MS(250));
    assert_int_equal(sys_epoll_wait(sys, rig_epoll(bench.rig), &event, 1, limit), 0);
    assert_int_equal(settle(&bench), CONFIRM_BLOCKED);
    assert_int_equal(bench.confirm.arrived, arrived);
    peer_free(&bench.peer);
}

/* Closed by its program, the sender's kernel still holds bytes: diagnosis asks it from outside. */
static void a_blocked_sender_that_closed_is_blocked(void **state)
{
    struct bench bench;

    open_small_bench(&bench, state);
    block_sender(&bench, 64 << 10);
    bench.peer.queue.taken = bench.peer.queue.size; /* what the kernel has is enough */
    assert_int_equal(peer_close(&bench.peer), 0);
    assert_int_equal(peer_push(&bench.peer), 1);
    assert_int_equal(settle(&bench), CONFIRM_BLOCKED);
    while (sut_reads(&bench, 4096) != 0 && settle(&bench) != CONFIRM_DONE)
        continue;
    assert_int_equal(settle(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

/* E79, E85: the sut has to accept before anything goes on. */
static void a_full_listener_blocks_a_connect(void **state)
{
    static const struct plan_sockets plain;
    struct bench bench;

    open_peer(&bench, rig_of(state), &plain);
    for (int i = 0; i < 9; i++)
        (void)rig_dial(bench.rig);
    dial(&bench);
    assert_int_equal(check(&bench), CONFIRM_BLOCKED);
    assert_int_equal(bench.peer.state, PEER_CONNECTING);
    peer_free(&bench.peer);
}

/* A listener on another port, whose queue is full. */
static void fill_other_listener(struct rig *rig)
{
    struct sockaddr_storage address;
    socklen_t length;

    address = *rig_address(rig, &length);
    ((struct sockaddr_in *)&address)->sin_port = htons(8);
    int other = rig_keep(rig, sys_socket(rig_sys(rig), AF_INET, SOCK_STREAM, 0));
    assert_int_equal(sys_bind(rig_sys(rig), other, (struct sockaddr *)&address, length), 0);
    assert_int_equal(sys_listen(rig_sys(rig), other, 0), 0);
    int waiting = rig_keep(rig, sys_socket(rig_far_sys(rig), AF_INET, SOCK_STREAM, 0));
    assert_int_equal(sys_connect(rig_far_sys(rig), waiting, (struct sockaddr *)&address, length),
                     -EINPROGRESS);
}

/* Only the listener that the peer connects to counts, and only when it is full. */
static void a_slow_connect_is_pending(void **state)
{
    static const struct plan_sockets plain;
    struct bench bench;

    open_peer(&bench, rig_of(state), &plain);
    fill_other_listener(bench.rig);
    dial(&bench);
    bench.peer.state = PEER_CONNECTING; /* as if the answer were under way */
    assert_int_equal(check(&bench), CONFIRM_PENDING);
    assert_explains(&bench, "c: still to come is the connection; the sut's side is ESTABLISHED");
    peer_free(&bench.peer);
}

static void a_refused_connect_is_done(void **state)
{
    static const struct plan_sockets plain;
    struct bench bench;
    struct sockaddr_storage address;
    socklen_t length;

    open_peer(&bench, rig_of(state), &plain);
    address = *rig_address(bench.rig, &length);
    rig_close(bench.rig, rig_listener(bench.rig));
    assert_int_equal(peer_connect(&bench.peer, (struct sockaddr *)&address, length),
                     -ECONNREFUSED);
    assert_int_equal(check(&bench), CONFIRM_DONE);
    peer_free(&bench.peer);
}

static void reading_of_other_peers_does_not_matter(void **state)
{
    static const struct plan_sockets plain;
    struct bench a, b;

    open_bench(&a, state);
    open_peer(&b, a.rig, &plain);
    connect_bench(&b);
    send_text(&a, "12345");
    send_text(&b, "1");
    assert_int_equal(check(&a), CONFIRM_DONE);
    assert_int_equal(check(&b), CONFIRM_DONE);
    assert_int_equal(a.confirm.arrived, 5);
    assert_int_equal(b.confirm.arrived, 1);
    peer_free(&a.peer);
    peer_free(&b.peer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RIG_TEST_STREAMS(an_idle_peer_is_done),
        RIG_TEST_TCP(a_connection_is_done_before_its_accept_and_keeps_its_cookie),
        RIG_TEST(unix_bytes_are_done_before_the_accept, UNIX),
        RIG_TEST_STREAMS(bytes_are_done_read_or_unread),
        RIG_TEST_TCP(bytes_that_were_not_pushed_are_pending),
        RIG_TEST(local_bytes_that_were_not_pushed_are_pending, UNIX),
        RIG_TEST(local_bytes_that_were_not_pushed_are_pending, PIPE),
        RIG_TEST_STREAMS(a_fin_is_done_with_and_without_unread_bytes),
        RIG_TEST_TCP(a_fin_behind_the_suts_own_is_done),
        RIG_TEST_STREAMS(a_close_is_done),
        RIG_TEST_TCP(a_close_over_unread_bytes_is_done),
        RIG_TEST(a_close_over_unread_bytes_is_done, UNIX),
        RIG_TEST_TCP(a_reset_is_done_when_the_cookie_is_gone),
        RIG_TEST_TCP(a_reset_before_the_accept_is_done),
        RIG_TEST_STREAMS(a_sut_that_closed_is_done),
        RIG_TEST_STREAMS(a_sut_that_closed_over_unread_bytes_is_done),
        RIG_TEST_STREAMS(a_fin_to_a_sut_that_closed_is_done),
        RIG_TEST(a_blocked_sender_is_told_from_a_slow_one, VETH),
        RIG_TEST(a_blocked_sender_is_told_from_a_slow_one, UNIX),
        RIG_TEST(a_blocked_sender_is_told_from_a_slow_one, PIPE),
        RIG_TEST(a_blocked_sender_sends_nothing_by_itself, VETH),
        RIG_TEST(a_blocked_sender_that_closed_is_blocked, VETH),
        RIG_TEST_TCP(a_full_listener_blocks_a_connect),
        RIG_TEST(a_full_listener_blocks_a_connect, UNIX),
        RIG_TEST_TCP(a_slow_connect_is_pending),
        RIG_TEST_TCP(a_refused_connect_is_done),
        RIG_TEST_STREAMS(reading_of_other_peers_does_not_matter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
