/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_linux.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

/* No identity has generation 0, so this word names none. */
#define WAKE_DATA (UINT64_MAX >> 32)

struct os_linux {
    int epoll;
    int wake;
    struct epoll_event events[OS_EVENTS_MAX];
};

static const struct {
    uint16_t ours;
    uint32_t theirs;
} os_linux_bits[] = {
    {OS_IN, EPOLLIN},   {OS_OUT, EPOLLOUT}, {OS_RDHUP, EPOLLRDHUP},     {OS_ERR, EPOLLERR},
    {OS_HUP, EPOLLHUP}, {OS_ET, EPOLLET},   {OS_ONESHOT, EPOLLONESHOT},
};

static uint32_t os_linux_to_kernel(uint16_t ours)
{
    uint32_t theirs = 0;

    for (size_t i = 0; i < sizeof(os_linux_bits) / sizeof(*os_linux_bits); i++)
        if (ours & os_linux_bits[i].ours)
            theirs |= os_linux_bits[i].theirs;
    return theirs;
}

static uint16_t os_linux_from_kernel(uint32_t theirs)
{
    uint16_t ours = 0;

    for (size_t i = 0; i < sizeof(os_linux_bits) / sizeof(*os_linux_bits); i++)
        if (theirs & os_linux_bits[i].theirs)
            ours |= os_linux_bits[i].ours;
    return ours;
}

static long os_linux_result(long rc)
{
    return rc < 0 ? -errno : rc;
}

static struct instant os_linux_now(void *self)
{
    struct timespec ts;

    (void)self;
    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (struct instant){(int64_t)ts.tv_sec * NS_PER_S + ts.tv_nsec};
}

/* The time-out is relative, so what is left is computed afresh for every wait; in nanoseconds,
 * since a rounded one is either early or a spin. */
static int os_linux_sleep(struct os_linux *self, int max, struct instant deadline)
{
    struct duration left;
    struct timespec ts;

    if (instant_equal(deadline, INSTANT_NEVER))
        return epoll_wait(self->epoll, self->events, max, -1);
    if (instant_equal(deadline, INSTANT_PAST))
        return epoll_wait(self->epoll, self->events, max, 0);
    left = instant_since(deadline, os_linux_now(self));
    if (left.ns < 0)
        left.ns = 0;
    ts = (struct timespec){.tv_sec = left.ns / NS_PER_S, .tv_nsec = left.ns % NS_PER_S};
    return epoll_pwait2(self->epoll, self->events, max, &ts, NULL);
}

static void os_linux_wake_drain(struct os_linux *self)
{
    uint64_t count;

    /* Nonblocking and only read here: all that can fail is "nothing there", which is what we
     * want. */
    if (read(self->wake, &count, sizeof(count)) < 0)
        return;
}

static int os_linux_wait(void *context, struct os_event *events, int max, struct instant deadline)
{
    struct os_linux *self = context;
    int got;
    int count = 0;

    assert(max >= 1 && max <= OS_EVENTS_MAX);
    got = os_linux_sleep(self, max, deadline);
    if (got < 0)
        return -errno;
    for (int i = 0; i < got; i++) {
        if (self->events[i].data.u64 == WAKE_DATA) {
            os_linux_wake_drain(self);
            continue;
        }
        events[count].data = self->events[i].data.u64;
        events[count++].events = os_linux_from_kernel(self->events[i].events);
    }
    return count;
}

static const int os_linux_ops_ctl[] = {
    [OS_ADD] = EPOLL_CTL_ADD,
    [OS_MOD] = EPOLL_CTL_MOD,
    [OS_DEL] = EPOLL_CTL_DEL,
};

static int os_linux_ctl(void *context, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    const struct os_linux *self = context;
    struct epoll_event event = {.events = os_linux_to_kernel(events), .data.u64 = data};

    return (int)os_linux_result(epoll_ctl(self->epoll, os_linux_ops_ctl[op], fd, &event));
}

static long os_linux_read(void *self, int fd, void *bytes, size_t size)
{
    (void)self;
    return os_linux_result(read(fd, bytes, size));
}

static int os_linux_accept(void *self, int fd)
{
    (void)self;
    return (int)os_linux_result(accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

static int os_linux_close(void *self, int fd)
{
    (void)self;
    return (int)os_linux_result(close(fd));
}

static long os_linux_unread(void *self, int fd)
{
    int unread;

    (void)self;
    return ioctl(fd, FIONREAD, &unread) < 0 ? -errno : unread;
}

static int os_linux_wake(void *context)
{
    const struct os_linux *self = context;
    uint64_t one = 1;
    int before = errno; /* it may be a signal handler that wakes us */
    int rc = 0;

    /* A full counter is a wake that is pending already. */
    if (write(self->wake, &one, sizeof(one)) < 0 && errno != EAGAIN)
        rc = -errno;
    errno = before;
    return rc;
}

static const struct os_ops os_linux_ops = {
    .now = os_linux_now,
    .wait = os_linux_wait,
    .ctl = os_linux_ctl,
    .read = os_linux_read,
    .accept = os_linux_accept,
    .close = os_linux_close,
    .unread = os_linux_unread,
    .wake = os_linux_wake,
};

int os_linux_open(struct os_linux **ret_linux)
{
    struct os_linux *self = calloc(1, sizeof(*self));
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = WAKE_DATA};
    int rc;

    if (!self)
        return -ENOMEM;
    self->wake = -1;
    self->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (self->epoll >= 0)
        self->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (self->wake < 0 || epoll_ctl(self->epoll, EPOLL_CTL_ADD, self->wake, &event) < 0) {
        rc = -errno;
        os_linux_free(self);
        return rc;
    }
    *ret_linux = self;
    return 0;
}

void os_linux_free(struct os_linux *self)
{
    if (!self)
        return;
    if (self->wake >= 0)
        (void)close(self->wake);
    if (self->epoll >= 0)
        (void)close(self->epoll);
    free(self);
}

struct os os_linux_table(struct os_linux *self)
{
    return (struct os){.ops = &os_linux_ops, .self = self};
}
