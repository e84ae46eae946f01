/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/adversary.h"

#include "sim/kernel/kernel_impl.h"

#define CHANCE  4
#define LATE_NS 1000000

static uint32_t adversary_next(struct kernel *k)
{
    k->random ^= k->random << 13;
    k->random ^= k->random >> 7;
    k->random ^= k->random << 17;
    return (uint32_t)(k->random >> 32);
}

uint32_t adversary_draw(struct kernel *k, enum kernel_freedom freedom, uint32_t below)
{
    assert(below >= 1);
    return k->config.freedoms & freedom ? adversary_next(k) % below : 0;
}

bool adversary_acts(struct kernel *k, enum kernel_freedom freedom)
{
    return (k->config.freedoms & freedom) && adversary_next(k) % CHANCE == 0;
}

size_t adversary_cut(struct kernel *k, size_t size)
{
    if (size < 2 || !adversary_acts(k, KERNEL_SHORT))
        return size;
    return 1 + adversary_next(k) % (size - 1);
}

struct instant adversary_late(struct kernel *k, struct instant at)
{
    if (!adversary_acts(k, KERNEL_LATE))
        return at;
    return instant_add(at, (struct duration){adversary_next(k) % LATE_NS});
}
