/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_gate.h"

#include "core/os_pass.h"

static void os_gate_enter(void *self)
{
    struct os_gate *gate = self;

    gate->hooks->enter(gate->arg);
}

static struct instant os_gate_now(void *self)
{
    struct os_gate *gate = self;

    return gate->hooks->now(gate->arg);
}

static int os_gate_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    struct os_gate *gate = self;

    gate->hooks->round(gate->arg);
    for (;;) {
        int count;

        os_gate_enter(self);
        count = os_pass_wait(self, events, max, INSTANT_PAST);
        if (count != 0 || instant_equal(deadline, INSTANT_PAST))
            return count;
        if (gate->hooks->idle(gate->arg, deadline))
            return 0;
    }
}

static int os_gate_ctl(void *self, enum os_ctl op, int fd, uint16_t events, uint64_t data)
{
    os_gate_enter(self);
    return os_pass_ctl(self, op, fd, events, data);
}

static long os_gate_read(void *self, int fd, void *bytes, size_t size)
{
    os_gate_enter(self);
    return os_pass_read(self, fd, bytes, size);
}

static int os_gate_accept(void *self, int fd)
{
    os_gate_enter(self);
    return os_pass_accept(self, fd);
}

static int os_gate_close(void *self, int fd)
{
    os_gate_enter(self);
    return os_pass_close(self, fd);
}

static const struct os_ops os_gate_ops = {
    .now = os_gate_now,
    .wait = os_gate_wait,
    .ctl = os_gate_ctl,
    .read = os_gate_read,
    .accept = os_gate_accept,
    .close = os_gate_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

struct os os_gate_wrap(struct os_gate *gate, struct os inner, const struct os_gate_hooks *hooks,
                       void *arg)
{
    *gate = (struct os_gate){.inner = inner, .hooks = hooks, .arg = arg};
    return (struct os){.ops = &os_gate_ops, .self = gate};
}
