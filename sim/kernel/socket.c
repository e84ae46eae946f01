/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/socket.h"

#include <errno.h>

#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/record.h"

/* As Linux has them. */
#define BUFFER_MAX 212992
#define SNDBUF_MIN 4608
#define RCVBUF_MIN 2304

_Static_assert(sizeof(struct kernel_address) == 4 + KERNEL_NAME_MAX, "no padding");
_Static_assert(sizeof(struct socket) == 2 * sizeof(struct kernel_address) + 8 +
               2 * sizeof(struct chain) + 28 * sizeof(uint32_t), "no padding");

struct socket *socket_at(struct kernel *k, uint32_t socket)
{
    return kernel_at(k, &k->sockets, socket);
}

const struct socket *socket_peek(const struct kernel *k, uint32_t socket)
{
    return kernel_peek(k, &k->sockets, socket);
}

uint32_t socket_new(struct kernel *k, enum description_type type, enum kernel_domain domain)
{
    uint32_t handle = slab_take(k, &k->sockets);

    if (handle != 0)
        *socket_at(k, handle) = (struct socket){
            .type = type,
            .local.domain = (uint8_t)domain,
            .sndbuf = k->config.sndbuf,
            .rcvbuf = k->config.rcvbuf,
            .lowat = 1,
        };
    return handle;
}

void socket_free(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);

    if (self->peer != 0 && socket_at(k, self->peer)->peer == socket)
        socket_at(k, self->peer)->peer = 0;
    record_disown(k, socket);
    record_drop_all(k, socket);
    chain_drop(k, &self->in, self->in.length);
    chain_drop(k, &self->out, self->out.length);
    slab_give(k, &k->sockets, socket);
}

bool socket_orphan(const struct socket *self)
{
    return self->description == 0 && self->parent == 0;
}

int socket_take_error(struct socket *self)
{
    int error = self->error;

    self->error = 0;
    return error;
}

struct watch *socket_watch(struct kernel *k, uint32_t socket, uint32_t mode)
{
    (void)mode;
    return &socket_at(k, socket)->watch;
}

/* Options. */

static void socket_flag(struct socket *self, uint32_t flag, bool on)
{
    if (on)
        self->flags |= flag;
    else
        self->flags &= ~flag;
}

/* Linux doubles what is asked for, within bounds. */
static uint32_t socket_buffer(int asked, uint32_t least)
{
    uint32_t size = asked < 0 || asked > BUFFER_MAX ? BUFFER_MAX : (uint32_t)asked;

    return size * 2 > least ? size * 2 : least;
}

int socket_set(struct kernel *k, uint32_t socket, enum kernel_option option, int value)
{
    struct socket *self = socket_at(k, socket);
    const struct socket_ops *ops = description_ops_of(self->type)->socket;

    switch (option) {
    case KERNEL_SNDBUF:
        self->sndbuf = socket_buffer(value, SNDBUF_MIN);
        break;
    case KERNEL_RCVBUF:
        self->rcvbuf = socket_buffer(value, RCVBUF_MIN);
        break;
    case KERNEL_RCVLOWAT:
        self->lowat = value < 0 ? INT32_MAX : value == 0 ? 1 : (uint32_t)value;
        break;
    case KERNEL_LINGER:
        socket_flag(self, SOCKET_RESET_ON_CLOSE, value == 0);
        break;
    case KERNEL_OOBINLINE:
        socket_flag(self, SOCKET_OOBINLINE, value != 0);
        break;
    case KERNEL_REUSEADDR:
        socket_flag(self, SOCKET_REUSEADDR, value != 0);
        break;
    default:
        return -ENOPROTOOPT;
    }
    if (ops->changed)
        ops->changed(k, socket, (int)option);
    return 0;
}

int socket_get(struct kernel *k, uint32_t socket, enum kernel_option option, int *ret_value)
{
    struct socket *self = socket_at(k, socket);

    switch (option) {
    case KERNEL_ERROR:
        *ret_value = socket_take_error(self);
        return 0;
    case KERNEL_SNDBUF:
        *ret_value = (int)self->sndbuf;
        return 0;
    case KERNEL_RCVBUF:
        *ret_value = (int)self->rcvbuf;
        return 0;
    case KERNEL_RCVLOWAT:
        *ret_value = (int)self->lowat;
        return 0;
    case KERNEL_LINGER:
        *ret_value = self->flags & SOCKET_RESET_ON_CLOSE ? 0 : -1;
        return 0;
    case KERNEL_OOBINLINE:
        *ret_value = (self->flags & SOCKET_OOBINLINE) != 0;
        return 0;
    case KERNEL_REUSEADDR:
        *ret_value = (self->flags & SOCKET_REUSEADDR) != 0;
        return 0;
    default:
        return -ENOPROTOOPT;
    }
}

/* The queue of a listener. */

bool socket_queue_full(const struct socket *listener)
{
    return listener->queue_length > listener->backlog;
}

void socket_queue_push(struct kernel *k, uint32_t listener, uint32_t socket)
{
    struct socket *self = socket_at(k, listener);

    socket_at(k, socket)->parent = listener;
    if (self->queue_last == 0)
        self->queue_first = socket;
    else
        socket_at(k, self->queue_last)->queue_after = socket;
    self->queue_last = socket;
    self->queue_length++;
}

uint32_t socket_queue_pop(struct kernel *k, uint32_t listener)
{
    struct socket *self = socket_at(k, listener);
    uint32_t socket = self->queue_first;

    if (socket == 0)
        return 0;
    self->queue_first = socket_at(k, socket)->queue_after;
    if (self->queue_first == 0)
        self->queue_last = 0;
    self->queue_length--;
    socket_at(k, socket)->queue_after = 0;
    socket_at(k, socket)->parent = 0;
    return socket;
}
