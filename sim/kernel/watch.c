/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/watch.h"

#include "sim/kernel/epoll.h"
#include "sim/kernel/kernel_impl.h"

_Static_assert(sizeof(struct item) == 8 + 12 * sizeof(uint32_t), "no padding");

static struct item *watch_item(struct kernel *k, uint32_t item)
{
    return kernel_at(k, &k->items, item);
}

/* Behind `before`, 0: in front. */
static void watch_insert(struct kernel *k, struct watch *watch, uint32_t item, uint32_t before)
{
    uint32_t after = before == 0 ? watch->first : watch_item(k, before)->watch_after;

    watch_item(k, item)->watch_before = before;
    watch_item(k, item)->watch_after = after;
    if (before == 0)
        watch->first = item;
    else
        watch_item(k, before)->watch_after = item;
    if (after != 0)
        watch_item(k, after)->watch_before = item;
}

void watch_add(struct kernel *k, struct watch *watch, uint32_t item)
{
    uint32_t last = 0;

    if (watch_item(k, item)->modes & KERNEL_EXCLUSIVE) {
        for (uint32_t at = watch->first; at != 0; at = watch_item(k, at)->watch_after)
            last = at;
    }
    watch_insert(k, watch, item, last);
}

void watch_remove(struct kernel *k, struct watch *watch, uint32_t item)
{
    struct item *self = watch_item(k, item);

    if (self->watch_before == 0)
        watch->first = self->watch_after;
    else
        watch_item(k, self->watch_before)->watch_after = self->watch_after;
    if (self->watch_after != 0)
        watch_item(k, self->watch_after)->watch_before = self->watch_before;
    self->watch_before = self->watch_after = 0;
}

void watch_wake(struct kernel *k, const struct watch *watch, uint32_t key)
{
    uint32_t item = watch->first;

    while (item != 0) {
        const struct item *self = watch_item(k, item);

        if (self->mask != 0 && (key == KERNEL_KEYLESS || (key & self->mask) != 0))
            epoll_queue(k, item);
        item = self->watch_after;
    }
}
