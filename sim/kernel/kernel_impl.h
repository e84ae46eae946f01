/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_KERNEL_IMPL_H
#define EDGEWISE_SIM_KERNEL_KERNEL_IMPL_H

/* What the parts of the kernel share: its head, and where its objects lie. Internal to
 * sim/kernel. */

#include <assert.h>

#include "sim/kernel/kernel.h"
#include "sim/kernel/slab.h"

/* No key: a wake that every entry hears. */
#define KERNEL_KEYLESS 0

#define KERNEL_SLABS(X) \
    X(descriptions)     \
    X(items)            \
    X(epolls)           \
    X(sockets)          \
    X(pipes)            \
    X(counters)         \
    X(timers)           \
    X(records)          \
    X(blocks)

struct kernel {
    struct kernel_config config;
    uint32_t size;
    uint32_t unused;
    struct instant now;
    uint64_t random; /* never 0 */
    uint32_t tables;     /* offset of the descriptor tables */
    uint16_t next_port;
    uint16_t connecting; /* sockets that wait to ask again */
#define X(name) struct slab name;
    KERNEL_SLABS(X)
#undef X
};

/* The object behind a handle. */
static inline void *kernel_at(struct kernel *k, const struct slab *slab, uint32_t handle)
{
    assert(handle >= 1 && handle <= slab->count);
    return (uint8_t *)k + slab->at + (handle - 1) * (size_t)slab->stride;
}

static inline const void *kernel_peek(const struct kernel *k, const struct slab *slab,
                                      uint32_t handle)
{
    assert(handle >= 1 && handle <= slab->count);
    return (const uint8_t *)k + slab->at + (handle - 1) * (size_t)slab->stride;
}

#endif
