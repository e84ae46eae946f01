/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/chain.h"

#include <assert.h>
#include <string.h>

#include "sim/kernel/kernel_impl.h"

/* What one step of a move carries. */
#define HANDFUL 256

/* A block: the handle of the one behind it, then its bytes. */
struct block {
    uint32_t next;
    uint32_t unused;
    uint8_t bytes[];
};

static struct block *chain_block(struct kernel *k, uint32_t handle)
{
    return kernel_at(k, &k->blocks, handle);
}

static uint32_t chain_end(const struct kernel *k, const struct chain *chain)
{
    return (chain->start + chain->length) % k->config.block_size;
}

/* Bytes free in the last block. */
static uint32_t chain_slack(const struct kernel *k, const struct chain *chain)
{
    uint32_t end = chain_end(k, chain);

    return chain->length == 0 || end == 0 ? 0 : k->config.block_size - end;
}

uint32_t chain_room(const struct kernel *k, const struct chain *chain)
{
    uint64_t room = (uint64_t)(k->blocks.count - k->blocks.used) * k->config.block_size;

    room += chain_slack(k, chain);
    return room > UINT32_MAX / 2 ? UINT32_MAX / 2 : (uint32_t)room;
}

static void chain_grow(struct kernel *k, struct chain *chain)
{
    uint32_t handle = slab_take(k, &k->blocks);

    assert(handle != 0);
    if (chain->first == 0)
        chain->first = handle;
    else
        chain_block(k, chain->last)->next = handle;
    chain->last = handle;
}

static uint32_t chain_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

void chain_append(struct kernel *k, struct chain *chain, const void *bytes, uint32_t size)
{
    const uint8_t *from = bytes;

    assert(size <= chain_room(k, chain));
    while (size > 0) {
        uint32_t at = chain_end(k, chain);
        uint32_t part;

        if (chain_slack(k, chain) == 0)
            chain_grow(k, chain);
        part = chain_least(size, k->config.block_size - at);
        memcpy(chain_block(k, chain->last)->bytes + at, from, part);
        chain->length += part;
        from += part;
        size -= part;
    }
}

void chain_copy(const struct kernel *k, const struct chain *chain, uint32_t skip, void *ret_bytes,
                uint32_t size)
{
    uint32_t at = chain->start + skip;
    uint32_t handle = chain->first;
    uint8_t *to = ret_bytes;

    assert(skip <= chain->length && size <= chain->length - skip);
    while (size > 0) {
        const struct block *block = kernel_peek(k, &k->blocks, handle);

        if (at < k->config.block_size) {
            uint32_t part = chain_least(size, k->config.block_size - at);

            memcpy(to, block->bytes + at, part);
            to += part;
            size -= part;
            at = 0;
        } else {
            at -= k->config.block_size;
        }
        handle = block->next;
    }
}

static void chain_pop(struct kernel *k, struct chain *chain)
{
    uint32_t next = chain_block(k, chain->first)->next;

    slab_give(k, &k->blocks, chain->first);
    chain->first = next;
    chain->start = 0;
}

void chain_drop(struct kernel *k, struct chain *chain, uint32_t size)
{
    assert(size <= chain->length);
    while (size > 0) {
        uint32_t part = chain_least(size, k->config.block_size - chain->start);

        memset(chain_block(k, chain->first)->bytes + chain->start, 0, part);
        chain->start += part;
        chain->length -= part;
        size -= part;
        if (chain->start == k->config.block_size || chain->length == 0)
            chain_pop(k, chain);
    }
    if (chain->length == 0)
        *chain = (struct chain){0};
}

uint32_t chain_move(struct kernel *k, struct chain *from, struct chain *to, uint32_t size)
{
    uint8_t bytes[HANDFUL];
    uint32_t moved = 0;

    if (to->length == 0 && from->length <= size) { /* the blocks themselves */
        *to = *from;
        *from = (struct chain){0};
        return to->length;
    }

    while (moved < size) {
        uint32_t part = chain_least(size - moved, HANDFUL);

        part = chain_least(part, from->length);
        part = chain_least(part, chain_room(k, to));
        if (part == 0)
            break;
        chain_copy(k, from, 0, bytes, part);
        chain_append(k, to, bytes, part);
        chain_drop(k, from, part);
        moved += part;
    }
    return moved;
}
