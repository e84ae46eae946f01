/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/confirm.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <netinet/in.h>
#include <stdio.h>
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

    *bench = (struct bench){ .rig = rig, .near = -1 };
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
    static const struct plan_sockets small = { .sndbuf = 8192 };
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

/* Closed by its program, the sender's kernel still holds bytes: its counters are asked from outside. */
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

/* The judgement alone, on views that a real kernel shows only for an instant. */

struct sight {
    const char *name;
    enum peer_state state;
    uint64_t taken;
    size_t unsent;
    unsigned ends;
    enum diag_state sut; /* 0: none */
    uint64_t received;
    struct diag_counters sender;
    bool full;
    bool listener_is_full;
    enum confirm_answer answer;
    enum confirm_missing missing;
};

#define NEEDS(word) CONFIRM_PENDING, CONFIRM_MISSING_##word
#define BLOCKS(word) CONFIRM_BLOCKED, CONFIRM_MISSING_##word
#define IS_DONE CONFIRM_DONE, CONFIRM_MISSING_NOTHING
#define SHUT_WINDOW { .bytes_sent = 7, .bytes_retrans = 2, .notsent_bytes = 4 }

static const struct sight sights[] = {
    { "connecting", PEER_CONNECTING, 0, 0, 0, 0, 0, { 0 }, false, false, NEEDS(CONNECT) },
    { "connecting, accepted by the kernel only", PEER_CONNECTING, 0, 0, 0, DIAG_ESTABLISHED, 0,
      { 0 }, false, false, NEEDS(CONNECT) },
    { "connecting to a full listener", PEER_CONNECTING, 0, 0, 0, 0, 0, { 0 }, false, true,
      BLOCKS(CONNECT) },
    { "half open", PEER_OPEN, 0, 0, 0, DIAG_SYN_RECV, 0, { 0 }, false, false, NEEDS(CONNECT) },
    { "half open, as a request", PEER_OPEN, 0, 0, 0, DIAG_NEW_SYN_RECV, 0, { 0 }, false, false,
      NEEDS(CONNECT) },
    { "half open, listener full", PEER_OPEN, 5, 0, 0, DIAG_SYN_RECV, 0, { 0 }, false, true,
      BLOCKS(CONNECT) },
    { "open", PEER_OPEN, 0, 0, 0, DIAG_ESTABLISHED, 0, { 0 }, false, false, IS_DONE },
    { "all arrived", PEER_OPEN, 5, 0, 0, DIAG_ESTABLISHED, 5, { 0 }, false, false, IS_DONE },
    { "bytes under way", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5,
      { .bytes_sent = 9, .unacked_segments = 1 }, false, false, NEEDS(BYTES) },
    { "window shut", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5, SHUT_WINDOW, true, false,
      BLOCKS(BYTES) },
    { "window shut, more lined up", PEER_OPEN, 9, 3, 0, DIAG_ESTABLISHED, 5, SHUT_WINDOW, true,
      false, BLOCKS(BYTES) },
    { "window shut behind a retransmission under way", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 4,
      SHUT_WINDOW, true, false, NEEDS(BYTES) },
    { "small window", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5,
      { .bytes_sent = 5, .notsent_bytes = 4, .snd_wnd_bytes = 1 }, true, false, NEEDS(BYTES) },
    { "window shut, acknowledgement under way", PEER_OPEN, 9, 0, 0, DIAG_ESTABLISHED, 5,
      { .bytes_sent = 5, .notsent_bytes = 4, .unacked_segments = 1 }, false, false,
      NEEDS(BYTES) },
    { "kernel full, acknowledgement under way", PEER_OPEN, 5, 4, 0, DIAG_ESTABLISHED, 5,
      { .bytes_sent = 5, .unacked_segments = 1 }, true, false, NEEDS(ACK) },
    { "not pushed", PEER_OPEN, 5, 4, 0, DIAG_ESTABLISHED, 5, { .bytes_sent = 5 }, false, false,
      NEEDS(BYTES) },
    { "end not pushed", PEER_OPEN, 5, 0, PEER_END_WRITE, DIAG_ESTABLISHED, 5, { 0 }, false, false,
      NEEDS(END) },
    { "FIN under way", PEER_SHUT, 5, 0, 0, DIAG_ESTABLISHED, 5, { .unacked_segments = 1 }, false,
      false, NEEDS(END) },
    { "FIN of a close under way", PEER_CLOSED, 5, 0, 0, DIAG_FIN_WAIT2, 5,
      { .unacked_segments = 1 }, false, false, NEEDS(END) },
    { "FIN behind a shut window", PEER_SHUT, 5, 0, 0, DIAG_ESTABLISHED, 5,
      { .bytes_sent = 5, .notsent_bytes = 1 }, false, false, BLOCKS(END) },
    { "FIN arrived", PEER_SHUT, 5, 0, 0, DIAG_CLOSE_WAIT, 6, { 0 }, false, false, IS_DONE },
    { "FIN arrived, the sut ends too", PEER_SHUT, 5, 0, 0, DIAG_LAST_ACK, 6, { 0 }, false, false,
      IS_DONE },
    { "FINs crossed", PEER_CLOSED, 5, 0, 0, DIAG_CLOSING, 6, { 0 }, false, false, IS_DONE },
    { "FIN behind the sut's own", PEER_CLOSED, 5, 0, 0, DIAG_TIME_WAIT, 6, { 0 }, false, false,
      IS_DONE },
    { "the sut's side gone", PEER_OPEN, 5, 0, 0, 0, 0, { 0 }, false, false, IS_DONE },
    { "the sut's side gone, bytes lined up", PEER_OPEN, 5, 2, 0, 0, 0, { 0 }, false, false,
      NEEDS(BYTES) },
    { "RST under way", PEER_RESET, 5, 0, 0, DIAG_CLOSE_WAIT, 6, { 0 }, false, false, NEEDS(RST) },
    { "RST arrived", PEER_RESET, 5, 2, 0, 0, 0, { 0 }, false, false, IS_DONE },
    { "broken", PEER_BROKEN, 5, 2, 0, DIAG_TIME_WAIT, 3, { 0 }, false, false, IS_DONE },
    { "broken, close lined up", PEER_BROKEN, 5, 2, PEER_END_CLOSE, 0, 0, { 0 }, false, false,
      NEEDS(BYTES) },
};

static void each_sight_is_judged_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(sights) / sizeof(sights[0]); i++) {
        const struct sight *sight = &sights[i];
        const struct peer peer = {
            .name = "c", .state = sight->state, .bytes_taken = sight->taken, .fd = -1,
            .queue = { .size = sight->unsent }, .ends = sight->ends, .full = sight->full,
        };
        const struct confirm_view view = {
            .has_sut = sight->sut != 0,
            .sut = { .state = sight->sut, .has_counters = true,
                     .counters = { .bytes_received = sight->received } },
            .is_whole = true, .has_sender = true,
            .sender = { .has_counters = true, .counters = sight->sender },
            .listener_is_full = sight->listener_is_full,
        };
        struct confirm confirm;
        char expected[128], actual[128];

        confirm_open(&confirm, &peer, NULL, NULL);
        enum confirm_answer answer = confirm_judge(&confirm, &view);
        (void)snprintf(expected, sizeof(expected), "%s: %d %d", sight->name, (int)sight->answer,
                       (int)sight->missing);
        (void)snprintf(actual, sizeof(actual), "%s: %d %d", sight->name, (int)answer,
                       (int)confirm.missing);
        assert_string_equal(actual, expected);
    }
}

/* Orphaned in FIN_WAIT2 the sut's side has no counters: what it acknowledged, it has. */
static void a_remnant_is_judged_by_what_it_acknowledged(void **state)
{
    const struct peer peer = { .name = "c", .state = PEER_OPEN, .bytes_taken = 5, .fd = -1 };
    struct confirm_view view = { .has_sut = true, .sut = { .state = DIAG_FIN_WAIT2 } };
    struct confirm confirm;

    (void)state;
    confirm_open(&confirm, &peer, NULL, NULL);
    assert_int_equal(confirm_judge(&confirm, &view), CONFIRM_PENDING);
    view.is_whole = view.has_sender = true;
    view.sender.wqueue = 1;
    assert_int_equal(confirm_judge(&confirm, &view), CONFIRM_PENDING);
    assert_explains(&(struct bench){ .confirm = confirm },
                    "c: still to come is an acknowledgement; the sut's side is FIN_WAIT2");
    view.sender.wqueue = 0;
    assert_int_equal(confirm_judge(&confirm, &view), CONFIRM_DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sight_is_judged_right),
        cmocka_unit_test(a_remnant_is_judged_by_what_it_acknowledged),
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
