/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_CHAIN_H
#define EDGEWISE_SIM_KERNEL_CHAIN_H

/* Bytes in order, in as many blocks of the kernel's as they need. Zeroed, a chain is empty. */

#include <stddef.h>
#include <stdint.h>

struct kernel;

struct chain {
    uint32_t first; /* handles of blocks */
    uint32_t last;
    uint32_t start; /* offset of the first byte in the first block */
    uint32_t length;
};

/* How many bytes can be appended before the kernel is out of blocks. */
uint32_t chain_room(const struct kernel *k, const struct chain *chain);
/* Appends; `size` is at most the room. */
void chain_append(struct kernel *k, struct chain *chain, const void *bytes, uint32_t size);
/* Copies `size` bytes from the `skip`th on; they are there. */
void chain_copy(const struct kernel *k, const struct chain *chain, uint32_t skip, void *ret_bytes,
                uint32_t size);
/* Drops the first `size` bytes. */
void chain_drop(struct kernel *k, struct chain *chain, uint32_t size);
/* Moves at most `size` bytes from the front of one to the end of the other; how many, which is less
 * only when the kernel is out of blocks. */
uint32_t chain_move(struct kernel *k, struct chain *from, struct chain *to, uint32_t size);

#endif
