/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_DESCRIPTION_H
#define EDGEWISE_SIM_KERNEL_DESCRIPTION_H

/* Open file descriptions: what numbers refer to, and items watch. Each has a type, a table of what
 * can be done with it, and a body, the object that the type keeps. */

#include <stddef.h>
#include <stdint.h>

struct kernel;
struct watch;
struct kernel_address;

#define DESCRIPTION_TYPES(X) \
    X(EPOLL, epoll)          \
    X(PIPE, pipe)            \
    X(COUNTER, counter)      \
    X(TIMER, timer)          \
    X(STREAM, stream)        \
    X(LOCAL, local)          \
    X(DATAGRAM, datagram)

enum description_type {
    DESCRIPTION_NONE,
#define X(name, word) DESCRIPTION_##name,
    DESCRIPTION_TYPES(X)
#undef X
        DESCRIPTION_TYPE_COUNT
};

enum description_mode {
    DESCRIPTION_READ = 1 << 0,
    DESCRIPTION_WRITE = 1 << 1,
};

struct description {
    uint32_t type;
    uint32_t body; /* a handle in the type's own slab */
    uint32_t mode; /* description_mode, and more that a type keeps above */
    uint32_t references; /* descriptor numbers */
};

/* What a socket can do besides; 0, a count, or -errno. */
struct socket_ops {
    int (*listen)(struct kernel *k, uint32_t socket, uint32_t backlog);
    int (*connect)(struct kernel *k, uint32_t socket, const struct kernel_address *address);
    int (*shutdown)(struct kernel *k, uint32_t socket, unsigned how);
    long (*send)(struct kernel *k, uint32_t socket, const void *bytes, size_t size,
                 unsigned flags);
    long (*recv)(struct kernel *k, uint32_t socket, void *bytes, size_t size, unsigned flags);
    long (*unacked)(const struct kernel *k, uint32_t socket);
    /* An option that means something to it has been set. */
    void (*changed)(struct kernel *k, uint32_t socket, int option);
};

/* A member may be NULL when the type has no such thing. `mode` is the description's. */
struct description_ops {
    /* The bits of poll, asked for `asked`. */
    uint32_t (*level)(struct kernel *k, uint32_t body, uint32_t mode, uint32_t asked);
    struct watch *(*watch)(struct kernel *k, uint32_t body, uint32_t mode);
    long (*read)(struct kernel *k, uint32_t body, void *bytes, size_t size);
    long (*write)(struct kernel *k, uint32_t body, const void *bytes, size_t size);
    long (*unread)(struct kernel *k, uint32_t body);
    /* The last reference is gone. */
    void (*close)(struct kernel *k, uint32_t body, uint32_t mode);
    const struct socket_ops *socket;
};

/* A description with no reference yet; 0 when all are taken. */
uint32_t description_new(struct kernel *k, enum description_type type, uint32_t body,
                         uint32_t mode);
/* Gives back one that never got a reference; its body is left alone. */
void description_drop(struct kernel *k, uint32_t description);
/* One reference more, one less; the last one closes. */
void description_hold(struct kernel *k, uint32_t description);
void description_release(struct kernel *k, uint32_t description);

/* The description behind a handle, its table, and the table of a type. */
const struct description *description_at(const struct kernel *k, uint32_t description);
const struct description_ops *description_ops(const struct kernel *k, uint32_t description);
const struct description_ops *description_ops_of(uint32_t type);

/* Its level, for somebody who asks for these bits, and its wait queue. */
uint32_t description_level(struct kernel *k, uint32_t description, uint32_t asked);
struct watch *description_watch(struct kernel *k, uint32_t description);

#endif
