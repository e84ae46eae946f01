/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/store.h"

#include <assert.h>

uint32_t store_size(uint32_t capacity, uint32_t frame_max)
{
    assert(frame_max <= capacity && capacity <= UINT32_MAX - frame_max);
    return capacity + frame_max;
}

/*
 * Why the lower part is free when the tail has to move there: then tail > capacity, and the held
 * bytes are at most capacity - frame_max, so the oldest of them stands above frame_max. Wrapped,
 * the same sum keeps tail + frame_max below head.
 */
uint32_t store_place(struct store *store, uint32_t size, uint32_t frame_max)
{
    assert(frame_max <= size);
    if (store->placed)
        return store->tail;
    if (store->frames == 0)
        *store = (struct store){0};
    if (store->tail > size - frame_max) {
        assert(store->wrap == 0);
        store->wrap = store->tail;
        store->tail = 0;
    }
    assert(store->wrap == 0 || store->tail + frame_max <= store->head);
    store->placed = true;
    return store->tail;
}

void store_commit(struct store *store, uint32_t encoded)
{
    assert(store->placed && encoded > 0);
    store->placed = false;
    store->tail += encoded;
    store->frames++;
}

uint32_t store_oldest(const struct store *store)
{
    assert(store->frames > 0);
    return store->head;
}

void store_release(struct store *store, uint32_t encoded)
{
    assert(store->frames > 0);
    store->head += encoded;
    store->frames--;
    if (store->wrap != 0 && store->head == store->wrap) {
        store->head = 0;
        store->wrap = 0;
    }
}

bool store_check(const struct store *store, uint32_t size)
{
    if (store->wrap != 0)
        return store->wrap <= size && store->head <= store->wrap && store->tail <= store->head;
    return store->head <= store->tail && store->tail <= size;
}
