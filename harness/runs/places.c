/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/places.h"

#include <assert.h>

void places_make(struct places *places, unsigned slots, const cpu_set_t *set)
{
    unsigned count = (unsigned)CPU_COUNT(set);

    assert(slots > 0 && slots <= PLACES_MAX);
    *places = (struct places){.slots = slots};
    places->cpus = count < 2 * PLACES_MAX ? count : 2 * PLACES_MAX;
    places->pinned = slots < places->cpus ? slots : places->cpus;
    for (unsigned i = 0; i < places->cpus; i++) {
        places->cpu[i] = cpu_choose(set, (int)i);
        places->lent_to[i] = -1;
    }
}

static int places_find(const struct places *places, unsigned end)
{
    for (unsigned i = 0; i < end; i++)
        if (!places->taken[i])
            return (int)i;
    return -1;
}

/* Without any CPU that can be told even exact runs go anywhere: better late than never. */
static unsigned places_end(const struct places *places, bool exact)
{
    return exact && places->pinned > 0 ? places->pinned : places->slots;
}

bool places_free(const struct places *places, bool exact)
{
    return places_find(places, places_end(places, exact)) >= 0;
}

static int places_lend(struct places *places, int slot)
{
    for (unsigned i = places->pinned; i < places->cpus; i++)
        if (places->lent_to[i] < 0) {
            places->lent_to[i] = slot;
            return places->cpu[i];
        }
    return places->cpu[slot];
}

int places_take(struct places *places, bool exact, struct cpu_place *ret_place)
{
    int slot = places_find(places, places_end(places, exact));

    if (slot < 0)
        return -1;
    places->taken[slot] = true;
    if ((unsigned)slot >= places->pinned) {
        *ret_place = (struct cpu_place){.claim = CPU_NONE, .sut = -1, .bench = -1};
        return slot;
    }
    *ret_place = (struct cpu_place){.claim = CPU_GIVEN, .sut = places->cpu[slot]};
    ret_place->bench = exact ? ret_place->sut : places_lend(places, slot);
    return slot;
}

void places_give(struct places *places, int slot)
{
    assert(slot >= 0 && (unsigned)slot < places->slots && places->taken[slot]);
    places->taken[slot] = false;
    for (unsigned i = places->pinned; i < places->cpus; i++)
        if (places->lent_to[i] == slot)
            places->lent_to[i] = -1;
}
