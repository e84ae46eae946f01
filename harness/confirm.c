/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/confirm.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>

#define BIT(state) (1U << DIAG_##state)

/* States of the sut's side that are reached only when the peer's FIN has arrived. */
#define FIN_ARRIVED (BIT(CLOSE_WAIT) | BIT(LAST_ACK) | BIT(CLOSING) | BIT(TIME_WAIT))
/* Not yet a connection that could be accepted. */
#define HALF_OPEN (BIT(SYN_RECV) | BIT(NEW_SYN_RECV))

#define RCV_SHUTDOWN 1

static const char *const missing_names[] = {
#define X(name, text) [CONFIRM_MISSING_##name] = (text),
    CONFIRM_MISSINGS(X)
#undef X
};
_Static_assert(sizeof(missing_names) / sizeof(missing_names[0]) == CONFIRM_MISSING_COUNT,
               "a name each");

static enum confirm_answer answer(struct confirm *confirm, enum confirm_answer answer,
                                  enum confirm_missing missing)
{
    assert((answer == CONFIRM_DONE) == (missing == CONFIRM_MISSING_NOTHING));
    confirm->missing = missing;
    return answer;
}

static enum confirm_answer done(struct confirm *confirm)
{
    return answer(confirm, CONFIRM_DONE, CONFIRM_MISSING_NOTHING);
}

static enum confirm_answer pending(struct confirm *confirm, enum confirm_missing missing)
{
    return answer(confirm, CONFIRM_PENDING, missing);
}

/* Nothing is missing at the sut's side: done, unless the peer has more to do. */
static enum confirm_answer done_unless_busy(struct confirm *confirm)
{
    return peer_busy(confirm->peer) ? pending(confirm, CONFIRM_MISSING_BYTES) : done(confirm);
}

/* Whether the state is one of a set of BITs. */
static bool in(enum diag_state state, unsigned set)
{
    return (set & (1U << state)) != 0;
}

/* The peer's writing is over, in an orderly way. */
static bool has_shut(const struct peer *peer)
{
    return peer->state == PEER_SHUT || peer->state == PEER_CLOSED;
}

/* Streams without a network: what the kernel took is in the receiver's queue already. */

/* The answer once `arrived` is known. That the kernel is full, the last push said. */
static enum confirm_answer judge_local(struct confirm *confirm, uint64_t arrived, bool end_arrived)
{
    const struct peer *peer = confirm->peer;

    confirm->arrived = arrived;
    if (arrived != peer->bytes_taken)
        return pending(confirm, CONFIRM_MISSING_BYTES);
    if (peer->full)
        return answer(confirm, CONFIRM_BLOCKED, CONFIRM_MISSING_BYTES);
    if (has_shut(peer) && !end_arrived)
        return pending(confirm, CONFIRM_MISSING_END);
    return done_unless_busy(confirm);
}

static int check_pipe(struct confirm *confirm, uint64_t sut_read)
{
    const struct peer *peer = confirm->peer;

    if (peer->fd < 0)
        return (int)done_unless_busy(confirm);
    long unread = sys_unread(peer->sys, peer->fd);
    if (unread < 0)
        return (int)unread;
    return (int)judge_local(confirm, sut_read + (uint64_t)unread, true);
}

static int check_unix(struct confirm *confirm, uint64_t sut_read)
{
    const struct peer *peer = confirm->peer;
    struct diag_unix own = {0}, far;

    if (peer->fd < 0)
        return (int)done_unless_busy(confirm);
    if (peer->state == PEER_CONNECTING) /* its connect said EAGAIN: the backlog is full (E85) */
        return (int)answer(confirm, CONFIRM_BLOCKED, CONFIRM_MISSING_CONNECT);
    long inode = sys_inode(peer->sys, peer->fd);
    if (inode < 0)
        return (int)inode;
    int found = diag_unix(confirm->sut, (uint32_t)inode, &own);
    if (found > 0)
        found = diag_unix(confirm->sut, own.peer_inode, &far);
    if (found < 0)
        return found;
    confirm->seen = found > 0 ? far.state : 0;
    if (found == 0) /* nobody has accepted it yet, or the sut has closed it */
        return (int)judge_local(confirm, peer->bytes_taken, true);
    return (int)judge_local(confirm, sut_read + far.rqueue, (far.shutdown & RCV_SHUTDOWN) != 0);
}

/* TCP: the judgement. */

/* Whether the receiver has all that the sender may send: its window is shut, nothing is under
 * way. A small window is not shut, for the persist timer fills it; that send() says EAGAIN
 * proves nothing. */
static bool is_blocked(const struct diag_counters *sender, uint64_t arrived)
{
    return sender->unacked_segments == 0 && sender->notsent_bytes > 0 &&
           sender->snd_wnd_bytes == 0 && arrived == sender->bytes_sent - sender->bytes_retrans;
}

/* Something is missing at the sut's side: the sender's counters tell whether it comes by itself. */
static enum confirm_answer judge_sender(struct confirm *confirm, const struct confirm_view *view,
                                        enum confirm_missing missing)
{
    if (!view->has_sender || !view->sender.has_counters)
        return pending(confirm, missing);
    if (is_blocked(&view->sender.counters, confirm->arrived))
        return answer(confirm, CONFIRM_BLOCKED, missing);
    bool waits = confirm->peer->full && view->sender.counters.unacked_segments > 0;
    return pending(confirm, waits ? CONFIRM_MISSING_ACK : missing);
}

/* The sut's side is a remnant without counters: it has what it acknowledged. */
static enum confirm_answer judge_remnant(struct confirm *confirm, const struct confirm_view *view)
{
    if (!view->is_whole || (view->has_sender && view->sender.wqueue > 0))
        return pending(confirm, CONFIRM_MISSING_ACK);
    return done_unless_busy(confirm);
}

/* Bytes and FIN against what the sut's side got. Its bytes_received counts the FIN as 1 (E120). */
static enum confirm_answer judge_stream(struct confirm *confirm, const struct confirm_view *view)
{
    const struct peer *peer = confirm->peer;
    bool end_arrived = in(view->sut.state, FIN_ARRIVED);

    confirm->arrived = view->sut.counters.bytes_received - (end_arrived ? 1 : 0);
    if (confirm->arrived != peer->bytes_taken || peer_unsent(peer) > 0)
        return judge_sender(confirm, view, CONFIRM_MISSING_BYTES);
    if ((has_shut(peer) && !end_arrived) || peer->ends != 0)
        return judge_sender(confirm, view, CONFIRM_MISSING_END);
    return done(confirm);
}

enum confirm_answer confirm_judge(struct confirm *confirm, const struct confirm_view *view)
{
    enum peer_state state = confirm->peer->state;
    bool half_open = view->has_sut && in(view->sut.state, HALF_OPEN);

    confirm->seen = view->has_sut ? view->sut.state : 0;
    if (state == PEER_RESET)
        return view->has_sut ? pending(confirm, CONFIRM_MISSING_RST) : done(confirm);
    if (state == PEER_BROKEN)
        return done_unless_busy(confirm);
    if (state == PEER_CONNECTING || half_open)
        return answer(confirm, view->listener_is_full ? CONFIRM_BLOCKED : CONFIRM_PENDING,
                      CONFIRM_MISSING_CONNECT);
    if (!view->has_sut)
        return done_unless_busy(confirm);
    return view->sut.has_counters ? judge_stream(confirm, view) : judge_remnant(confirm, view);
}

/* TCP: the looks. */

struct full_listener {
    const struct peer *peer;
    bool found;
};

static int is_full(void *arg, const struct diag_listener *listener)
{
    struct full_listener *full = arg;
    const struct sockaddr *far = (const struct sockaddr *)&full->peer->far;
    in_port_t port = far->sa_family == AF_INET6
                         ? ((const struct sockaddr_in6 *)(const void *)far)->sin6_port
                         : ((const struct sockaddr_in *)(const void *)far)->sin_port;

    /* backlog + 1 connections wait at most (E79) */
    full->found |= listener->port == ntohs(port) && listener->waiting > listener->backlog;
    return full->found;
}

static int look(struct diag *diag, const struct sockaddr_storage *local,
                const struct sockaddr_storage *remote, uint64_t cookie, struct diag_tcp *ret_tcp)
{
    struct diag_key key;

    int code = diag_key_set(&key, (const struct sockaddr *)local, (const struct sockaddr *)remote,
                            cookie);
    return code < 0 ? code : diag_tcp(diag, &key, true, ret_tcp);
}

static int look_at_sut(struct confirm *confirm, struct confirm_view *view)
{
    const struct peer *peer = confirm->peer;

    int found = look(confirm->sut, &peer->far, &peer->near, confirm->cookie, &view->sut);
    view->has_sut = found > 0;
    if (found > 0) /* a request hands its cookie on to the connection that it becomes */
        confirm->cookie = view->sut.cookie;
    return found;
}

static int look_at_the_rest(struct confirm *confirm, struct confirm_view *view)
{
    const struct peer *peer = confirm->peer;
    struct full_listener full = {.peer = peer};

    int found = look(confirm->near, &peer->near, &peer->far, DIAG_ANY_COOKIE, &view->sender);
    if (found < 0)
        return found;
    view->has_sender = found > 0;
    if (confirm->missing == CONFIRM_MISSING_CONNECT) {
        found = diag_listeners(confirm->sut, is_full, &full);
        if (found < 0)
            return found;
        view->listener_is_full = full.found;
    }
    view->is_whole = true;
    return 0;
}

static int check_tcp(struct confirm *confirm, uint64_t sut_read)
{
    struct confirm_view view = {0};

    (void)sut_read;
    if (confirm->peer->near.ss_family == 0) /* broken before it had an address */
        return (int)done_unless_busy(confirm);
    int code = look_at_sut(confirm, &view);
    if (code < 0)
        return code;
    enum confirm_answer first = confirm_judge(confirm, &view);
    if (first != CONFIRM_PENDING)
        return (int)first;
    code = look_at_the_rest(confirm, &view);
    return code < 0 ? code : (int)confirm_judge(confirm, &view);
}

/* At once: only what the receiver has no room for is still with the sender. */

static int check_at_once(struct confirm *confirm, uint64_t sut_read)
{
    const struct peer *peer = confirm->peer;
    bool tcp = peer_family_is_tcp(peer->family);
    long held = 0;

    (void)sut_read;
    confirm->arrived = peer->bytes_taken;
    if (peer->state == PEER_CONNECTING)
        return (int)answer(confirm, !tcp || confirm->crowded(confirm->arg, peer->fd)
                                        ? CONFIRM_BLOCKED : CONFIRM_PENDING,
                           CONFIRM_MISSING_CONNECT);
    if (peer->fd < 0 || peer->state == PEER_BROKEN)
        return (int)done_unless_busy(confirm);
    if (tcp)
        held = sys_unacked(peer->sys, peer->fd);
    if (held < 0)
        return (int)held;
    confirm->arrived -= (uint64_t)held;
    if (held > 0 || peer->full)
        return (int)answer(confirm, CONFIRM_BLOCKED, CONFIRM_MISSING_BYTES);
    return (int)done_unless_busy(confirm);
}

/* Outside. */

void confirm_open(struct confirm *ret_confirm, const struct peer *peer, struct diag *sut,
                  struct diag *near)
{
    *ret_confirm = (struct confirm){
        .peer = peer,
        .look = peer->family == PLAN_PIPE   ? check_pipe
                : peer->family == PLAN_UNIX ? check_unix
                                            : check_tcp,
        .sut = sut,
        .near = near,
        .cookie = DIAG_ANY_COOKIE,
    };
}

void confirm_open_at_once(struct confirm *ret_confirm, const struct peer *peer,
                          bool (*crowded)(void *arg, int fd), void *arg)
{
    *ret_confirm = (struct confirm){
        .peer = peer, .look = check_at_once, .crowded = crowded, .arg = arg};
}

int confirm_check(struct confirm *confirm, uint64_t sut_read)
{
    const struct peer *peer = confirm->peer;

    if (peer->state == PEER_IDLE || (peer->state == PEER_CLOSED && !peer->connected))
        return (int)done_unless_busy(confirm);
    return confirm->look(confirm, sut_read);
}

void confirm_explain(const struct confirm *confirm, char *text, size_t size)
{
    const struct peer *peer = confirm->peer;
    const char *side = confirm->seen != 0 ? diag_state_name(confirm->seen) : "not there";

    if (confirm->missing == CONFIRM_MISSING_NOTHING)
        (void)snprintf(text, size, "%s: nothing is missing", peer->name);
    else if (confirm->missing == CONFIRM_MISSING_BYTES)
        (void)snprintf(text, size, "%s: %" PRIu64 " of %" PRIu64
                       " bytes arrived; the sut's side is %s", peer->name, confirm->arrived,
                       peer->bytes_taken + peer_unsent(peer), side);
    else
        (void)snprintf(text, size, "%s: still to come is %s; the sut's side is %s", peer->name,
                       missing_names[confirm->missing], side);
}
