/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/datagram.h"

#include <errno.h>

#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/local.h"
#include "sim/kernel/name.h"
#include "sim/kernel/record.h"
#include "sim/kernel/socket.h"

#define UDP_MAX 65507
/* What a UDP header and those before it add to the head of a buffer. */
#define UDP_HEADERS 64

/* A UNIX receiver takes one more than this of those that it does not answer (E47). */
#define LOCAL_QUEUE 10
/* A larger UNIX datagram lies in pages behind this, and has to leave this of the buffer. */
#define LOCAL_HEAD  16064
#define LOCAL_SPARE 32

static bool datagram_local(const struct socket *self)
{
    return self->local.domain == KERNEL_LOCAL;
}

static void datagram_wake(struct kernel *k, uint32_t socket, uint32_t key)
{
    watch_wake(k, &socket_at(k, socket)->watch, key);
}

/* The queue of a UNIX receiver. */

/* One that does not answer has a short queue: who finds it full is told of room. */
static bool datagram_full(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    const struct socket *other;

    if (self->peer == 0)
        return false;
    other = socket_at(k, self->peer);
    if (other->peer == socket || other->record_count <= LOCAL_QUEUE)
        return false;
    self->flags |= SOCKET_NO_SPACE;
    return true;
}

/* Those who found the queue of `socket` full hear of room, or of its end. */
static void datagram_relieve(struct kernel *k, uint32_t socket, uint32_t key)
{
    for (uint32_t i = 1; i <= k->sockets.count; i++) {
        struct socket *sender = socket_at(k, i);

        if (sender->type != DESCRIPTION_DATAGRAM || sender->peer != socket ||
            !(sender->flags & SOCKET_NO_SPACE))
            continue;
        sender->flags &= ~(uint32_t)SOCKET_NO_SPACE;
        datagram_wake(k, i, key);
    }
}

/* Connecting. */

/* A UNIX socket that is connected takes from its peer alone, even when that is gone. */
static bool datagram_may_send(struct kernel *k, uint32_t socket, uint32_t to)
{
    const struct socket *other = socket_at(k, to);

    return other->state != SOCKET_ESTABLISHED || other->peer == socket;
}

/* A UNIX socket has left its peer, and no longer waits for its room. What it had not read is lost,
 * and a peer that still sends to it hears of that. */
static void datagram_left(struct kernel *k, uint32_t socket, uint32_t old)
{
    socket_at(k, socket)->flags &= ~(uint32_t)SOCKET_NO_SPACE;
    datagram_wake(k, socket, OS_OUT);
    if (record_first(k, socket) == NULL)
        return;
    local_drain(k, socket);
    datagram_relieve(k, socket, KERNEL_KEYLESS);
    if (old != 0 && socket_at(k, old)->peer == socket) {
        socket_at(k, old)->error = ECONNRESET;
        datagram_wake(k, old, OS_ERR);
    }
}

static int datagram_connect_local(struct kernel *k, uint32_t socket,
                                  const struct kernel_address *address)
{
    uint32_t other = name_receiver(k, address, &socket_at(k, socket)->local);
    struct socket *self = socket_at(k, socket);
    bool was = self->state == SOCKET_ESTABLISHED; /* its peer may be gone */
    uint32_t old = self->peer;

    if (other == 0)
        return -ECONNREFUSED;
    if (!datagram_may_send(k, socket, other))
        return -EPERM;
    self->peer = other;
    self->remote = *address;
    self->state = SOCKET_ESTABLISHED;
    if (was && old != other)
        datagram_left(k, socket, old);
    else if (was)
        datagram_wake(k, socket, OS_OUT);
    return 0;
}

static int datagram_dissolve(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    bool was = self->state == SOCKET_ESTABLISHED;
    uint32_t old = self->peer;

    self->state = SOCKET_CLOSED;
    self->peer = 0;
    self->remote = (struct kernel_address){0};
    if (!datagram_local(self))
        name_release(k, socket);
    else if (was)
        datagram_left(k, socket, old);
    return 0;
}

static int datagram_connect(struct kernel *k, uint32_t socket,
                            const struct kernel_address *address)
{
    struct socket *self = socket_at(k, socket);
    int code;

    if (address->domain == KERNEL_UNSPECIFIED)
        return datagram_dissolve(k, socket);
    if (address->domain != self->local.domain)
        return datagram_local(self) ? -EINVAL : -EAFNOSUPPORT;
    if (datagram_local(self))
        return datagram_connect_local(k, socket, address);
    code = name_autobind(k, socket, address);
    if (code < 0)
        return code;
    self->remote = *address;
    self->state = SOCKET_ESTABLISHED;
    return 0;
}

static int datagram_listen(struct kernel *k, uint32_t socket, uint32_t backlog)
{
    (void)k;
    (void)socket;
    (void)backlog;
    return -EOPNOTSUPP;
}

/* Sending by UDP: it leaves, which is an OUT of the sender's (E46), then it arrives, is refused or
 * is dropped. */
static long datagram_send_udp(struct kernel *k, uint32_t socket, const void *bytes, uint32_t size)
{
    struct socket *self = socket_at(k, socket);
    const struct kernel_address any = {.domain = self->local.domain};
    uint32_t charge = record_charge(size + UDP_HEADERS, UINT32_MAX);
    uint32_t other;
    int code = name_autobind(k, socket, &any);

    if (code < 0)
        return code;
    if (size > UDP_MAX)
        return -EMSGSIZE;
    if (self->state != SOCKET_ESTABLISHED)
        return -EDESTADDRREQ;
    if (self->error != 0)
        return -socket_take_error(self);
    if (self->shut & KERNEL_SHUT_WRITE)
        return -EPIPE;
    datagram_wake(k, socket, OS_OUT);
    other = name_receiver(k, &self->remote, &self->local);
    if (other == 0) {
        self->error = ECONNREFUSED;
        datagram_wake(k, socket, OS_ERR);
        return size;
    }
    if (socket_at(k, other)->held > 0 &&
        socket_at(k, other)->held + charge > socket_at(k, other)->rcvbuf)
        return size;
    if (!record_room(k, other, size))
        return size;
    record_push(k, other, 0, bytes, size, charge);
    datagram_wake(k, other, OS_IN | KERNEL_PRI);
    return size;
}

/* Why a UNIX datagram cannot be taken by its receiver, 0 when it can. */
static int datagram_reach(struct kernel *k, uint32_t socket, uint32_t size)
{
    struct socket *self = socket_at(k, socket);

    if (self->state != SOCKET_ESTABLISHED)
        return -ENOTCONN;
    if (self->peer == 0) { /* it has been closed: told once (E96) */
        self->state = SOCKET_CLOSED;
        datagram_left(k, socket, 0);
        return -ECONNREFUSED;
    }
    if (!datagram_may_send(k, socket, self->peer))
        return -EPERM;
    if (socket_at(k, self->peer)->shut & KERNEL_SHUT_READ)
        return -EPIPE;
    if (datagram_full(k, socket))
        return -EAGAIN;
    return record_room(k, self->peer, size) ? 0 : -ENOBUFS;
}

static long datagram_send_local(struct kernel *k, uint32_t socket, const void *bytes,
                                uint32_t size)
{
    struct socket *self = socket_at(k, socket);

    int code;

    if (size > self->sndbuf - LOCAL_SPARE)
        return -EMSGSIZE;
    if (self->error != 0)
        return -socket_take_error(self);
    if (self->shut & KERNEL_SHUT_WRITE)
        return -EPIPE;
    if (self->charged >= self->sndbuf)
        return -EAGAIN;
    code = datagram_reach(k, socket, size);
    if (code < 0) {
        local_undo(k, socket);
        return code;
    }
    record_push(k, self->peer, socket, bytes, size, record_charge(size, LOCAL_HEAD));
    datagram_wake(k, self->peer, OS_IN | KERNEL_PRI);
    return size;
}

static long datagram_send(struct kernel *k, uint32_t socket, const void *bytes, size_t size,
                          unsigned flags)
{
    if (flags & KERNEL_OOB)
        return -EOPNOTSUPP;
    if (size > INT32_MAX)
        return -EMSGSIZE;
    if (datagram_local(socket_at(k, socket)))
        return datagram_send_local(k, socket, bytes, (uint32_t)size);
    return datagram_send_udp(k, socket, bytes, (uint32_t)size);
}

/* Receiving: one record a read, what does not fit is cut off. A shut socket reads EAGAIN (E95). */
static long datagram_recv(struct kernel *k, uint32_t socket, void *bytes, size_t size,
                          unsigned flags)
{
    struct socket *self = socket_at(k, socket);
    const struct record *first = record_first(k, socket);
    uint32_t whole;
    uint32_t part;

    if (flags & KERNEL_OOB)
        return -EOPNOTSUPP;
    if (self->error != 0)
        return -socket_take_error(self);
    if (first == NULL)
        return -EAGAIN;
    whole = first->length;
    part = size < whole ? (uint32_t)size : whole;
    chain_copy(k, &self->in, 0, bytes, part);
    if (!(flags & KERNEL_PEEK)) {
        if (self->record_count == LOCAL_QUEUE + 1)
            datagram_relieve(k, socket, OS_OUT);
        local_pop(k, socket);
    }
    return flags & KERNEL_TRUNC ? whole : part;
}

static long datagram_unread(struct kernel *k, uint32_t socket)
{
    const struct record *first = record_first(k, socket);

    return first == NULL ? 0 : first->length;
}

static long datagram_unacked(const struct kernel *k, uint32_t socket)
{
    return socket_peek(k, socket)->charged;
}

/* Ends. */

static int datagram_shutdown(struct kernel *k, uint32_t socket, unsigned how)
{
    struct socket *self = socket_at(k, socket);

    self->shut |= how;
    datagram_wake(k, socket, KERNEL_KEYLESS);
    return !datagram_local(self) && self->state == SOCKET_CLOSED ? -ENOTCONN : 0;
}

static void datagram_close(struct kernel *k, uint32_t socket, uint32_t mode)
{
    (void)mode;
    if (datagram_local(socket_at(k, socket))) {
        datagram_relieve(k, socket, KERNEL_KEYLESS);
        local_drain(k, socket);
    }
    for (uint32_t i = 1; i <= k->sockets.count; i++) {
        struct socket *other = socket_at(k, i);

        if (other->type == DESCRIPTION_DATAGRAM && other->peer == socket)
            other->peer = 0;
    }
    socket_free(k, socket);
}

static bool datagram_writable(struct kernel *k, uint32_t socket)
{
    const struct socket *self = socket_at(k, socket);

    if (!datagram_local(self))
        return true;
    return local_writable(self) && !datagram_full(k, socket);
}

static uint32_t datagram_level(struct kernel *k, uint32_t socket, uint32_t mode, uint32_t asked)
{
    const struct socket *self = socket_at(k, socket);
    uint32_t level = 0;

    (void)mode;
    if (self->error != 0)
        level |= OS_ERR;
    if (self->shut & KERNEL_SHUT_READ)
        level |= OS_IN | OS_RDHUP;
    if (self->shut == SOCKET_BOTH)
        level |= OS_HUP;
    if (self->record_count > 0)
        level |= OS_IN;
    if ((!datagram_local(self) || (asked & OS_OUT)) && datagram_writable(k, socket))
        level |= OS_OUT;
    return level;
}

static long datagram_read(struct kernel *k, uint32_t socket, void *bytes, size_t size)
{
    return size == 0 ? 0 : datagram_recv(k, socket, bytes, size, 0);
}

static long datagram_write(struct kernel *k, uint32_t socket, const void *bytes, size_t size)
{
    return datagram_send(k, socket, bytes, size, 0);
}

static void datagram_changed(struct kernel *k, uint32_t socket, int option)
{
    if (option == KERNEL_SNDBUF && !datagram_local(socket_at(k, socket)))
        datagram_wake(k, socket, OS_OUT);
    else
        local_changed(k, socket, option);
}

static const struct socket_ops datagram_socket_ops = {
    .listen = datagram_listen,
    .connect = datagram_connect,
    .shutdown = datagram_shutdown,
    .send = datagram_send,
    .recv = datagram_recv,
    .unacked = datagram_unacked,
    .changed = datagram_changed,
};

const struct description_ops datagram_ops = {
    .level = datagram_level,
    .watch = socket_watch,
    .read = datagram_read,
    .write = datagram_write,
    .unread = datagram_unread,
    .close = datagram_close,
    .socket = &datagram_socket_ops,
};
