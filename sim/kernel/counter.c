/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/counter.h"

#include <errno.h>
#include <string.h>

#include "sim/kernel/kernel_impl.h"

_Static_assert(sizeof(struct counter) == 8 + 2 * sizeof(uint32_t), "no padding");

static struct counter *counter_self(struct kernel *k, uint32_t counter)
{
    return kernel_at(k, &k->counters, counter);
}

uint32_t counter_new(struct kernel *k, uint32_t value, bool semaphore)
{
    uint32_t handle = slab_take(k, &k->counters);

    if (handle != 0)
        *counter_self(k, handle) = (struct counter){.value = value, .semaphore = semaphore};
    return handle;
}

static uint32_t counter_level(struct kernel *k, uint32_t counter, uint32_t mode, uint32_t asked)
{
    uint64_t value = counter_self(k, counter)->value;

    (void)mode;
    (void)asked;
    return (value > 0 ? OS_IN : 0U) | (value < UINT64_MAX - 1 ? OS_OUT : 0U);
}

static struct watch *counter_watch(struct kernel *k, uint32_t counter, uint32_t mode)
{
    (void)mode;
    return &counter_self(k, counter)->watch;
}

static long counter_read(struct kernel *k, uint32_t counter, void *bytes, size_t size)
{
    struct counter *self = counter_self(k, counter);
    uint64_t value = self->semaphore ? 1 : self->value;

    if (size < sizeof(value))
        return -EINVAL;
    if (self->value == 0)
        return -EAGAIN;
    self->value -= value;
    memcpy(bytes, &value, sizeof(value));
    watch_wake(k, &self->watch, OS_OUT);
    return sizeof(value);
}

static long counter_write(struct kernel *k, uint32_t counter, const void *bytes, size_t size)
{
    struct counter *self = counter_self(k, counter);
    uint64_t value;

    if (size != sizeof(value))
        return -EINVAL;
    memcpy(&value, bytes, sizeof(value));
    if (value == UINT64_MAX)
        return -EINVAL;
    if (value > UINT64_MAX - 1 - self->value)
        return -EAGAIN;
    self->value += value;
    watch_wake(k, &self->watch, OS_IN);
    return sizeof(value);
}

static void counter_close(struct kernel *k, uint32_t counter, uint32_t mode)
{
    (void)mode;
    slab_give(k, &k->counters, counter);
}

const struct description_ops counter_ops = {
    .level = counter_level,
    .watch = counter_watch,
    .read = counter_read,
    .write = counter_write,
    .close = counter_close,
};
