/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/ready.h"

#include <assert.h>

#define READY_COUNT_MAX (UINT32_C(1) << 20)

_Static_assert(sizeof(struct ready_link) == 3 * sizeof(uint32_t), "no padding");

static const struct ready_link ready_unlinked = {.before = READY_NONE, .after = READY_NONE};

size_t ready_size(uint32_t count)
{
    assert(count >= 1 && count <= READY_COUNT_MAX);
    return sizeof(struct ready) + count * sizeof(struct ready_link);
}

void ready_init(struct ready *q, uint32_t count)
{
    assert(count >= 1 && count <= READY_COUNT_MAX);
    *q = (struct ready){.count = count, .head = READY_NONE, .tail = READY_NONE};
    for (uint32_t slot = 0; slot < count; slot++)
        q->link[slot] = ready_unlinked;
}

void ready_push(struct ready *q, uint32_t slot)
{
    assert(slot < q->count);
    assert(!q->link[slot].member);
    assert(q->length < q->count);

    q->link[slot] = (struct ready_link){.before = q->tail, .after = READY_NONE, .member = true};
    if (q->tail == READY_NONE)
        q->head = slot;
    else
        q->link[q->tail].after = slot;
    q->tail = slot;
    q->length++;
}

uint32_t ready_pop(struct ready *q)
{
    uint32_t slot = q->head;

    if (slot != READY_NONE)
        ready_remove(q, slot);
    return slot;
}

void ready_remove(struct ready *q, uint32_t slot)
{
    struct ready_link link;

    assert(ready_member(q, slot));
    assert(q->length > 0);

    link = q->link[slot];
    if (link.before == READY_NONE)
        q->head = link.after;
    else
        q->link[link.before].after = link.after;
    if (link.after == READY_NONE)
        q->tail = link.before;
    else
        q->link[link.after].before = link.before;
    q->link[slot] = ready_unlinked;
    q->length--;
}

bool ready_member(const struct ready *q, uint32_t slot)
{
    assert(slot < q->count);
    return q->link[slot].member;
}

uint32_t ready_first(const struct ready *q)
{
    return q->head;
}

uint32_t ready_next(const struct ready *q, uint32_t slot)
{
    assert(ready_member(q, slot));
    return q->link[slot].after;
}

/* Follows the `after` links: `length` members, each pointing back at the one before it. */
static bool ready_check_list(const struct ready *q)
{
    uint32_t before = READY_NONE;
    uint32_t slot = q->head;

    for (uint32_t i = 0; i < q->length; i++) {
        if (slot >= q->count || !q->link[slot].member || q->link[slot].before != before)
            return false;
        before = slot;
        slot = q->link[slot].after;
    }
    return slot == READY_NONE && q->tail == before;
}

bool ready_check(const struct ready *q)
{
    uint32_t members = 0;

    if (q->count < 1 || q->count > READY_COUNT_MAX || q->length > q->count)
        return false;
    if (!ready_check_list(q))
        return false;
    for (uint32_t slot = 0; slot < q->count; slot++) {
        const struct ready_link *link = &q->link[slot];

        if (link->member)
            members++;
        else if (link->before != READY_NONE || link->after != READY_NONE)
            return false;
    }
    return members == q->length;
}
