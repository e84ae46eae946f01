/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/flow.h"

#include <errno.h>

#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/stream.h"

/* A write that is not larger than this leaves as one. */
#define CHUNK (UINT32_C(1) << 30)

static uint32_t flow_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Linux keeps a part of the buffer for what it costs to hold the bytes. */
static uint32_t flow_window(const struct socket *self)
{
    uint32_t window = self->rcvbuf - self->rcvbuf / 8;

    return self->in.length < window ? window - self->in.length : 0;
}

static bool flow_at_mark(const struct socket *self)
{
    return (self->flags & SOCKET_URGENT) && self->urgent_at == 0 &&
           !(self->flags & SOCKET_OOBINLINE);
}

/* A full window counts as enough, however much somebody waits for. */
bool flow_readable(const struct socket *self)
{
    if (self->in.length == 0)
        return false;
    return self->in.length >= self->lowat + flow_at_mark(self) || flow_window(self) == 0;
}

bool flow_writable(const struct socket *self)
{
    uint32_t queued = self->out.length;

    return queued <= self->sndbuf && self->sndbuf - queued >= queued / 2;
}

/* Arrival. */

/* A new mark. An older one whose byte is next is dropped, as nobody would read it (E98). */
static void flow_mark(struct kernel *k, struct socket *self, uint32_t at)
{
    uint8_t byte;

    if (flow_at_mark(self) && at > 0) {
        chain_drop(k, &self->in, 1);
        at--;
    }
    chain_copy(k, &self->in, at, &byte, 1);
    self->urgent_at = at;
    self->urgent_byte = byte;
    self->flags |= SOCKET_URGENT | SOCKET_URGENT_VALID;
}

/* `moved` bytes have come from `from`; its mark may be among them. */
static void flow_arrive(struct kernel *k, struct socket *from, struct socket *to, uint32_t moved)
{
    uint32_t before = to->in.length - moved;

    if (from->urgent_sent == 0) {
    } else if (from->urgent_sent <= moved) {
        flow_mark(k, to, before + from->urgent_sent - 1);
        from->urgent_sent = 0;
    } else {
        from->urgent_sent -= moved;
    }
    if (flow_readable(to) || (to->flags & SOCKET_URGENT_VALID))
        watch_wake(k, &to->watch, OS_IN | KERNEL_PRI);
}

/* Room again for who found none (E38). */
static void flow_freed(struct kernel *k, struct socket *self)
{
    if (!(self->flags & SOCKET_NO_SPACE) || !flow_writable(self))
        return;
    self->flags &= ~(uint32_t)SOCKET_NO_SPACE;
    watch_wake(k, &self->watch, OS_OUT);
}

/* Urgent data is looked at before it is refused. */
static void flow_refuse(struct kernel *k, struct socket *from, uint32_t to)
{
    struct socket *self = socket_at(k, to);
    uint8_t byte;

    if (from->urgent_sent != 0) {
        chain_copy(k, &from->out, from->urgent_sent - 1, &byte, 1);
        self->urgent_byte = byte;
        self->flags |= SOCKET_URGENT_VALID;
    }
    stream_refuse_data(k, to);
}

static bool flow_refused(const struct socket *to)
{
    return (to->shut & KERNEL_SHUT_READ) &&
           (to->state == SOCKET_FIN_WAIT_1 || to->state == SOCKET_FIN_WAIT_2);
}

void flow_push(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);
    struct socket *to;
    uint32_t moved;

    if (self->peer == 0)
        return;
    to = socket_at(k, self->peer);
    if (self->out.length > 0 && flow_refused(to)) {
        flow_refuse(k, self, self->peer);
        return;
    }
    moved = chain_move(k, &self->out, &to->in, flow_least(self->out.length, flow_window(to)));
    if (moved > 0) {
        flow_arrive(k, self, to, moved);
        flow_freed(k, self);
    }
    if (self->out.length == 0 && (self->flags & SOCKET_FIN_WAITS))
        stream_fin_leaves(k, socket);
}

/* Sending. */

static bool flow_may_send(const struct socket *self)
{
    return self->state == SOCKET_ESTABLISHED || self->state == SOCKET_CLOSE_WAIT;
}

/* Why nothing can be sent: 0 when it can. */
static int flow_send_error(struct socket *self)
{
    if (!flow_may_send(self)) {
        int none = self->state == SOCKET_SYN_SENT ? -EAGAIN : -EPIPE;

        return stream_error_or(self, none);
    }
    if (self->error != 0 || (self->shut & KERNEL_SHUT_WRITE))
        return stream_error_or(self, -EPIPE);
    return 0;
}

/* What nothing stands before goes straight to the receiver, as far as its window; how much. */
static uint32_t flow_pass(struct kernel *k, struct socket *self, const void *bytes, uint32_t size)
{
    struct socket *to = socket_at(k, self->peer);
    uint32_t part = flow_least(size, flow_window(to));

    if (self->out.length > 0 || flow_refused(to))
        return 0;
    part = flow_least(part, chain_room(k, &to->in));
    chain_append(k, &to->in, bytes, part);
    return part;
}

long flow_send(struct kernel *k, uint32_t socket, const void *bytes, size_t size, unsigned flags)
{
    struct socket *self = socket_at(k, socket);
    int error = flow_send_error(self);
    uint32_t room;
    uint32_t part;
    uint32_t passed;

    if (error < 0 || size == 0)
        return error;
    room = self->out.length < self->sndbuf ? self->sndbuf - self->out.length : 0;
    part = flow_least(size < CHUNK ? (uint32_t)size : CHUNK, room);
    if (part < size)
        self->flags |= SOCKET_NO_SPACE;
    if (part == 0)
        return -EAGAIN;
    passed = flow_pass(k, self, bytes, part);
    part = passed + flow_least(part - passed, chain_room(k, &self->out));
    if (part == 0)
        return -ENOBUFS;
    chain_append(k, &self->out, (const uint8_t *)bytes + passed, part - passed);
    if ((flags & KERNEL_OOB) && part == size)
        self->urgent_sent = passed + self->out.length;
    if (passed > 0) {
        flow_arrive(k, self, socket_at(k, self->peer), passed);
        flow_freed(k, self);
    }
    flow_push(k, socket);
    return (long)part;
}

/* Receiving. */

/* A read in progress: `at` is its place in `in`. */
struct flow_read {
    struct kernel *k;
    struct socket *self;
    uint8_t *bytes;
    uint32_t size;
    uint32_t done;
    uint32_t at;
    bool mark; /* it has not passed the mark */
};

/* Copies up to the mark, or from behind it: the byte at it is left out unless it is inline. */
static void flow_read_on(struct flow_read *read)
{
    const struct socket *self = read->self;
    uint32_t part = flow_least(read->size - read->done, self->in.length - read->at);

    if (read->mark && self->urgent_at - read->at < part) {
        if (self->urgent_at != read->at) {
            part = self->urgent_at - read->at;
        } else {
            read->mark = false;
            if (!(self->flags & SOCKET_OOBINLINE)) {
                read->at++;
                part--;
            }
        }
    }
    chain_copy(read->k, &self->in, read->at, read->bytes + read->done, part);
    read->at += part;
    read->done += part;
}

/* What there is, up to the mark, and from it on if it comes first (E98). */
static void flow_read_all(struct flow_read *read)
{
    const struct socket *self = read->self;

    do {
        if (read->at == self->in.length)
            break;
        if (read->mark && self->urgent_at == read->at && read->done > 0)
            break;
        flow_read_on(read);
    } while (read->done < read->size);
}

/* The bytes that a read passed are gone, and the mark with them. */
static void flow_consume(struct flow_read *read)
{
    struct socket *self = read->self;

    chain_drop(read->k, &self->in, read->at);
    if ((self->flags & SOCKET_URGENT) && !read->mark) {
        self->flags &= ~(uint32_t)(SOCKET_URGENT | SOCKET_URGENT_VALID);
        self->urgent_at = self->urgent_byte = 0;
    } else if (self->flags & SOCKET_URGENT) {
        self->urgent_at -= read->at;
    }
}

/* Nothing was there to read: 0 is the end (E71). */
static int flow_nothing(struct socket *self)
{
    if (self->flags & SOCKET_DONE)
        return 0;
    if (self->error != 0)
        return -socket_take_error(self);
    if (self->shut & KERNEL_SHUT_READ)
        return 0;
    return self->state == SOCKET_CLOSED ? -ENOTCONN : -EAGAIN;
}

static long flow_recv_urgent(struct socket *self, uint8_t *bytes, size_t size, unsigned flags)
{
    if ((self->flags & SOCKET_OOBINLINE) || !(self->flags & SOCKET_URGENT_VALID))
        return -EINVAL;
    if (self->state == SOCKET_CLOSED && !(self->flags & SOCKET_DONE))
        return -ENOTCONN;
    if (!(flags & KERNEL_PEEK))
        self->flags &= ~(uint32_t)SOCKET_URGENT_VALID;
    if (size == 0)
        return 0;
    bytes[0] = (uint8_t)self->urgent_byte;
    return 1;
}

long flow_recv(struct kernel *k, uint32_t socket, void *bytes, size_t size, unsigned flags)
{
    struct socket *self = socket_at(k, socket);
    struct flow_read read = {
        .k = k, .self = self, .bytes = bytes,
        .size = size < CHUNK ? (uint32_t)size : CHUNK,
        .mark = (self->flags & SOCKET_URGENT) != 0,
    };
    bool empty;

    if (self->state == SOCKET_LISTEN)
        return -ENOTCONN;
    if (flags & KERNEL_OOB)
        return flow_recv_urgent(self, bytes, size, flags);
    flow_read_all(&read);
    empty = read.at == self->in.length;
    if (!(flags & KERNEL_PEEK) && read.at > 0) {
        flow_consume(&read);
        if (self->peer != 0)
            flow_push(k, self->peer);
    }
    if (read.done > 0 || (size == 0 && !empty))
        return (long)read.done;
    return flow_nothing(self);
}

long flow_unread(struct kernel *k, uint32_t socket)
{
    const struct socket *self = socket_at(k, socket);

    if (self->state == SOCKET_LISTEN)
        return -EINVAL;
    if ((self->flags & SOCKET_URGENT) && !(self->flags & SOCKET_OOBINLINE))
        return self->urgent_at;
    return self->in.length;
}

long flow_unacked(const struct kernel *k, uint32_t socket)
{
    const struct socket *self = socket_peek(k, socket);

    if (self->state == SOCKET_LISTEN)
        return -EINVAL;
    return self->out.length + ((self->flags & SOCKET_FIN_WAITS) != 0);
}

void flow_changed(struct kernel *k, uint32_t socket, int option)
{
    struct socket *self = socket_at(k, socket);

    if (option == KERNEL_RCVLOWAT) {
        self->lowat = flow_least(self->lowat, self->rcvbuf / 2);
        if (flow_readable(self) || (self->flags & SOCKET_DONE))
            watch_wake(k, &self->watch, OS_IN | KERNEL_PRI);
    } else if (option == KERNEL_SNDBUF && flow_writable(self)) {
        self->flags &= ~(uint32_t)SOCKET_NO_SPACE;
        watch_wake(k, &self->watch, OS_OUT);
    } else if (option == KERNEL_RCVBUF && self->peer != 0) {
        flow_push(k, self->peer);
    }
}
