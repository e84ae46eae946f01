/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_pass.h"

static struct os os_pass_inner(const void *self)
{
    return *(const struct os *)self;
}

struct instant os_pass_now(void *self)
{
    return os_now(os_pass_inner(self));
}

int os_pass_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    return os_wait(os_pass_inner(self), events, max, deadline);
}

int os_pass_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    return os_ctl(os_pass_inner(self), op, fd, events, data);
}

long os_pass_read(void *self, int fd, void *bytes, size_t size)
{
    return os_read(os_pass_inner(self), fd, bytes, size);
}

int os_pass_accept(void *self, int fd)
{
    return os_accept(os_pass_inner(self), fd);
}

int os_pass_close(void *self, int fd)
{
    return os_close(os_pass_inner(self), fd);
}

long os_pass_unread(void *self, int fd)
{
    return os_unread(os_pass_inner(self), fd);
}

int os_pass_wake(void *self)
{
    return os_wake(os_pass_inner(self));
}
