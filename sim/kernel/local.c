/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/local.h"

#include <errno.h>

#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/name.h"
#include "sim/kernel/record.h"

/* A write is cut into records of at most this, and of half the buffer; what exceeds the head of one
 * lies in pages. */
#define RECORD_MAX 48832
#define RECORD_HEAD 3776
#define RECORD_SPARE 64

static void local_wake(struct kernel *k, uint32_t socket, uint32_t key)
{
    watch_wake(k, &socket_at(k, socket)->watch, key);
}

/* Linux counts one byte more than is charged. */
bool local_writable(const struct socket *self)
{
    return self->state != SOCKET_LISTEN && 4 * (uint64_t)(self->charged + 1) <= self->sndbuf;
}

void local_undo(struct kernel *k, uint32_t socket)
{
    const struct socket *self = socket_at(k, socket);

    /* And one byte of the record itself is still charged while the wake is made. */
    if (self->state != SOCKET_LISTEN && 4 * (uint64_t)(self->charged + 2) <= self->sndbuf)
        local_wake(k, socket, OS_OUT);
}

void local_pop(struct kernel *k, uint32_t socket)
{
    uint32_t owner = record_pop(k, socket);

    if (owner != 0)
        local_undo(k, owner);
}

void local_drain(struct kernel *k, uint32_t socket)
{
    while (record_first(k, socket) != NULL)
        local_pop(k, socket);
}

void local_changed(struct kernel *k, uint32_t socket, int option)
{
    if (option == KERNEL_SNDBUF && local_writable(socket_at(k, socket)))
        local_wake(k, socket, OS_OUT);
}

/* Connecting. */

static int local_connect(struct kernel *k, uint32_t socket, const struct kernel_address *address)
{
    struct socket *self = socket_at(k, socket);
    uint32_t listener;
    uint32_t child;

    if (address->domain != KERNEL_LOCAL)
        return -EINVAL;
    listener = name_listener(k, DESCRIPTION_LOCAL, address);
    if (listener == 0 || (socket_at(k, listener)->shut & KERNEL_SHUT_READ))
        return -ECONNREFUSED;
    if (socket_queue_full(socket_at(k, listener)))
        return -EAGAIN;
    if (self->state != SOCKET_CLOSED)
        return self->state == SOCKET_ESTABLISHED ? -EISCONN : -EINVAL;
    child = socket_new(k, DESCRIPTION_LOCAL, KERNEL_LOCAL);
    if (child == 0)
        return -ENFILE;
    socket_at(k, child)->local = *address;
    socket_at(k, child)->remote = self->local;
    self->remote = *address;
    socket_at(k, child)->state = SOCKET_ESTABLISHED;
    socket_at(k, child)->peer = socket;
    self->state = SOCKET_ESTABLISHED;
    self->peer = child;
    socket_queue_push(k, listener, child);
    local_wake(k, listener, OS_IN | KERNEL_PRI);
    return 0;
}

static int local_listen(struct kernel *k, uint32_t socket, uint32_t backlog)
{
    struct socket *self = socket_at(k, socket);

    if (self->local.length == 0 ||
        (self->state != SOCKET_CLOSED && self->state != SOCKET_LISTEN))
        return -EINVAL;
    self->backlog = backlog;
    self->state = SOCKET_LISTEN;
    return 0;
}

/* Sending. */

/* The next record of a write of which `size` bytes are left. */
static uint32_t local_record_size(const struct socket *self, size_t size)
{
    uint32_t most = self->sndbuf / 2 - RECORD_SPARE;

    if (most > RECORD_MAX)
        most = RECORD_MAX;
    return size < most ? (uint32_t)size : most;
}

static int local_send_record(struct kernel *k, uint32_t socket, const uint8_t *bytes,
                             uint32_t size)
{
    struct socket *self = socket_at(k, socket);

    if (self->charged >= self->sndbuf)
        return -EAGAIN;
    if (self->peer == 0 || (socket_at(k, self->peer)->shut & KERNEL_SHUT_READ)) {
        local_undo(k, socket);
        return -EPIPE;
    }
    if (!record_room(k, self->peer, size))
        return -ENOBUFS;
    record_push(k, self->peer, socket, bytes, size, record_charge(size, RECORD_HEAD));
    local_wake(k, self->peer, OS_IN | KERNEL_PRI);
    return 0;
}

static long local_send(struct kernel *k, uint32_t socket, const void *bytes, size_t size,
                       unsigned flags)
{
    struct socket *self = socket_at(k, socket);
    size_t done = 0;

    if (flags & KERNEL_OOB)
        return -EOPNOTSUPP;
    if (self->state != SOCKET_ESTABLISHED)
        return -ENOTCONN;
    if (self->shut & KERNEL_SHUT_WRITE)
        return -EPIPE;
    while (done < size) {
        uint32_t part = local_record_size(self, size - done);
        int code = local_send_record(k, socket, (const uint8_t *)bytes + done, part);

        if (code < 0)
            return done > 0 ? (long)done : code;
        done += part;
    }
    return (long)done;
}

/* Receiving: over the borders of records (E76). */

static uint32_t local_take(struct kernel *k, uint32_t socket, uint8_t *bytes, size_t size)
{
    const struct record *first = record_first(k, socket);
    uint32_t part = size < first->length ? (uint32_t)size : first->length;

    chain_copy(k, &socket_at(k, socket)->in, 0, bytes, part);
    record_eat(k, socket, part);
    if (first->length == 0)
        local_pop(k, socket);
    return part;
}

static long local_nothing(struct socket *self)
{
    int error = socket_take_error(self);

    if (error != 0)
        return -error;
    return self->shut & KERNEL_SHUT_READ ? 0 : -EAGAIN;
}

static long local_recv(struct kernel *k, uint32_t socket, void *bytes, size_t size,
                       unsigned flags)
{
    struct socket *self = socket_at(k, socket);
    size_t done = 0;

    if (flags & KERNEL_OOB)
        return -EINVAL;
    if (self->state != SOCKET_ESTABLISHED)
        return -EINVAL;
    if (record_first(k, socket) == NULL)
        return local_nothing(self);
    if (flags & KERNEL_PEEK) {
        done = size < self->in.length ? size : self->in.length;
        chain_copy(k, &self->in, 0, bytes, (uint32_t)done);
        return (long)done;
    }
    while (done < size && record_first(k, socket) != NULL)
        done += local_take(k, socket, (uint8_t *)bytes + done, size - done);
    return (long)done;
}

static long local_unread(struct kernel *k, uint32_t socket)
{
    const struct socket *self = socket_at(k, socket);

    return self->state == SOCKET_LISTEN ? -EINVAL : (long)self->in.length;
}

static long local_unacked(const struct kernel *k, uint32_t socket)
{
    return socket_peek(k, socket)->charged;
}

/* Shutting is symmetric: what one end stops doing, the other stops getting (E88). */
static int local_shutdown(struct kernel *k, uint32_t socket, unsigned how)
{
    struct socket *self = socket_at(k, socket);

    self->shut |= how;
    local_wake(k, socket, KERNEL_KEYLESS);
    if (self->peer == 0)
        return 0;
    if (how & KERNEL_SHUT_READ)
        socket_at(k, self->peer)->shut |= KERNEL_SHUT_WRITE;
    if (how & KERNEL_SHUT_WRITE)
        socket_at(k, self->peer)->shut |= KERNEL_SHUT_READ;
    local_wake(k, self->peer, KERNEL_KEYLESS);
    return 0;
}

/* `lost`: the other end hears that something of its was not read, or not accepted (E87). */
static void local_end(struct kernel *k, uint32_t socket, bool lost)
{
    struct socket *self = socket_at(k, socket);
    uint32_t peer = self->peer;

    self->shut = SOCKET_BOTH;
    if (peer != 0) {
        socket_at(k, peer)->shut = SOCKET_BOTH;
        if (lost || record_first(k, socket) != NULL)
            socket_at(k, peer)->error = ECONNRESET;
        local_wake(k, peer, KERNEL_KEYLESS);
    }
    local_drain(k, socket);
    socket_free(k, socket);
}

static void local_close(struct kernel *k, uint32_t socket, uint32_t mode)
{
    uint32_t waiting;

    (void)mode;
    while ((waiting = socket_queue_pop(k, socket)) != 0)
        local_end(k, waiting, true);
    local_end(k, socket, false);
}

static uint32_t local_level(struct kernel *k, uint32_t socket, uint32_t mode, uint32_t asked)
{
    const struct socket *self = socket_at(k, socket);
    uint32_t level = 0;

    (void)mode;
    (void)asked;
    if (self->error != 0)
        level |= OS_ERR;
    if (self->shut == SOCKET_BOTH || self->state == SOCKET_CLOSED)
        level |= OS_HUP;
    if (self->shut & KERNEL_SHUT_READ)
        level |= OS_IN | OS_RDHUP;
    if (self->record_count > 0 || self->queue_length > 0)
        level |= OS_IN;
    if (local_writable(self))
        level |= OS_OUT;
    return level;
}

static long local_read(struct kernel *k, uint32_t socket, void *bytes, size_t size)
{
    return size == 0 ? 0 : local_recv(k, socket, bytes, size, 0);
}

static long local_write(struct kernel *k, uint32_t socket, const void *bytes, size_t size)
{
    return local_send(k, socket, bytes, size, 0);
}

static const struct socket_ops local_socket_ops = {
    .listen = local_listen,
    .connect = local_connect,
    .shutdown = local_shutdown,
    .send = local_send,
    .recv = local_recv,
    .unacked = local_unacked,
    .changed = local_changed,
};

const struct description_ops local_ops = {
    .level = local_level,
    .watch = socket_watch,
    .read = local_read,
    .write = local_write,
    .unread = local_unread,
    .close = local_close,
    .socket = &local_socket_ops,
};
