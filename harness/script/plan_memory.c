/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/plan_memory.h"

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

#define BLOCK_SIZE ((size_t)64 << 10)
#define ROOM_MIN   8

struct block {
    struct block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

struct plan_memory {
    struct block *blocks; /* pieces come from the first one */
};

struct plan_memory *plan_memory_new(void)
{
    return memory_must(calloc(1, sizeof(struct plan_memory)));
}

/* calloc: large blocks come as zero pages, so a big piece costs what is written to it. */
static struct block *block_new(size_t size)
{
    struct block *block;

    assert(size < SIZE_MAX - sizeof(*block));
    block = memory_must(calloc(1, sizeof(*block) + size));
    block->size = size;
    return block;
}

void *plan_memory_take(struct plan_memory *memory, size_t size)
{
    struct block *block = memory->blocks;
    size_t whole;
    void *piece;

    assert(size < SIZE_MAX / 2);
    whole = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (!block || block->size - block->used < whole) {
        block = block_new(whole > BLOCK_SIZE ? whole : BLOCK_SIZE);
        block->next = memory->blocks;
        memory->blocks = block;
    }
    piece = block->bytes + block->used;
    block->used += whole;
    return piece;
}

char *plan_memory_text(struct plan_memory *memory, const char *text, size_t size)
{
    char *copy = plan_memory_take(memory, size + 1);

    if (size > 0)
        memcpy(copy, text, size);
    return copy;
}

void *plan_memory_grow(struct plan_memory *memory, void *array, size_t element, size_t count,
                       size_t *room)
{
    size_t larger;
    void *copy;

    assert(count <= *room);
    if (count < *room)
        return array;
    larger = *room ? 2 * *room : ROOM_MIN;
    assert(larger < SIZE_MAX / element);
    copy = plan_memory_take(memory, larger * element);
    if (count > 0)
        memcpy(copy, array, count * element);
    *room = larger;
    return copy;
}

void plan_memory_free(struct plan_memory *memory)
{
    if (!memory)
        return;
    while (memory->blocks) {
        struct block *block = memory->blocks;

        memory->blocks = block->next;
        free(block);
    }
    free(memory);
}
