/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/timer.h"

#include <errno.h>
#include <string.h>

#include "sim/kernel/kernel_impl.h"

_Static_assert(sizeof(struct timer) == 4 * sizeof(uint64_t), "no padding");

static struct timer *timer_self(struct kernel *k, uint32_t timer)
{
    return kernel_at(k, &k->timers, timer);
}

uint32_t timer_new(struct kernel *k)
{
    return slab_take(k, &k->timers);
}

static void timer_expire(struct kernel *k, struct timer *self)
{
    self->armed = 0;
    self->fired = 1;
    self->ticks++;
    watch_wake(k, &self->watch, OS_IN);
}

void timer_set(struct kernel *k, uint32_t timer, struct instant first, struct duration period)
{
    struct timer *self = timer_self(k, timer);

    assert(period.ns >= 0);
    self->deadline = first;
    self->period = period;
    self->ticks = 0;
    self->fired = 0;
    self->armed = !instant_equal(first, INSTANT_NEVER);
    if (self->armed && !instant_before(k->now, first))
        timer_expire(k, self);
}

struct instant timer_due(const struct kernel *k)
{
    struct instant due = INSTANT_NEVER;

    for (uint32_t i = 1; i <= k->timers.count && k->timers.used > 0; i++) {
        const struct timer *self = kernel_peek(k, &k->timers, i);

        if (self->armed)
            due = instant_earlier(due, self->deadline);
    }
    return due;
}

void timer_fire(struct kernel *k)
{
    for (uint32_t i = 1; i <= k->timers.count && k->timers.used > 0; i++) {
        struct timer *self = timer_self(k, i);

        if (self->armed && !instant_before(k->now, self->deadline))
            timer_expire(k, self);
    }
}

static uint32_t timer_level(struct kernel *k, uint32_t timer, uint32_t mode, uint32_t asked)
{
    (void)mode;
    (void)asked;
    return timer_self(k, timer)->ticks > 0 ? OS_IN : 0;
}

static struct watch *timer_watch(struct kernel *k, uint32_t timer, uint32_t mode)
{
    (void)mode;
    return &timer_self(k, timer)->watch;
}

/* A periodic timer that has fired counts its missed periods only now, and runs on (E49). */
static void timer_run_on(struct kernel *k, struct timer *self)
{
    int64_t late = instant_since(k->now, self->deadline).ns;
    int64_t periods = late / self->period.ns;

    self->ticks += (uint64_t)periods;
    self->deadline = instant_add(self->deadline, (struct duration){periods * self->period.ns});
    self->deadline = instant_add(self->deadline, self->period);
    self->armed = 1;
}

static long timer_read(struct kernel *k, uint32_t timer, void *bytes, size_t size)
{
    struct timer *self = timer_self(k, timer);

    if (size < sizeof(self->ticks))
        return -EINVAL;
    if (self->ticks == 0)
        return -EAGAIN;
    if (self->fired && self->period.ns > 0)
        timer_run_on(k, self);
    memcpy(bytes, &self->ticks, sizeof(self->ticks));
    self->ticks = 0;
    self->fired = 0;
    return sizeof(self->ticks);
}

static void timer_close(struct kernel *k, uint32_t timer, uint32_t mode)
{
    (void)mode;
    slab_give(k, &k->timers, timer);
}

const struct description_ops timer_ops = {
    .level = timer_level,
    .watch = timer_watch,
    .read = timer_read,
    .close = timer_close,
};
