/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_SLAB_H
#define EDGEWISE_SIM_KERNEL_SLAB_H

/*
 * Objects of one size in the kernel's block. A handle counts from 1; 0 is none, so that zeroed
 * memory refers to nothing. The lowest free handle is taken first, and a free object is zeros: what
 * is in the block depends on what is alive, not on what died in which order.
 */

#include <stdbool.h>
#include <stdint.h>

struct kernel;

struct slab {
    uint32_t at;    /* offset of the objects in the block */
    uint32_t marks; /* offset of one byte for each: 1 is taken */
    uint32_t count;
    uint32_t stride;
    uint32_t used;
    uint32_t lowest; /* no handle below this one is free */
};

/* Places `count` objects of `stride` bytes behind *end, an offset, and moves it. */
void slab_lay_out(struct slab *slab, uint32_t count, uint32_t stride, uint64_t *end);

/* A zeroed object; 0 when all are taken. */
uint32_t slab_take(struct kernel *k, struct slab *slab);
/* Gives back what slab_take gave. */
void slab_give(struct kernel *k, struct slab *slab, uint32_t handle);
/* Whether a handle, 1 .. count, is taken. */
bool slab_taken(const struct kernel *k, const struct slab *slab, uint32_t handle);

#endif
