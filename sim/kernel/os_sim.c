/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/os_sim.h"

#include <assert.h>
#include <errno.h>

/* No identity has generation 0, so this word names none. */
#define WAKE_DATA (UINT64_MAX >> 32)

static struct instant os_sim_now(void *context)
{
    const struct os_sim *self = context;

    return kernel_now(self->kernel);
}

/* Our own wake is taken, and not passed on. */
static int os_sim_wait(void *context, struct os_event *events, int max, struct instant deadline)
{
    const struct os_sim *self = context;
    uint64_t taken;
    int count = 0;
    int got;

    assert(max >= 1 && max <= OS_EVENTS_MAX);
    got = kernel_epoll_wait(self->kernel, self->process, self->epoll, events, max, deadline);
    for (int i = 0; i < got; i++) {
        if (events[i].data == WAKE_DATA)
            (void)kernel_read(self->kernel, self->process, self->wake, &taken, sizeof(taken));
        else
            events[count++] = events[i];
    }
    return got < 0 ? got : count;
}

static int os_sim_ctl(void *context, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    const struct os_sim *self = context;

    return kernel_epoll_ctl(self->kernel, self->process, self->epoll, op, fd, events, data);
}

static long os_sim_read(void *context, int fd, void *bytes, size_t size)
{
    const struct os_sim *self = context;

    return kernel_read(self->kernel, self->process, fd, bytes, size);
}

static int os_sim_accept(void *context, int fd)
{
    const struct os_sim *self = context;

    return kernel_accept(self->kernel, self->process, fd);
}

static int os_sim_close_fd(void *context, int fd)
{
    const struct os_sim *self = context;

    return kernel_close(self->kernel, self->process, fd);
}

static long os_sim_unread(void *context, int fd)
{
    const struct os_sim *self = context;

    return kernel_unread(self->kernel, self->process, fd);
}

static int os_sim_wake(void *context)
{
    const struct os_sim *self = context;
    const uint64_t one = 1;
    long result = kernel_write(self->kernel, self->process, self->wake, &one, sizeof(one));

    /* A full counter is a wake that is pending already. */
    return result < 0 && result != -EAGAIN ? (int)result : 0;
}

static const struct os_ops os_sim_ops = {
    .now = os_sim_now,
    .wait = os_sim_wait,
    .ctl = os_sim_ctl,
    .read = os_sim_read,
    .accept = os_sim_accept,
    .close = os_sim_close_fd,
    .unread = os_sim_unread,
    .wake = os_sim_wake,
};

int os_sim_open(struct kernel *kernel, uint32_t process, struct os_sim *ret_sim)
{
    struct os_sim self = {.kernel = kernel, .process = process, .wake = -1};
    int code;

    self.epoll = kernel_epoll(kernel, process);
    if (self.epoll < 0)
        return self.epoll;
    code = self.wake = kernel_eventfd(kernel, process, 0, false);
    if (code >= 0)
        code = kernel_epoll_ctl(kernel, process, self.epoll, OS_ADD, self.wake, OS_IN, WAKE_DATA);
    if (code < 0) {
        os_sim_close(&self);
        return code;
    }
    *ret_sim = self;
    return 0;
}

void os_sim_close(struct os_sim *self)
{
    if (self->wake >= 0)
        (void)kernel_close(self->kernel, self->process, self->wake);
    if (self->epoll >= 0)
        (void)kernel_close(self->kernel, self->process, self->epoll);
}

struct os os_sim_table(struct os_sim *self)
{
    return (struct os){.ops = &os_sim_ops, .self = self};
}
