/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SYS_H
#define EDGEWISE_HARNESS_SYS_H

/*
 * How a program sees a kernel: a table of calls, so that peers and the tests of kernel facts run
 * alike on the real kernel, on a simulated one, and on a TCP of our own. Every call takes `self`
 * first and returns >= 0 or -errno. Addresses, options, flags and event bits are the words of
 * <sys/socket.h>, <netinet/tcp.h>, <poll.h> and <sys/epoll.h>; time is that of core/instant.h. A
 * call is added with its first user.
 *
 * Every descriptor that a call makes is nonblocking and close-on-exec; only poll, epoll_wait and
 * sleep_until may sleep. No call raises SIGPIPE.
 */

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "core/instant.h"

/* The most events that one epoll_wait may be asked for. */
#define SYS_EVENTS_MAX 1024

struct sys_ops {
    /* The monotonic clock. Cannot fail. */
    struct instant (*now)(void *self);
    /* Returns 0 once `deadline` has come, never earlier; signals do not end it. */
    int (*sleep_until)(void *self, struct instant deadline);

    int (*socket)(void *self, int domain, int type, int protocol);
    /* ret_ends[0] is read, ret_ends[1] is written; untouched on failure. */
    int (*pipe)(void *self, int ret_ends[2]);
    int (*dup)(void *self, int fd);
    int (*close)(void *self, int fd);
    /* The number under which the kernel's socket diagnosis knows `fd`; 1 .. UINT32_MAX. */
    long (*inode)(void *self, int fd);

    int (*bind)(void *self, int fd, const struct sockaddr *address, socklen_t length);
    int (*listen)(void *self, int fd, int backlog);
    int (*accept)(void *self, int fd);
    int (*connect)(void *self, int fd, const struct sockaddr *address, socklen_t length);
    int (*shutdown)(void *self, int fd, int how);
    int (*getsockname)(void *self, int fd, struct sockaddr_storage *ret_address,
                       socklen_t *ret_length);
    int (*setsockopt)(void *self, int fd, int level, int name, const void *value,
                      socklen_t length);
    /* `length` is the room in, the length out. */
    int (*getsockopt)(void *self, int fd, int level, int name, void *value, socklen_t *length);

    /* Bytes moved. `flags` are MSG_ bits. */
    long (*send)(void *self, int fd, const void *bytes, size_t size, int flags);
    long (*recv)(void *self, int fd, void *bytes, size_t size, int flags);
    long (*write)(void *self, int fd, const void *bytes, size_t size);
    long (*read)(void *self, int fd, void *bytes, size_t size);
    /* Bytes that a read would find; a pipe answers at both ends. */
    long (*unread)(void *self, int fd);
    /* Bytes sent that the other side has not acknowledged; a FIN among them counts 1 (E120). */
    long (*unacked)(void *self, int fd);

    /* The count of descriptors with an event, 0 at the deadline (INSTANT_PAST: only looks),
     * -EINTR. */
    int (*poll)(void *self, struct pollfd *entries, unsigned count, struct instant deadline);
    int (*epoll_create)(void *self);
    /* `event` is ignored by EPOLL_CTL_DEL. */
    int (*epoll_ctl)(void *self, int epoll, int op, int fd, const struct epoll_event *event);
    /* As poll; `max` is 1 .. SYS_EVENTS_MAX. */
    int (*epoll_wait)(void *self, int epoll, struct epoll_event *ret_events, int max,
                      struct instant deadline);
    int (*eventfd)(void *self, unsigned value);
    /* `fd` under the number `onto` too, which is closed before if it is open. */
    int (*dup_onto)(void *self, int fd, int onto);
    /* A timer on the clock of `now`. It fires at `first` (INSTANT_NEVER: not at all; what is past:
     * at once), then each `period` (0: once). */
    int (*timerfd)(void *self);
    int (*timerfd_set)(void *self, int fd, struct instant first, struct duration period);
    /* Opens a FIFO, made if there is none at `path`, for reading or for writing. */
    int (*fifo)(void *self, const char *path, int writes);
};

/* A table and the value that its calls take first. */
struct sys {
    const struct sys_ops *ops;
    void *self;
};

static inline struct instant sys_now(struct sys sys)
{
    return sys.ops->now(sys.self);
}

static inline int sys_sleep_until(struct sys sys, struct instant deadline)
{
    return sys.ops->sleep_until(sys.self, deadline);
}

static inline int sys_socket(struct sys sys, int domain, int type, int protocol)
{
    return sys.ops->socket(sys.self, domain, type, protocol);
}

static inline int sys_pipe(struct sys sys, int ret_ends[2])
{
    return sys.ops->pipe(sys.self, ret_ends);
}

static inline int sys_dup(struct sys sys, int fd)
{
    return sys.ops->dup(sys.self, fd);
}

static inline int sys_close(struct sys sys, int fd)
{
    return sys.ops->close(sys.self, fd);
}

static inline long sys_inode(struct sys sys, int fd)
{
    return sys.ops->inode(sys.self, fd);
}

static inline int sys_bind(struct sys sys, int fd, const struct sockaddr *address, socklen_t length)
{
    return sys.ops->bind(sys.self, fd, address, length);
}

static inline int sys_listen(struct sys sys, int fd, int backlog)
{
    return sys.ops->listen(sys.self, fd, backlog);
}

static inline int sys_accept(struct sys sys, int fd)
{
    return sys.ops->accept(sys.self, fd);
}

static inline int sys_connect(struct sys sys, int fd, const struct sockaddr *address,
                              socklen_t length)
{
    return sys.ops->connect(sys.self, fd, address, length);
}

static inline int sys_shutdown(struct sys sys, int fd, int how)
{
    return sys.ops->shutdown(sys.self, fd, how);
}

static inline int sys_getsockname(struct sys sys, int fd, struct sockaddr_storage *ret_address,
                                  socklen_t *ret_length)
{
    return sys.ops->getsockname(sys.self, fd, ret_address, ret_length);
}

static inline int sys_setsockopt(struct sys sys, int fd, int level, int name, const void *value,
                                 socklen_t length)
{
    return sys.ops->setsockopt(sys.self, fd, level, name, value, length);
}

static inline int sys_getsockopt(struct sys sys, int fd, int level, int name, void *value,
                                 socklen_t *length)
{
    return sys.ops->getsockopt(sys.self, fd, level, name, value, length);
}

static inline long sys_send(struct sys sys, int fd, const void *bytes, size_t size, int flags)
{
    return sys.ops->send(sys.self, fd, bytes, size, flags);
}

static inline long sys_recv(struct sys sys, int fd, void *bytes, size_t size, int flags)
{
    return sys.ops->recv(sys.self, fd, bytes, size, flags);
}

static inline long sys_write(struct sys sys, int fd, const void *bytes, size_t size)
{
    return sys.ops->write(sys.self, fd, bytes, size);
}

static inline long sys_read(struct sys sys, int fd, void *bytes, size_t size)
{
    return sys.ops->read(sys.self, fd, bytes, size);
}

static inline long sys_unread(struct sys sys, int fd)
{
    return sys.ops->unread(sys.self, fd);
}

static inline long sys_unacked(struct sys sys, int fd)
{
    return sys.ops->unacked(sys.self, fd);
}

static inline int sys_poll(struct sys sys, struct pollfd *entries, unsigned count,
                           struct instant deadline)
{
    return sys.ops->poll(sys.self, entries, count, deadline);
}

static inline int sys_epoll_create(struct sys sys)
{
    return sys.ops->epoll_create(sys.self);
}

static inline int sys_epoll_ctl(struct sys sys, int epoll, int op, int fd,
                                const struct epoll_event *event)
{
    return sys.ops->epoll_ctl(sys.self, epoll, op, fd, event);
}

static inline int sys_epoll_wait(struct sys sys, int epoll, struct epoll_event *ret_events, int max,
                                 struct instant deadline)
{
    return sys.ops->epoll_wait(sys.self, epoll, ret_events, max, deadline);
}

static inline int sys_eventfd(struct sys sys, unsigned value)
{
    return sys.ops->eventfd(sys.self, value);
}

static inline int sys_dup_onto(struct sys sys, int fd, int onto)
{
    return sys.ops->dup_onto(sys.self, fd, onto);
}

static inline int sys_timerfd(struct sys sys)
{
    return sys.ops->timerfd(sys.self);
}

static inline int sys_timerfd_set(struct sys sys, int fd, struct instant first,
                                  struct duration period)
{
    return sys.ops->timerfd_set(sys.self, fd, first, period);
}

static inline int sys_fifo(struct sys sys, const char *path, int writes)
{
    return sys.ops->fifo(sys.self, path, writes);
}

#endif
