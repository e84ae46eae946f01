/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/slab.h"

#include <assert.h>
#include <string.h>

#include "sim/kernel/kernel_impl.h"

#define ALIGN 8

void slab_lay_out(struct slab *slab, uint32_t count, uint32_t stride, uint64_t *end)
{
    uint64_t marks = *end + (uint64_t)count * stride;

    assert(*end % ALIGN == 0 && stride % ALIGN == 0);
    *slab = (struct slab){
        .at = (uint32_t)*end, .marks = (uint32_t)marks, .count = count, .stride = stride,
        .lowest = 1,
    };
    *end = (marks + count + ALIGN - 1) / ALIGN * ALIGN;
}

static uint8_t *slab_mark(struct kernel *k, const struct slab *slab, uint32_t handle)
{
    assert(handle >= 1 && handle <= slab->count);
    return (uint8_t *)k + slab->marks + handle - 1;
}

bool slab_taken(const struct kernel *k, const struct slab *slab, uint32_t handle)
{
    assert(handle >= 1 && handle <= slab->count);
    return ((const uint8_t *)k)[slab->marks + handle - 1] != 0;
}

uint32_t slab_take(struct kernel *k, struct slab *slab)
{
    uint32_t handle = slab->lowest;

    if (slab->used == slab->count)
        return 0;
    while (slab_taken(k, slab, handle))
        handle++;
    *slab_mark(k, slab, handle) = 1;
    slab->lowest = handle + 1;
    slab->used++;
    return handle;
}

void slab_give(struct kernel *k, struct slab *slab, uint32_t handle)
{
    assert(slab_taken(k, slab, handle));
    memset(kernel_at(k, slab, handle), 0, slab->stride);
    *slab_mark(k, slab, handle) = 0;
    slab->used--;
    if (handle < slab->lowest)
        slab->lowest = handle;
}
