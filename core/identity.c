/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/identity.h"

#include <assert.h>
#include <errno.h>

#define IDENTITY_COUNT_MAX (UINT32_C(1) << 20)

_Static_assert(sizeof(struct identity_slot) == 3 * sizeof(uint32_t), "no padding");

size_t identity_table_size(uint32_t count)
{
    assert(count >= 1 && count <= IDENTITY_COUNT_MAX);
    return sizeof(struct identity_table) + count * sizeof(struct identity_slot);
}

void identity_table_init(struct identity_table *table, uint32_t count)
{
    assert(count >= 1 && count <= IDENTITY_COUNT_MAX);
    *table = (struct identity_table){.count = count};
    for (uint32_t slot = 0; slot < count; slot++)
        table->slot[slot] = (struct identity_slot){.next = slot + 1};
}

int identity_take(struct identity_table *table, struct identity *ret_id)
{
    uint32_t slot = table->free;
    struct identity_slot *s;

    if (slot == table->count)
        return -ENFILE;
    s = &table->slot[slot];
    assert(!s->held);
    assert(s->generation < IDENTITY_GENERATION_LAST);

    table->free = s->next;
    table->held++;
    s->held = true;
    s->generation++;
    *ret_id = (struct identity){slot, s->generation};
    return 0;
}

bool identity_valid(const struct identity_table *table, struct identity id)
{
    return id.slot < table->count && table->slot[id.slot].held &&
           table->slot[id.slot].generation == id.generation;
}

struct identity identity_of(const struct identity_table *table, uint32_t slot)
{
    if (slot >= table->count || !table->slot[slot].held)
        return IDENTITY_NONE;
    return (struct identity){slot, table->slot[slot].generation};
}

int identity_retire(struct identity_table *table, struct identity id)
{
    struct identity_slot *s;

    if (!identity_valid(table, id))
        return -ESTALE;
    assert(table->held > 0);

    s = &table->slot[id.slot];
    s->held = false;
    table->held--;
    if (s->generation == IDENTITY_GENERATION_LAST) {
        table->retired++;
        s->next = table->count;
    } else {
        s->next = table->free;
        table->free = id.slot;
    }
    return 0;
}

/* Length of the free list; more than `count` when it is broken or never ends. */
static uint32_t identity_count_free(const struct identity_table *table)
{
    uint32_t length = 0;

    for (uint32_t slot = table->free; slot != table->count; slot = table->slot[slot].next) {
        const struct identity_slot *s = &table->slot[slot];

        if (++length > table->count || slot > table->count)
            return UINT32_MAX;
        if (s->held || s->generation == IDENTITY_GENERATION_LAST)
            return UINT32_MAX;
    }
    return length;
}

bool identity_table_check(const struct identity_table *table)
{
    uint32_t held = 0;
    uint32_t retired = 0;

    if (table->count < 1 || table->count > IDENTITY_COUNT_MAX)
        return false;
    for (uint32_t slot = 0; slot < table->count; slot++) {
        const struct identity_slot *s = &table->slot[slot];

        if (s->held && s->generation == 0)
            return false;
        held += s->held;
        retired += !s->held && s->generation == IDENTITY_GENERATION_LAST;
    }
    return held == table->held && retired == table->retired &&
           identity_count_free(table) == table->count - held - retired;
}
