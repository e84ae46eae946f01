/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/pool.h"

#include <assert.h>
#include <errno.h>

#define POOL_COUNT_MAX (UINT32_C(1) << 20)

_Static_assert(sizeof(struct pool_buffer) == 5 * sizeof(uint32_t), "no padding");

size_t pool_size(uint32_t count)
{
    assert(count >= 1 && count <= POOL_COUNT_MAX);
    return sizeof(struct pool) + count * sizeof(struct pool_buffer);
}

void pool_init(struct pool *pool, uint32_t count, uint32_t bytes)
{
    assert(count >= 1 && count <= POOL_COUNT_MAX);
    assert(bytes >= 1);
    *pool = (struct pool){.count = count, .bytes = bytes};
    for (uint32_t i = 0; i < count; i++)
        pool->buffer[i] = (struct pool_buffer){.owner = IDENTITY_NONE, .next = i + 1};
}

int pool_take(struct pool *pool, struct identity owner, uint32_t bytes, uint32_t *ret_index)
{
    uint32_t index = pool->free;

    assert(!identity_equal(owner, IDENTITY_NONE));
    if (bytes == 0 || bytes > pool->bytes)
        return -EMSGSIZE;
    if (index == pool->count)
        return -ENOBUFS;
    pool->free = pool->buffer[index].next;
    pool->buffer[index] = (struct pool_buffer){.owner = owner, .holders = 1, .bytes = bytes};
    pool->held++;
    pool->taken++;
    pool->held_bytes += bytes;
    if (pool->held_bytes > pool->peak_bytes)
        pool->peak_bytes = pool->held_bytes;
    *ret_index = index;
    return 0;
}

/* Not an assertion: rules that are wrong must show what they do. */
static int pool_refuse(struct pool *pool)
{
    pool->misused++;
    return -ESTALE;
}

int pool_hold(struct pool *pool, uint32_t index, struct identity owner)
{
    if (!pool_owns(pool, index, owner))
        return pool_refuse(pool);
    pool->buffer[index].holders++;
    return 0;
}

static void pool_return(struct pool *pool, uint32_t index)
{
    pool->held--;
    pool->returned++;
    pool->held_bytes -= pool->buffer[index].bytes;
    pool->buffer[index] = (struct pool_buffer){.owner = IDENTITY_NONE, .next = pool->free};
    pool->free = index;
}

int pool_drop(struct pool *pool, uint32_t index, struct identity owner)
{
    if (!pool_owns(pool, index, owner))
        return pool_refuse(pool);
    if (--pool->buffer[index].holders > 0)
        return 0;
    pool_return(pool, index);
    return 1;
}

bool pool_owns(const struct pool *pool, uint32_t index, struct identity owner)
{
    return index < pool->count && pool->buffer[index].holders > 0 &&
           identity_equal(pool->buffer[index].owner, owner);
}

static bool pool_check_buffer(const struct pool *pool, const struct pool_buffer *buffer)
{
    bool owned = !identity_equal(buffer->owner, IDENTITY_NONE);

    return owned == (buffer->holders > 0) && owned == (buffer->bytes > 0) &&
           buffer->bytes <= pool->bytes;
}

bool pool_check(const struct pool *pool)
{
    uint32_t held = 0, free = 0;
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < pool->count; i++) {
        if (!pool_check_buffer(pool, &pool->buffer[i]))
            return false;
        held += pool->buffer[i].holders > 0;
        bytes += pool->buffer[i].bytes;
    }
    for (uint32_t i = pool->free; i != pool->count; i = pool->buffer[i].next) {
        if (i > pool->count || pool->buffer[i].holders > 0 || ++free > pool->count)
            return false;
    }
    return held == pool->held && free == pool->count - held && bytes == pool->held_bytes &&
           bytes <= pool->peak_bytes && pool->taken == pool->returned + held;
}
