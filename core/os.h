/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_OS_H
#define EDGEWISE_CORE_OS_H

/*
 * The reactor's whole view of a kernel: a table of calls. os_linux is the real one; os_record,
 * os_gate and os_fault wrap one table and are another. Every call takes `self` first and returns >=
 * 0 or -errno. A call is added with its first user.
 */

#include <stddef.h>
#include <stdint.h>

#include "core/instant.h"

/* Bits of a notice, in the order in which ledgers print them, then the modes of an interest
 * entry. */
#define OS_EVENT_BITS(X) \
    X(IN, 0)             \
    X(OUT, 1)            \
    X(RDHUP, 2)          \
    X(ERR, 3)            \
    X(HUP, 4)

enum os_event_bit {
#define X(name, bit) OS_##name = 1 << (bit),
    OS_EVENT_BITS(X)
#undef X
    OS_ET = 1 << 5,
    OS_ONESHOT = 1 << 6,
};

#define OS_MODES (OS_ET | OS_ONESHOT)

struct os_event {
    uint64_t data; /* as given to ctl */
    uint16_t events;
};

enum os_ctl {
    OS_ADD,
    OS_MOD,
    OS_DEL,
};

/* The most notices one wait may be asked for. */
#define OS_EVENTS_MAX 1024

struct os_ops {
    /* The monotonic clock. Cannot fail. */
    struct instant (*now)(void *self);
    /* Collects at most `max` (1 .. OS_EVENTS_MAX) notices; sleeps until one is there or `deadline`
     * has come (INSTANT_PAST: never sleeps). Returns the count, 0 at the deadline or at a wake;
     * -EINTR. */
    int (*wait)(void *self, struct os_event *events, int max, struct instant deadline);
    /* Adds, changes or deletes the interest entry of `fd`; `events` and `data` are ignored by
     * OS_DEL. */
    int (*ctl)(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data);
    /* Reads at most `size` (at least 1) bytes without blocking: bytes, 0 at the end, -EAGAIN,
     * -EINTR, or what ended the direction. */
    long (*read)(void *self, int fd, void *bytes, size_t size);
    /* The next pending connection of listener `fd`, nonblocking and close-on-exec, or -EAGAIN. */
    int (*accept)(void *self, int fd);
    /* Closes the number; the caller has deleted the entry before (R-ID-10). */
    int (*close)(void *self, int fd);
    /* Bytes that a read would find (FIONREAD). Asked for the journal at a stop or end only. */
    long (*unread)(void *self, int fd);
    /* Ends a sleeping wait, from any thread or signal handler; several wakes may merge into one. */
    int (*wake)(void *self);
};

/* A table and the value that its calls take first. */
struct os {
    const struct os_ops *ops;
    void *self;
};

static inline struct instant os_now(struct os os)
{
    return os.ops->now(os.self);
}

static inline int os_wait(struct os os, struct os_event *events, int max, struct instant deadline)
{
    return os.ops->wait(os.self, events, max, deadline);
}

static inline int os_ctl(struct os os, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    return os.ops->ctl(os.self, op, fd, events, data);
}

static inline long os_read(struct os os, int fd, void *bytes, size_t size)
{
    return os.ops->read(os.self, fd, bytes, size);
}

static inline int os_accept(struct os os, int fd)
{
    return os.ops->accept(os.self, fd);
}

static inline int os_close(struct os os, int fd)
{
    return os.ops->close(os.self, fd);
}

static inline long os_unread(struct os os, int fd)
{
    return os.ops->unread(os.self, fd);
}

static inline int os_wake(struct os os)
{
    return os.ops->wake(os.self);
}

#endif
