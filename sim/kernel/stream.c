/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/stream.h"

#include <errno.h>

#include "sim/kernel/flow.h"
#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/name.h"

/* A connect without an answer asks again after 1 s, four times, then ever more seldom (E79). */
#define RETRY_FIRST  DURATION_MS(1000)
#define RETRIES_EVEN 4
#define RETRIES_MAX  10

#define BACKLOG_MAX 4096

static void stream_wake(struct kernel *k, uint32_t socket, uint32_t key)
{
    watch_wake(k, &socket_at(k, socket)->watch, key);
}

int stream_error_or(struct socket *self, int otherwise)
{
    int error = socket_take_error(self);

    return error != 0 ? -error : otherwise;
}

/* Ends. */

/* The connection is over at this end. Nobody left to tell: the socket goes. */
static void stream_done(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);

    if (self->state == SOCKET_SYN_SENT)
        k->connecting--;
    self->state = SOCKET_CLOSED;
    self->shut = SOCKET_BOTH;
    self->flags &= ~(uint32_t)SOCKET_FIN_WAITS;
    self->retry = (struct instant){0};
    self->retries = 0;
    if (socket_orphan(self))
        socket_free(k, socket);
    else
        stream_wake(k, socket, KERNEL_KEYLESS);
}

static int stream_reset_error(enum socket_state state)
{
    switch (state) {
    case SOCKET_SYN_SENT:
        return ECONNREFUSED;
    case SOCKET_CLOSE_WAIT:
        return EPIPE;
    default:
        return ECONNRESET;
    }
}

/* A RST has come: what was sent and had not arrived is gone, what was received stays (E72). */
static void stream_reset_came(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    bool orphan = socket_orphan(self);

    if (self->state == SOCKET_CLOSED)
        return;
    self->error = stream_reset_error((enum socket_state)self->state);
    chain_drop(k, &self->out, self->out.length);
    self->urgent_sent = 0;
    stream_done(k, socket);
    if (!orphan)
        stream_wake(k, socket, OS_ERR);
}

/* Neither end knows the other any more; the former peer, 0. */
static uint32_t stream_part(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    uint32_t peer = self->peer;

    self->peer = 0;
    if (peer != 0)
        socket_at(k, peer)->peer = 0;
    return peer;
}

static void stream_send_reset(struct kernel *k, uint32_t socket)
{
    uint32_t peer = stream_part(k, socket);

    if (peer != 0)
        stream_reset_came(k, peer);
}

void stream_refuse_data(struct kernel *k, uint32_t socket)
{
    uint32_t peer = stream_part(k, socket);

    stream_reset_came(k, socket);
    stream_reset_came(k, peer);
}

static void stream_fin_came(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);

    self->shut |= KERNEL_SHUT_READ;
    self->flags |= SOCKET_DONE;
    if (self->state == SOCKET_ESTABLISHED)
        self->state = SOCKET_CLOSE_WAIT;
    else if (self->state == SOCKET_FIN_WAIT_1)
        self->state = SOCKET_CLOSING;
    if (self->state == SOCKET_FIN_WAIT_2)
        stream_done(k, socket);
    else
        stream_wake(k, socket, KERNEL_KEYLESS);
}

static void stream_fin_acked(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);

    if (self->state == SOCKET_FIN_WAIT_1) {
        self->state = SOCKET_FIN_WAIT_2;
        stream_wake(k, socket, KERNEL_KEYLESS);
    } else {
        assert(self->state == SOCKET_CLOSING || self->state == SOCKET_LAST_ACK);
        stream_done(k, socket);
    }
}

void stream_fin_leaves(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);

    self->flags &= ~(uint32_t)SOCKET_FIN_WAITS;
    stream_fin_came(k, self->peer);
    stream_fin_acked(k, socket);
}

/* Our direction ends with a FIN, behind all that was sent. */
static void stream_finish(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);

    if (self->state == SOCKET_ESTABLISHED)
        self->state = SOCKET_FIN_WAIT_1;
    else if (self->state == SOCKET_CLOSE_WAIT)
        self->state = SOCKET_LAST_ACK;
    else
        return;
    self->flags |= SOCKET_FIN_WAITS;
    flow_push(k, socket);
}

/* A listener gives up: those in its queue are reset (E87 says the same of UNIX). */
static void stream_stop_listening(struct kernel *k, uint32_t socket)
{
    uint32_t waiting;

    while ((waiting = socket_queue_pop(k, socket)) != 0) {
        stream_send_reset(k, waiting);
        socket_free(k, waiting);
    }
}

static bool stream_must_reset(const struct socket *self)
{
    switch (self->state) {
    case SOCKET_ESTABLISHED:
    case SOCKET_FIN_WAIT_1:
    case SOCKET_FIN_WAIT_2:
    case SOCKET_CLOSE_WAIT:
        return true;
    case SOCKET_CLOSING:
    case SOCKET_LAST_ACK:
        return (self->flags & SOCKET_FIN_WAITS) != 0;
    default:
        return false;
    }
}

/* Back to the beginning, whatever it was: connect(AF_UNSPEC), or the end of a listener (E53,
 * E69). */
static void stream_disconnect(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    bool reset = stream_must_reset(self);
    enum socket_state before = (enum socket_state)self->state;

    self->state = SOCKET_CLOSED;
    if (before == SOCKET_LISTEN)
        stream_stop_listening(k, socket);
    else if (reset)
        stream_send_reset(k, socket);
    if (before == SOCKET_SYN_SENT)
        k->connecting--;
    if (reset || before == SOCKET_SYN_SENT)
        self->error = ECONNRESET;
    (void)stream_part(k, socket);
    self->shut = 0;
    self->flags &= ~(uint32_t)(SOCKET_DONE | SOCKET_FIN_WAITS | SOCKET_URGENT |
                               SOCKET_URGENT_VALID);
    self->retry = (struct instant){0};
    self->retries = self->urgent_at = self->urgent_sent = self->urgent_byte = 0;
    chain_drop(k, &self->in, self->in.length);
    chain_drop(k, &self->out, self->out.length);
    self->remote = (struct kernel_address){0};
    name_release(k, socket);
    stream_wake(k, socket, OS_ERR);
}

/* Connecting. */

/* The listener's end of a new connection; 0 when there is no memory for it. */
static uint32_t stream_child(struct kernel *k, uint32_t listener, uint32_t caller)
{
    uint32_t child = socket_new(k, DESCRIPTION_STREAM, KERNEL_UNSPECIFIED);
    const struct socket *parent = socket_peek(k, listener);
    struct socket *self;

    if (child == 0)
        return 0;
    self = socket_at(k, child);
    self->local = socket_at(k, caller)->remote;
    self->remote = socket_at(k, caller)->local;
    self->state = SOCKET_ESTABLISHED;
    self->phase = SOCKET_CONNECTED;
    self->sndbuf = parent->sndbuf;
    self->rcvbuf = parent->rcvbuf;
    self->lowat = parent->lowat;
    self->flags = parent->flags & (SOCKET_OOBINLINE | SOCKET_REUSEADDR | SOCKET_RESET_ON_CLOSE |
                                   SOCKET_HOST_BOUND);
    self->peer = caller;
    return child;
}

static void stream_ask_later(struct kernel *k, struct socket *self)
{
    uint32_t doublings = self->retries > RETRIES_EVEN ? self->retries - RETRIES_EVEN : 0;
    struct duration wait = {RETRY_FIRST.ns << doublings};

    self->retry = instant_add(k->now, wait);
    self->retries++;
}

/* Nobody answered, however often it was asked. */
static void stream_give_up(struct kernel *k, uint32_t socket)
{
    socket_at(k, socket)->error = ETIMEDOUT;
    stream_done(k, socket);
    stream_wake(k, socket, OS_ERR);
}

/* A SYN goes out: refused, answered, or dropped. */
static void stream_ask(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    uint32_t listener = name_listener(k, DESCRIPTION_STREAM, &self->remote);
    uint32_t child = 0;

    if (listener == 0) {
        stream_reset_came(k, socket);
        return;
    }
    if (!socket_queue_full(socket_at(k, listener)))
        child = stream_child(k, listener, socket);
    if (child == 0) {
        stream_ask_later(k, self);
        return;
    }
    k->connecting--;
    self->state = SOCKET_ESTABLISHED;
    self->retry = (struct instant){0};
    self->retries = 0;
    self->peer = child;
    socket_queue_push(k, listener, child);
    stream_wake(k, socket, KERNEL_KEYLESS);
    stream_wake(k, listener, OS_IN | KERNEL_PRI);
}

struct instant stream_due(const struct kernel *k)
{
    struct instant due = INSTANT_NEVER;

    for (uint32_t i = 1; i <= k->sockets.count && k->connecting > 0; i++) {
        const struct socket *self = socket_peek(k, i);

        if (self->state == SOCKET_SYN_SENT)
            due = instant_earlier(due, self->retry);
    }
    return due;
}

void stream_retry(struct kernel *k)
{
    for (uint32_t i = 1; i <= k->sockets.count && k->connecting > 0; i++) {
        const struct socket *self = socket_peek(k, i);

        if (self->state != SOCKET_SYN_SENT || instant_before(k->now, self->retry))
            continue;
        if (self->retries > RETRIES_MAX)
            stream_give_up(k, i);
        else
            stream_ask(k, i);
    }
}

/* The first connect() of a socket. */
static int stream_start(struct kernel *k, uint32_t socket, const struct kernel_address *address)
{
    struct socket *self = socket_at(k, socket);
    int code;

    if (self->state != SOCKET_CLOSED)
        return -EISCONN;
    if (address->domain != self->local.domain)
        return -EAFNOSUPPORT;
    if ((self->flags & SOCKET_BOUND) && name_meets(&self->local, address))
        return -EOPNOTSUPP; /* a connection to itself */
    code = name_autobind(k, socket, address);
    if (code < 0)
        return code;
    self->remote = *address;
    self->shut = 0;
    self->error = 0;
    self->phase = SOCKET_CONNECTING;
    self->state = SOCKET_SYN_SENT;
    k->connecting++;
    stream_ask(k, socket);
    return -EINPROGRESS;
}

/* A later one tells what became of the first (E77). */
static int stream_outcome(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    int error;

    if (self->state == SOCKET_SYN_SENT)
        return -EALREADY;
    if (self->state != SOCKET_CLOSED) {
        self->phase = SOCKET_CONNECTED;
        return 0;
    }
    error = stream_error_or(self, -ECONNABORTED);
    self->phase = SOCKET_UNCONNECTED;
    stream_disconnect(k, socket);
    return error;
}

static int stream_connect(struct kernel *k, uint32_t socket, const struct kernel_address *address)
{
    struct socket *self = socket_at(k, socket);

    if (address->domain == KERNEL_UNSPECIFIED) {
        self->phase = SOCKET_UNCONNECTED;
        stream_disconnect(k, socket);
        return 0;
    }
    switch (self->phase) {
    case SOCKET_UNCONNECTED:
        return stream_start(k, socket, address);
    case SOCKET_CONNECTING:
        return stream_outcome(k, socket);
    case SOCKET_CONNECTED:
        return -EISCONN;
    default:
        return -EINVAL;
    }
}

static int stream_listen(struct kernel *k, uint32_t socket, uint32_t backlog)
{
    struct socket *self = socket_at(k, socket);
    const struct kernel_address any = {.domain = self->local.domain};
    int code = 0;

    if (self->phase != SOCKET_UNCONNECTED ||
        (self->state != SOCKET_CLOSED && self->state != SOCKET_LISTEN))
        return -EINVAL;
    if (self->state == SOCKET_CLOSED)
        code = name_autobind(k, socket, &any);
    if (code < 0)
        return code;
    self->backlog = backlog < BACKLOG_MAX ? backlog : BACKLOG_MAX;
    self->state = SOCKET_LISTEN;
    return 0;
}

/* Shutting and closing. */

static int stream_shutdown(struct kernel *k, uint32_t socket, unsigned how)
{
    struct socket *self = socket_at(k, socket);
    int code = self->state == SOCKET_CLOSED ? -ENOTCONN : 0;

    if (self->phase == SOCKET_CONNECTING)
        self->phase = self->state == SOCKET_SYN_SENT || self->state == SOCKET_CLOSED
                          ? SOCKET_DISCONNECTING : SOCKET_CONNECTED;
    if (self->state == SOCKET_SYN_SENT ||
        (self->state == SOCKET_LISTEN && (how & KERNEL_SHUT_READ))) {
        stream_disconnect(k, socket);
        self->phase = SOCKET_UNCONNECTED;
    } else if (self->state != SOCKET_LISTEN) {
        self->shut |= how;
        if (how & KERNEL_SHUT_WRITE)
            stream_finish(k, socket);
    }
    stream_wake(k, socket, KERNEL_KEYLESS);
    return code;
}

/* The last descriptor is gone. Unread bytes make it a reset (E67), else a FIN goes, and the socket
 * lives until its peer is through with it (E84). */
static void stream_close(struct kernel *k, uint32_t socket, uint32_t mode)
{
    struct socket *self = socket_at(k, socket);
    bool unread = self->in.length > 0;

    (void)mode;
    self->description = 0;
    self->shut = SOCKET_BOTH;
    chain_drop(k, &self->in, self->in.length);
    if (self->state == SOCKET_LISTEN) {
        self->state = SOCKET_CLOSED;
        stream_stop_listening(k, socket);
    } else if (self->state != SOCKET_CLOSED &&
               (unread || (self->flags & SOCKET_RESET_ON_CLOSE))) {
        bool reset = unread || stream_must_reset(self);

        if (self->state == SOCKET_SYN_SENT)
            k->connecting--;
        self->state = SOCKET_CLOSED;
        if (reset)
            stream_send_reset(k, socket);
    } else if (self->state == SOCKET_SYN_SENT) {
        k->connecting--;
        self->state = SOCKET_CLOSED;
    } else if (self->state != SOCKET_CLOSED) {
        stream_finish(k, socket);
        return;
    }
    socket_free(k, socket);
}

static uint32_t stream_level(struct kernel *k, uint32_t socket, uint32_t mode, uint32_t asked)
{
    struct socket *self = socket_at(k, socket);
    uint32_t level = 0;

    (void)mode;
    (void)asked;
    if (self->state == SOCKET_LISTEN)
        return self->queue_length > 0 ? OS_IN : 0;
    if (self->shut == SOCKET_BOTH || self->state == SOCKET_CLOSED)
        level |= OS_HUP;
    if (self->shut & KERNEL_SHUT_READ)
        level |= OS_IN | OS_RDHUP;
    if (self->state != SOCKET_SYN_SENT) {
        if (flow_readable(self))
            level |= OS_IN;
        if ((self->shut & KERNEL_SHUT_WRITE) || flow_writable(self))
            level |= OS_OUT;
        else
            self->flags |= SOCKET_NO_SPACE;
        if (self->flags & SOCKET_URGENT_VALID)
            level |= KERNEL_PRI;
    }
    return self->error != 0 ? level | OS_ERR : level;
}

static long stream_read(struct kernel *k, uint32_t socket, void *bytes, size_t size)
{
    return size == 0 ? 0 : flow_recv(k, socket, bytes, size, 0);
}

static long stream_write(struct kernel *k, uint32_t socket, const void *bytes, size_t size)
{
    return flow_send(k, socket, bytes, size, 0);
}

static const struct socket_ops stream_socket_ops = {
    .listen = stream_listen,
    .connect = stream_connect,
    .shutdown = stream_shutdown,
    .send = flow_send,
    .recv = flow_recv,
    .unacked = flow_unacked,
    .changed = flow_changed,
};

const struct description_ops stream_ops = {
    .level = stream_level,
    .watch = socket_watch,
    .read = stream_read,
    .write = stream_write,
    .unread = flow_unread,
    .close = stream_close,
    .socket = &stream_socket_ops,
};
