/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/peer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

#define ROOM_FIRST 4096
/* One more than may be kept, so that too much is told from just enough. */
#define ROOM_MAX (PEER_BYTES_MAX + 1)

static const int domains[PLAN_FAMILY_COUNT] = {
    [PLAN_IPV4] = AF_INET,
    [PLAN_IPV6] = AF_INET6,
    [PLAN_UNIX] = AF_UNIX,
    [PLAN_PIPE] = AF_UNSPEC,
};

static const char *const state_names[] = {
#define X(name, text) [PEER_##name] = (text),
    PEER_STATES(X)
#undef X
};
_Static_assert(sizeof(state_names) / sizeof(state_names[0]) == PEER_STATE_COUNT, "a name each");

/* What a script may ask for in each state: 0, or the errno of the refusal. */
enum request {
    REQUEST_CONNECT,
    REQUEST_QUEUE,
    REQUEST_SHUTDOWN,
    REQUEST_CLOSE,
    REQUEST_RESET,
    REQUEST_COUNT,
};

#define ANSWERS(connect, queue, shutdown, close, reset)                                  \
    {                                                                                    \
        [REQUEST_CONNECT] = (connect), [REQUEST_QUEUE] = (queue),                        \
        [REQUEST_SHUTDOWN] = (shutdown), [REQUEST_CLOSE] = (close),                      \
        [REQUEST_RESET] = (reset),                                                       \
    }

static const int refusals[][REQUEST_COUNT] = {
    /*                             connect  queue     shutdown  close  reset */
    [PEER_IDLE]       = ANSWERS(0,       ENOTCONN, ENOTCONN, 0,     ENOTCONN),
    [PEER_CONNECTING] = ANSWERS(EISCONN, 0,        0,        0,     0),
    [PEER_OPEN]       = ANSWERS(EISCONN, 0,        0,        0,     0),
    [PEER_SHUT]       = ANSWERS(EISCONN, EPIPE,    0,        0,     0),
    [PEER_BROKEN]     = ANSWERS(EISCONN, EPIPE,    ENOTCONN, 0,     0),
    [PEER_RESET]      = ANSWERS(EISCONN, EBADF,    EBADF,    EBADF, EBADF),
    [PEER_CLOSED]     = ANSWERS(EISCONN, EBADF,    EBADF,    EBADF, EBADF),
};
_Static_assert(sizeof(refusals) / sizeof(refusals[0]) == PEER_STATE_COUNT, "a row each");

#define TO(state) (1U << PEER_##state)

static const unsigned successors[] = {
    [PEER_IDLE]       = TO(CONNECTING) | TO(OPEN) | TO(BROKEN) | TO(CLOSED),
    [PEER_CONNECTING] = TO(OPEN) | TO(BROKEN) | TO(RESET),
    [PEER_OPEN]       = TO(SHUT) | TO(BROKEN) | TO(RESET) | TO(CLOSED),
    [PEER_SHUT]       = TO(BROKEN) | TO(RESET) | TO(CLOSED),
    [PEER_BROKEN]     = TO(RESET) | TO(CLOSED),
    [PEER_RESET]      = 0,
    [PEER_CLOSED]     = 0,
};
_Static_assert(sizeof(successors) / sizeof(successors[0]) == PEER_STATE_COUNT, "a row each");

static void set_state(struct peer *peer, enum peer_state next)
{
    assert(successors[peer->state] & (1U << next));
    peer->state = next;
}

static int ask(const struct peer *peer, enum request request)
{
    return -refusals[peer->state][request];
}

const char *peer_state_name(enum peer_state state)
{
    assert(state < PEER_STATE_COUNT);
    return state_names[state];
}

/* Byte queues. */

/* Makes room for `more` bytes behind the queue, moving the rest to the front first. */
static int bytes_reserve(struct peer_bytes *bytes, size_t more)
{
    assert(bytes->taken <= bytes->size);
    assert(bytes->size <= bytes->room);

    if (bytes->taken == bytes->size)
        bytes->taken = bytes->size = 0;
    if (bytes->room - bytes->size >= more)
        return 0;
    size_t kept = bytes->size - bytes->taken;
    if (more > ROOM_MAX - kept)
        return -ENOBUFS;

    size_t room = bytes->room > ROOM_FIRST ? bytes->room : ROOM_FIRST;
    while (room < kept + more)
        room = room > ROOM_MAX / 2 ? ROOM_MAX : room * 2;
    uint8_t *data = malloc(room);
    if (data == NULL)
        return -ENOMEM;
    if (kept > 0)
        memcpy(data, bytes->data + bytes->taken, kept);
    free(bytes->data);
    *bytes = (struct peer_bytes){.data = data, .size = kept, .room = room};
    return 0;
}

/* Life. */

void peer_open(struct peer *ret_peer, struct sys sys, const char *name, enum plan_family family,
               const struct plan_sockets *sockets)
{
    assert(name != NULL);
    assert(family < PLAN_FAMILY_COUNT);

    *ret_peer = (struct peer){
        .sys = sys, .name = name, .family = family, .sockets = *sockets, .fd = -1,
    };
}

static int let_go(struct peer *peer)
{
    if (peer->fd < 0)
        return 0;
    int result = sys_close(peer->sys, peer->fd);
    peer->fd = -1;
    return result;
}

void peer_free(struct peer *peer)
{
    (void)let_go(peer);
    free(peer->queue.data);
    free(peer->received.data);
    peer->queue = peer->received = (struct peer_bytes){0};
}

/* Keeps what failed for peer_explain. From here on only an end that is lined up still matters. */
static int fail(struct peer *peer, const char *call, int code)
{
    assert(code < 0);
    peer->failed_call = call;
    peer->error = -code;
    peer->ends &= PEER_END_CLOSE;
    if (peer->state != PEER_BROKEN)
        set_state(peer, PEER_BROKEN);
    return code;
}

/* The last thing a peer does. A close that fails is told, but the descriptor is gone. */
static int close_as(struct peer *peer, enum peer_state last)
{
    peer->ends = 0;
    set_state(peer, last);
    int code = let_go(peer);
    if (code < 0) {
        peer->failed_call = "close";
        peer->error = -code;
    }
    return code;
}

void peer_explain(const struct peer *peer, char *text, size_t size)
{
    const char *description = strerrordesc_np(peer->error);

    if (peer->failed_call == NULL)
        (void)snprintf(text, size, "%s", "");
    else
        (void)snprintf(text, size, "%s %s: %s", peer->name, peer->failed_call,
                       description != NULL ? description : "unknown error");
}

bool peer_own_fault(const struct peer *peer)
{
    switch (peer->error) {
    case 0:
    case ECONNABORTED:
    case ECONNREFUSED:
    case ECONNRESET:
    case ENOTCONN:
    case EPIPE:
    case ETIMEDOUT:
        return false;
    default:
        return peer->failed_call != NULL;
    }
}

/* Connecting. */

int peer_unix_address(const char *name, struct sockaddr_storage *ret_address,
                      socklen_t *ret_length)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = strlen(name);

    if (size == 0)
        return -EINVAL;
    if (size > sizeof(address.sun_path) - 1)
        return -ENAMETOOLONG;
    memcpy(address.sun_path + 1, name, size); /* the NUL before it makes the name abstract */
    *ret_address = (struct sockaddr_storage){0};
    memcpy(ret_address, &address, sizeof(address));
    *ret_length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + size);
    return 0;
}

static void note_open(struct peer *peer)
{
    set_state(peer, PEER_OPEN);
    peer->connected = true;
}

/* Asks for the connection, again while it is under way: the kernel then tells how far it is
 * (E77), and a UNIX listener that was full may have room (E85). */
static int step_connect(struct peer *peer)
{
    if (peer->state != PEER_CONNECTING)
        return 0;

    int code = sys_connect(peer->sys, peer->fd, (const struct sockaddr *)&peer->far,
                           peer->far_length);
    if (code == -EINPROGRESS || code == -EALREADY || code == -EAGAIN || code == -EINTR)
        return 0;
    if (code == -ECONNRESET) /* a refusal is ECONNREFUSED: this one was open meanwhile */
        peer->connected = peer->reset_seen = true;
    if (code < 0 && code != -EISCONN)
        return fail(peer, "connect", code);
    note_open(peer);
    return 1;
}

/* Makes the socket that peer_connect connects. */
static int make_socket(struct peer *peer)
{
    int fd = sys_socket(peer->sys, domains[peer->family], SOCK_STREAM, 0);
    if (fd < 0)
        return fail(peer, "socket", fd);
    peer->fd = fd;

    const char *option = NULL;
    int code = peer_options_set(peer->sys, fd, peer->family, &peer->sockets, &option);
    if (code < 0)
        return fail(peer, option, code);
    if (peer->near_length == 0)
        return 0;
    code = sys_bind(peer->sys, fd, (const struct sockaddr *)&peer->near, peer->near_length);
    return code < 0 ? fail(peer, "bind", code) : 0;
}

int peer_bind(struct peer *peer, const struct sockaddr *near, socklen_t length)
{
    int code = ask(peer, REQUEST_CONNECT);
    if (code < 0)
        return code;
    if (peer->family == PLAN_PIPE || near->sa_family != domains[peer->family] ||
        length > sizeof(peer->near))
        return -EAFNOSUPPORT;
    memcpy(&peer->near, near, length);
    peer->near_length = length;
    return 0;
}

int peer_connect(struct peer *peer, const struct sockaddr *far, socklen_t length)
{
    int code = ask(peer, REQUEST_CONNECT);
    if (code < 0)
        return code;
    if (peer->family == PLAN_PIPE || far->sa_family != domains[peer->family] ||
        length > sizeof(peer->far))
        return -EAFNOSUPPORT;

    code = make_socket(peer);
    if (code < 0)
        return code;
    memcpy(&peer->far, far, length);
    peer->far_length = length;
    set_state(peer, PEER_CONNECTING);
    /* The first look starts it; a second one finds that the answer is there already (E118). */
    code = step_connect(peer);
    if (code == 0)
        code = step_connect(peer);
    if (code < 0)
        return code;
    code = sys_getsockname(peer->sys, peer->fd, &peer->near, &peer->near_length);
    return code < 0 ? fail(peer, "getsockname", code) : 0;
}

int peer_adopt(struct peer *peer, int fd)
{
    assert(fd >= 0);
    int code = ask(peer, REQUEST_CONNECT);
    if (code < 0)
        return code;
    if (peer->family != PLAN_PIPE)
        return -EAFNOSUPPORT;
    peer->fd = fd;
    note_open(peer);
    return 0;
}

/* Lining up. */

static int refuse_behind_end(const struct peer *peer)
{
    if (peer->ends & PEER_END_CLOSE)
        return -EBADF;
    return peer->ends & PEER_END_WRITE ? -EPIPE : 0;
}

int peer_queue(struct peer *peer, const void *bytes, size_t size)
{
    int code = ask(peer, REQUEST_QUEUE);
    if (code == 0)
        code = refuse_behind_end(peer);
    if (code < 0 || size == 0)
        return code;
    if (size > PEER_BYTES_MAX || peer_unsent(peer) > PEER_BYTES_MAX - size)
        return -ENOBUFS;

    code = bytes_reserve(&peer->queue, size);
    if (code < 0)
        return code;
    memcpy(peer->queue.data + peer->queue.size, bytes, size);
    peer->queue.size += size;
    return 0;
}

int peer_shutdown(struct peer *peer, enum plan_how how)
{
    static const unsigned ends[PLAN_HOW_COUNT] = {
        [PLAN_HOW_WRITE] = PEER_END_WRITE,
        [PLAN_HOW_READ] = PEER_END_READ,
        [PLAN_HOW_BOTH] = PEER_END_READ | PEER_END_WRITE,
    };

    assert(how < PLAN_HOW_COUNT);
    int code = ask(peer, REQUEST_SHUTDOWN);
    if (code < 0)
        return code;
    if (peer->ends & PEER_END_CLOSE)
        return -EBADF;
    if (peer->family == PLAN_PIPE && how != PLAN_HOW_WRITE)
        return -EOPNOTSUPP;
    peer->ends |= ends[how];
    return 0;
}

int peer_close(struct peer *peer)
{
    int code = ask(peer, REQUEST_CLOSE);
    if (code < 0)
        return code;
    if (peer->ends & PEER_END_CLOSE)
        return -EBADF;
    peer->ends |= PEER_END_CLOSE;
    return 0;
}

int peer_reset(struct peer *peer)
{
    const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

    int code = ask(peer, REQUEST_RESET);
    if (code < 0)
        return code;
    if (!peer_family_is_tcp(peer->family))
        return -EOPNOTSUPP;
    if (peer->fd >= 0) {
        code = sys_setsockopt(peer->sys, peer->fd, SOL_SOCKET, SO_LINGER, &at_once,
                              sizeof(at_once));
        if (code < 0)
            return fail(peer, "SO_LINGER", code);
    }
    return close_as(peer, PEER_RESET);
}

/* Pushing: each step does what it can, and says 1 if that was anything, 0 if not, or -errno. */

/* Whether ends that are lined up must wait for what is before them. */
static bool ends_wait(const struct peer *peer)
{
    return peer->state == PEER_CONNECTING || (peer->state == PEER_OPEN && peer_unsent(peer) > 0);
}

static long hand_over(const struct peer *peer, const void *bytes, size_t size)
{
    if (peer->family == PLAN_PIPE)
        return sys_write(peer->sys, peer->fd, bytes, size);
    return sys_send(peer->sys, peer->fd, bytes, size, 0);
}

static int step_send(struct peer *peer)
{
    struct peer_bytes *queue = &peer->queue;
    int moved = 0;

    peer->full = false;
    if (peer->state != PEER_OPEN)
        return 0;
    while (queue->taken < queue->size) {
        long taken = hand_over(peer, queue->data + queue->taken, queue->size - queue->taken);
        if (taken == -EAGAIN || taken == -EINTR) {
            peer->full = taken == -EAGAIN;
            return moved;
        }
        if (taken < 0) {
            peer->reset_seen |= taken == -ECONNRESET;
            return fail(peer, "send", (int)taken);
        }
        queue->taken += (size_t)taken;
        peer->bytes_taken += (uint64_t)taken;
        moved = 1;
    }
    return moved;
}

/* A pipe's write direction ends by closing it. */
static int shut(struct peer *peer, unsigned ends)
{
    static const int hows[] = {
        [PEER_END_READ] = SHUT_RD,
        [PEER_END_WRITE] = SHUT_WR,
        [PEER_END_READ | PEER_END_WRITE] = SHUT_RDWR,
    };

    if (peer->family == PLAN_PIPE)
        return let_go(peer);
    return sys_shutdown(peer->sys, peer->fd, hows[ends]);
}

static int step_shutdown(struct peer *peer)
{
    unsigned ends = peer->ends & (PEER_END_READ | PEER_END_WRITE);

    if (ends == 0 || ends_wait(peer))
        return 0;
    int code = shut(peer, ends);
    if (code < 0)
        return fail(peer, "shutdown", code);
    peer->ends &= ~ends;
    peer->shut_read |= (ends & PEER_END_READ) != 0;
    if ((ends & PEER_END_WRITE) && peer->state == PEER_OPEN)
        set_state(peer, PEER_SHUT);
    return 1;
}

static int step_close(struct peer *peer)
{
    if (!(peer->ends & PEER_END_CLOSE) || ends_wait(peer))
        return 0;
    int code = close_as(peer, PEER_CLOSED);
    return code < 0 ? code : 1;
}

int peer_push(struct peer *peer)
{
    static int (*const steps[])(struct peer *) = {
        step_connect, step_send, step_shutdown, step_close,
    };
    int moved = 0;

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        int result = steps[i](peer);
        if (result < 0)
            return result;
        moved |= result;
    }
    return moved;
}

bool peer_busy(const struct peer *peer)
{
    return ends_wait(peer) || peer->ends != 0;
}

/* Getting. */

/* The read direction is over. */
static int note_end(struct peer *peer, enum plan_saw saw)
{
    peer->saw = saw;
    if (saw == PLAN_SAW_RESET && (peer->state == PEER_OPEN || peer->state == PEER_SHUT)) {
        peer->ends &= PEER_END_CLOSE;
        set_state(peer, PEER_BROKEN);
    }
    return 1;
}

/* What a read of 0 bytes means; nothing when the peer shut the direction itself (E60). */
static int note_zero(struct peer *peer, int moved)
{
    if (peer->reset_seen)
        return note_end(peer, PLAN_SAW_RESET);
    return peer->shut_read ? moved : note_end(peer, PLAN_SAW_FIN);
}

int peer_drain(struct peer *peer)
{
    struct peer_bytes *received = &peer->received;
    int moved = 0;

    if (peer->fd < 0 || !peer->connected || peer->family == PLAN_PIPE)
        return 0;
    while (peer->saw == PLAN_SAW_NOTHING) {
        int code = bytes_reserve(received, 1);
        if (code < 0)
            return code;
        long got = sys_recv(peer->sys, peer->fd, received->data + received->size,
                            received->room - received->size, 0);
        if (got == -EAGAIN || got == -EINTR)
            return moved;
        if (got == 0)
            return note_zero(peer, moved);
        if (got == -ECONNRESET)
            return note_end(peer, PLAN_SAW_RESET);
        if (got < 0)
            return fail(peer, "recv", (int)got);
        received->size += (size_t)got;
        moved = 1;
        if (received->size > PEER_BYTES_MAX)
            return -ENOBUFS;
    }
    return moved;
}
