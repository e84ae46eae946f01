/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/epoll.h"

#include <errno.h>

#include "sim/kernel/adversary.h"
#include "sim/kernel/kernel_impl.h"

#define EPOLL_MODES      ((uint32_t)(OS_MODES | KERNEL_EXCLUSIVE))
#define EPOLL_NESTED_MAX 4
/* What may stand beside KERNEL_EXCLUSIVE (E23). */
#define EPOLL_EXCLUSIVE_MAY \
    ((uint32_t)(KERNEL_EXCLUSIVE | OS_IN | OS_OUT | OS_ERR | OS_HUP | OS_ET))

_Static_assert(sizeof(struct epoll) == 6 * sizeof(uint32_t), "no padding");

static struct epoll *epoll_self(struct kernel *k, uint32_t epoll)
{
    return kernel_at(k, &k->epolls, epoll);
}

static struct item *epoll_item(struct kernel *k, uint32_t item)
{
    return kernel_at(k, &k->items, item);
}

/* The ready list. */

static void epoll_append(struct kernel *k, struct epoll *self, uint32_t item)
{
    struct item *added = epoll_item(k, item);

    added->queued = 1;
    added->ready_before = self->tail;
    added->ready_after = 0;
    if (self->tail == 0)
        self->head = item;
    else
        epoll_item(k, self->tail)->ready_after = item;
    self->tail = item;
    self->length++;
}

static void epoll_push_front(struct kernel *k, struct epoll *self, uint32_t item)
{
    struct item *added = epoll_item(k, item);

    added->queued = 1;
    added->ready_before = 0;
    added->ready_after = self->head;
    if (self->head == 0)
        self->tail = item;
    else
        epoll_item(k, self->head)->ready_before = item;
    self->head = item;
    self->length++;
}

static void epoll_take(struct kernel *k, struct epoll *self, uint32_t item)
{
    struct item *taken = epoll_item(k, item);

    if (taken->ready_before == 0)
        self->head = taken->ready_after;
    else
        epoll_item(k, taken->ready_before)->ready_after = taken->ready_after;
    if (taken->ready_after == 0)
        self->tail = taken->ready_before;
    else
        epoll_item(k, taken->ready_after)->ready_before = taken->ready_before;
    taken->queued = taken->ready_before = taken->ready_after = 0;
    self->length--;
}

void epoll_queue(struct kernel *k, uint32_t item)
{
    struct epoll *self = epoll_self(k, epoll_item(k, item)->epoll);

    if (!epoll_item(k, item)->queued)
        epoll_append(k, self, item);
    watch_wake(k, &self->watch, OS_IN);
}

/* What an item has to tell now. */
static uint32_t epoll_look(struct kernel *k, const struct item *item)
{
    return description_level(k, item->description, item->mask) & item->mask;
}

/* The interest list. */

static uint32_t epoll_find(struct kernel *k, uint32_t epoll, uint32_t fd, uint32_t description)
{
    uint32_t at = description_watch(k, description)->first;

    while (at != 0) {
        const struct item *item = epoll_item(k, at);

        if (item->epoll == epoll && item->fd == fd && item->description == description)
            break;
        at = item->watch_after;
    }
    return at;
}

/* Mask and modes are replaced in one; a disabled ONESHOT is enabled again, and what is ready is
 * told (E8, E17). */
static void epoll_arm(struct kernel *k, uint32_t item, uint32_t events, uint64_t data)
{
    struct item *self = epoll_item(k, item);

    self->mask = (events & ~EPOLL_MODES) | OS_ERR | OS_HUP;
    self->modes = events & EPOLL_MODES;
    self->data = data;
    if (epoll_look(k, self) != 0 && !self->queued)
        epoll_queue(k, item);
}

static int epoll_add(struct kernel *k, uint32_t epoll, uint32_t fd, uint32_t description,
                     uint32_t events, uint64_t data)
{
    uint32_t handle = slab_take(k, &k->items);
    struct epoll *self = epoll_self(k, epoll);
    struct item *item;

    if (handle == 0)
        return -ENOSPC;
    item = epoll_item(k, handle);
    item->epoll = epoll;
    item->fd = fd;
    item->description = description;
    item->set_after = self->first;
    if (self->first != 0)
        epoll_item(k, self->first)->set_before = handle;
    self->first = handle;
    item->modes = events & EPOLL_MODES;
    watch_add(k, description_watch(k, description), handle);
    epoll_arm(k, handle, events, data);
    return 0;
}

static void epoll_remove(struct kernel *k, uint32_t handle)
{
    struct item *item = epoll_item(k, handle);
    struct epoll *self = epoll_self(k, item->epoll);

    if (item->queued)
        epoll_take(k, self, handle);
    watch_remove(k, description_watch(k, item->description), handle);
    if (item->set_before == 0)
        self->first = item->set_after;
    else
        epoll_item(k, item->set_before)->set_after = item->set_after;
    if (item->set_after != 0)
        epoll_item(k, item->set_after)->set_before = item->set_before;
    slab_give(k, &k->items, handle);
}

/* Nesting. */

/* The epoll that a description is, 0 when it is something else. */
static uint32_t epoll_inside(const struct kernel *k, uint32_t description)
{
    const struct description *self = description_at(k, description);

    return self->type == DESCRIPTION_EPOLL ? self->body : 0;
}

static uint32_t epoll_above(struct kernel *k, uint32_t epoll)
{
    uint32_t most = 0;

    for (uint32_t at = epoll_self(k, epoll)->watch.first; at != 0;
         at = epoll_item(k, at)->watch_after) {
        uint32_t above = 1 + epoll_above(k, epoll_item(k, at)->epoll);

        most = above > most ? above : most;
    }
    return most;
}

/* How many are below one another in `epoll`; more than there may be when `sought` is among them. */
static uint32_t epoll_below(struct kernel *k, uint32_t epoll, uint32_t sought)
{
    uint32_t most = epoll == sought ? EPOLL_NESTED_MAX + 1 : 0;

    for (uint32_t at = epoll_self(k, epoll)->first; at != 0 && most <= EPOLL_NESTED_MAX;
         at = epoll_item(k, at)->set_after) {
        uint32_t inside = epoll_inside(k, epoll_item(k, at)->description);
        uint32_t below = inside == 0 ? 0 : 1 + epoll_below(k, inside, sought);

        most = below > most ? below : most;
    }
    return most;
}

/* No cycle, and no more than four below one another (E9). */
static bool epoll_may_nest(struct kernel *k, uint32_t outer, uint32_t inner)
{
    return epoll_above(k, outer) + 1 + epoll_below(k, inner, outer) <= EPOLL_NESTED_MAX;
}

/* What is wrong with an entry as such, whether there is one or not; 0. */
static int epoll_refuse(struct kernel *k, uint32_t epoll, enum os_ctl op, uint32_t description,
                        uint32_t events)
{
    uint32_t inside = epoll_inside(k, description);

    if (op != OS_DEL && (events & KERNEL_EXCLUSIVE) &&
        (op == OS_MOD || inside != 0 || (events & ~EPOLL_EXCLUSIVE_MAY)))
        return -EINVAL;
    if (op == OS_ADD && inside != 0 && !epoll_may_nest(k, epoll, inside))
        return -ELOOP;
    return 0;
}

int epoll_control(struct kernel *k, uint32_t epoll, enum os_ctl op, uint32_t fd,
                  uint32_t description, uint32_t events, uint64_t data)
{
    uint32_t item = epoll_find(k, epoll, fd, description);
    int code = epoll_refuse(k, epoll, op, description, events);

    if (code < 0)
        return code;
    if (op == OS_ADD)
        return item != 0 ? -EEXIST : epoll_add(k, epoll, fd, description, events, data);
    if (item == 0)
        return -ENOENT;
    if (op == OS_DEL)
        epoll_remove(k, item);
    else if (epoll_item(k, item)->modes & KERNEL_EXCLUSIVE)
        return -EINVAL;
    else
        epoll_arm(k, item, events, data);
    return 0;
}

void epoll_forget(struct kernel *k, uint32_t description)
{
    uint32_t at = description_watch(k, description)->first;

    while (at != 0) {
        uint32_t after = epoll_item(k, at)->watch_after;

        if (epoll_item(k, at)->description == description)
            epoll_remove(k, at);
        at = after;
    }
}

/* An item has been told: ONESHOT is disabled, a level entry comes again (E14, E34). */
static void epoll_told(struct kernel *k, struct epoll *self, uint32_t handle)
{
    struct item *item = epoll_item(k, handle);

    if (item->modes & OS_ONESHOT)
        item->mask = 0;
    else if (!(item->modes & OS_ET))
        epoll_append(k, self, handle);
}

/* An entry that nothing woke is looked at: it is told if there is anything to tell (A3). */
static void epoll_nudge(struct kernel *k, const struct epoll *self)
{
    uint32_t item = self->first;
    uint32_t steps = item != 0 ? adversary_draw(k, KERNEL_MORE, k->items.used) : 0;

    while (steps-- > 0 && item != 0)
        item = epoll_item(k, item)->set_after;
    if (item != 0 && epoll_item(k, item)->mask != 0)
        epoll_queue(k, item);
}

/* Among the first `max`, which stay the first, one becomes the head (A1). */
static void epoll_shuffle(struct kernel *k, struct epoll *self, int max)
{
    uint32_t among = self->length < (uint32_t)max ? self->length : (uint32_t)max;
    uint32_t steps = among > 0 ? adversary_draw(k, KERNEL_SHUFFLE, among) : 0;
    uint32_t item = self->head;

    if (steps == 0)
        return;
    while (steps-- > 0)
        item = epoll_item(k, item)->ready_after;
    epoll_take(k, self, item);
    epoll_push_front(k, self, item);
}

int epoll_collect(struct kernel *k, uint32_t epoll, struct os_event *ret_events, int max)
{
    struct epoll *self = epoll_self(k, epoll);
    uint32_t left;
    int count = 0;

    if (adversary_acts(k, KERNEL_MORE))
        epoll_nudge(k, self);
    if (adversary_acts(k, KERNEL_FEWER))
        max = 1 + (int)adversary_draw(k, KERNEL_FEWER, (uint32_t)max);
    left = self->length; /* what is put back stands behind these */
    while (left-- > 0 && count < max) {
        uint32_t handle;
        const struct item *item;
        uint32_t events;

        epoll_shuffle(k, self, left < (uint32_t)(max - count) ? (int)left + 1 : max - count);
        handle = self->head;
        item = epoll_item(k, handle);
        epoll_take(k, self, handle);
        events = epoll_look(k, item);
        if (events == 0)
            continue;
        ret_events[count++] = (struct os_event){.data = item->data, .events = (uint16_t)events};
        epoll_told(k, self, handle);
    }
    return count;
}

/* As a description. */

static uint32_t epoll_level(struct kernel *k, uint32_t epoll, uint32_t mode, uint32_t asked)
{
    struct epoll *self = epoll_self(k, epoll);
    uint32_t at = self->head;

    (void)mode;
    (void)asked;
    while (at != 0) {
        uint32_t after = epoll_item(k, at)->ready_after;

        if (epoll_look(k, epoll_item(k, at)) != 0)
            return OS_IN;
        epoll_take(k, self, at);
        at = after;
    }
    return 0;
}

static struct watch *epoll_watch(struct kernel *k, uint32_t epoll, uint32_t mode)
{
    (void)mode;
    return &epoll_self(k, epoll)->watch;
}

static void epoll_close(struct kernel *k, uint32_t epoll, uint32_t mode)
{
    (void)mode;
    while (epoll_self(k, epoll)->first != 0)
        epoll_remove(k, epoll_self(k, epoll)->first);
    slab_give(k, &k->epolls, epoll);
}

const struct description_ops epoll_ops = {
    .level = epoll_level,
    .watch = epoll_watch,
    .close = epoll_close,
};
