/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/turnstile.h"

#include "core/os_pass.h"

static void turnstile_enter(void *self)
{
    struct turnstile *turnstile = self;

    gatekeeper_hooks.enter(turnstile->keeper);
}

static int turnstile_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    struct turnstile *turnstile = self;

    gatekeeper_hooks.round(turnstile->keeper);
    turnstile_enter(self);
    return os_pass_wait(self, events, max, deadline);
}

static int turnstile_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    turnstile_enter(self);
    return os_pass_ctl(self, op, fd, events, data);
}

static long turnstile_read(void *self, int fd, void *bytes, size_t size)
{
    turnstile_enter(self);
    return os_pass_read(self, fd, bytes, size);
}

static int turnstile_accept(void *self, int fd)
{
    turnstile_enter(self);
    return os_pass_accept(self, fd);
}

static int turnstile_close(void *self, int fd)
{
    turnstile_enter(self);
    return os_pass_close(self, fd);
}

static const struct os_ops turnstile_ops = {
    .now = os_pass_now,
    .wait = turnstile_wait,
    .ctl = turnstile_ctl,
    .read = turnstile_read,
    .accept = turnstile_accept,
    .close = turnstile_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

struct os turnstile_wrap(struct turnstile *turnstile, struct os inner, struct gatekeeper *keeper)
{
    *turnstile = (struct turnstile){.inner = inner, .keeper = keeper};
    return (struct os){.ops = &turnstile_ops, .self = turnstile};
}
