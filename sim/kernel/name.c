/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/name.h"

#include <errno.h>
#include <string.h>

#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/socket.h"

#define PORT_FIRST 32768
#define PORT_LAST  60999

static bool name_any_host(const struct kernel_address *address)
{
    static const uint8_t none[KERNEL_NAME_MAX];

    return memcmp(address->bytes, none, sizeof(none)) == 0;
}

static bool name_given(const struct kernel_address *address)
{
    return address->domain == KERNEL_LOCAL ? address->length > 0 : address->port != 0;
}

/* Whether a socket holds its address: a TCP connection that is over keeps only what bind chose, and
 * a UNIX connection has its listener's for show. */
static bool name_held(const struct socket *self)
{
    if (self->flags & SOCKET_BOUND)
        return true;
    return self->type != DESCRIPTION_LOCAL && name_given(&self->local) &&
           (self->type != DESCRIPTION_STREAM || self->state != SOCKET_CLOSED);
}

bool name_meets(const struct kernel_address *bound, const struct kernel_address *asked)
{
    if (bound->domain != asked->domain || bound->port != asked->port ||
        bound->length != asked->length)
        return false;
    if (memcmp(bound->bytes, asked->bytes, sizeof(bound->bytes)) == 0)
        return true;
    return bound->domain != KERNEL_LOCAL && name_any_host(bound);
}

/* Streams of TCP share a port only when both allow it and neither listens; connections that were
 * accepted have their listener's. */
static bool name_clash(const struct socket *self, const struct socket *other)
{
    if (self->type != other->type && self->local.domain != KERNEL_LOCAL)
        return false;
    if (other->local.domain != KERNEL_LOCAL && !(other->flags & SOCKET_BOUND) &&
        other->type == DESCRIPTION_STREAM)
        return false;
    return !(self->type == DESCRIPTION_STREAM && other->state != SOCKET_LISTEN &&
             (self->flags & other->flags & SOCKET_REUSEADDR));
}

static bool name_in_use(const struct kernel *k, uint32_t socket,
                        const struct kernel_address *address)
{
    for (uint32_t i = 1; i <= k->sockets.count; i++) {
        const struct socket *other = socket_peek(k, i);

        if (i == socket || !slab_taken(k, &k->sockets, i) || !name_held(other))
            continue;
        if ((name_meets(&other->local, address) || name_meets(address, &other->local)) &&
            name_clash(socket_peek(k, socket), other))
            return true;
    }
    return false;
}

/* Whether anybody at all has this port. */
static bool name_port_taken(const struct kernel *k, uint32_t type, uint16_t port)
{
    for (uint32_t i = 1; i <= k->sockets.count; i++) {
        const struct socket *other = socket_peek(k, i);

        if (other->type == type && other->local.domain != KERNEL_LOCAL &&
            other->local.port == port && name_held(other))
            return true;
    }
    return false;
}

static uint16_t name_free_port(struct kernel *k, uint32_t type)
{
    for (uint32_t i = PORT_FIRST; i <= PORT_LAST; i++) {
        uint16_t port = k->next_port;

        k->next_port = port == PORT_LAST ? PORT_FIRST : (uint16_t)(port + 1);
        if (!name_port_taken(k, type, port))
            return port;
    }
    return 0;
}

int name_bind(struct kernel *k, uint32_t socket, const struct kernel_address *address)
{
    struct socket *self = socket_at(k, socket);
    struct kernel_address wanted = *address;

    if (name_held(self) || self->local.length > 0 || address->domain != self->local.domain)
        return -EINVAL;
    if (address->domain == KERNEL_LOCAL && address->length == 0)
        return -EINVAL;
    if (address->domain != KERNEL_LOCAL && address->port == 0)
        wanted.port = name_free_port(k, self->type);
    if (!name_given(&wanted) || name_in_use(k, socket, &wanted))
        return -EADDRINUSE;
    self->local = wanted;
    self->flags |= SOCKET_BOUND;
    if (!name_any_host(&wanted))
        self->flags |= SOCKET_HOST_BOUND;
    return 0;
}

int name_autobind(struct kernel *k, uint32_t socket, const struct kernel_address *host)
{
    struct socket *self = socket_at(k, socket);
    struct kernel_address wanted = *host;

    if (!name_held(self)) {
        wanted.port = name_free_port(k, self->type);
        if (wanted.port == 0)
            return -EADDRINUSE;
        if (self->flags & SOCKET_HOST_BOUND)
            memcpy(wanted.bytes, self->local.bytes, sizeof(wanted.bytes));
        self->local = wanted;
    } else if (name_any_host(&self->local)) {
        memcpy(self->local.bytes, host->bytes, sizeof(host->bytes));
    }
    return 0;
}

void name_release(struct kernel *k, uint32_t socket)
{
    struct socket *self = socket_at(k, socket);

    if (!(self->flags & SOCKET_HOST_BOUND))
        memset(self->local.bytes, 0, sizeof(self->local.bytes));
    if (!(self->flags & SOCKET_BOUND) && self->type != DESCRIPTION_STREAM)
        self->local.port = 0;
}

uint32_t name_listener(const struct kernel *k, uint32_t type, const struct kernel_address *address)
{
    for (uint32_t i = 1; i <= k->sockets.count; i++) {
        const struct socket *self = socket_peek(k, i);

        if (self->type == type && self->state == SOCKET_LISTEN &&
            name_meets(&self->local, address))
            return i;
    }
    return 0;
}

uint32_t name_receiver(const struct kernel *k, const struct kernel_address *address,
                       const struct kernel_address *from)
{
    for (uint32_t i = 1; i <= k->sockets.count; i++) {
        const struct socket *self = socket_peek(k, i);

        if (self->type != DESCRIPTION_DATAGRAM || !name_given(&self->local) ||
            !name_meets(&self->local, address))
            continue;
        if (address->domain == KERNEL_LOCAL || self->state != SOCKET_ESTABLISHED ||
            name_meets(&self->remote, from))
            return i;
    }
    return 0;
}
