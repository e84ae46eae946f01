/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/arena.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/source.h"

#define ARENA_ALIGN 64

struct arena_layout {
    size_t table;
    size_t ready;
    size_t resuming;
    size_t accepting;
    size_t starved;
    size_t sources;
    size_t stores;
    size_t state_end;
    size_t source_accounts;
    size_t end;
};

/* Appends `size` bytes to the layout that ends at `*end`; their place is returned. */
static size_t arena_add(size_t *end, size_t size)
{
    size_t at = (*end + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;

    *end = at + size;
    return at;
}

static uint32_t arena_stride(const struct reactor_config *config)
{
    uint32_t stride = 0;

    for (uint32_t i = 0; i < config->protocol_count; i++) {
        const struct reactor_protocol *protocol = &config->protocols[i];
        uint32_t size = 0;

        if (protocol->format.header != 0)
            size = store_size(protocol->capacity, frame_size_max(&protocol->format));
        if (size > stride)
            stride = size;
    }
    return stride;
}

/* Cannot wrap: at most 2^20 slots of at most 2^31 bytes. */
static struct arena_layout arena_lay_out(const struct reactor_config *config)
{
    uint32_t slots = config->slots;
    struct arena_layout at = {0};
    size_t end = sizeof(struct reactor_head);

    at.table = arena_add(&end, identity_table_size(slots));
    at.ready = arena_add(&end, ready_size(slots));
    at.resuming = arena_add(&end, ready_size(slots));
    at.accepting = arena_add(&end, ready_size(slots));
    at.starved = arena_add(&end, ready_size(slots));
    at.sources = arena_add(&end, slots * sizeof(struct source));
    at.stores = arena_add(&end, (size_t)slots * arena_stride(config));
    at.state_end = arena_add(&end, sizeof(struct reactor_account));
    at.source_accounts = arena_add(&end, slots * sizeof(struct source_account));
    at.end = arena_add(&end, 0);
    return at;
}

int arena_open(struct reactor *r)
{
    struct arena_layout at = arena_lay_out(&r->config);
    uint8_t *arena = aligned_alloc(ARENA_ALIGN, at.end);

    if (!arena)
        return -ENOMEM;
    memset(arena, 0, at.end);
    r->arena = arena;
    r->state_size = at.state_end;
    r->account_size = at.end - at.state_end;
    r->head = (struct reactor_head *)arena;
    r->table = (struct identity_table *)(arena + at.table);
    r->ready = (struct ready *)(arena + at.ready);
    r->resuming = (struct ready *)(arena + at.resuming);
    r->accepting = (struct ready *)(arena + at.accepting);
    r->starved = (struct ready *)(arena + at.starved);
    r->sources = (struct source *)(arena + at.sources);
    r->stores = arena + at.stores;
    r->store_stride = arena_stride(&r->config);
    r->account = (struct reactor_account *)(arena + at.state_end);
    r->source_accounts = (struct source_account *)(arena + at.source_accounts);
    r->head->running = READY_NONE;
    identity_table_init(r->table, r->config.slots);
    ready_init(r->ready, r->config.slots);
    ready_init(r->resuming, r->config.slots);
    ready_init(r->accepting, r->config.slots);
    ready_init(r->starved, r->config.slots);
    return 0;
}

void arena_free(struct reactor *r)
{
    free(r->arena);
}

static uint64_t arena_hash(uint64_t hash, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The bytes that count: whole frames from the oldest on, and what has arrived of the present
 * one. */
static uint64_t arena_hash_store(const struct reactor *r, uint32_t slot, uint64_t hash)
{
    const struct source *source = &r->sources[slot];
    const struct store *store = &source->store;
    const uint8_t *bytes = source_store(r, slot);
    uint32_t end = store->tail + source->frame.have;

    if (store->wrap == 0)
        return arena_hash(hash, bytes + store->head, end - store->head);
    hash = arena_hash(hash, bytes + store->head, store->wrap - store->head);
    return arena_hash(hash, bytes, end);
}

uint64_t arena_digest(const struct reactor *r)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    hash = arena_hash(hash, r->arena, (size_t)(r->stores - (uint8_t *)r->arena));
    for (uint32_t slot = 0; slot < r->config.slots; slot++)
        if (r->table->slot[slot].held && r->sources[slot].kind == SOURCE_STREAM)
            hash = arena_hash_store(r, slot, hash);
    return hash;
}
