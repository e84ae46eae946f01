/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_IDENTITY_H
#define EDGEWISE_CORE_IDENTITY_H

/*
 * The name of one source: (slot, generation). Queues, batches, timers and worker tasks carry it; a
 * bare descriptor number never names anything, since the kernel hands the number out again at once
 * (R-ID-01, R-ID-11, E5). A slot counts its holders in `generation`; at the last value the slot is
 * out of service for ever instead of wrapping (R-ID-02).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct identity {
    uint32_t slot;
    uint32_t generation; /* 0 names nothing: holders count from 1 */
};

#define IDENTITY_NONE ((struct identity){UINT32_MAX, 0})
#define IDENTITY_GENERATION_LAST UINT32_MAX

static inline bool identity_equal(struct identity a, struct identity b)
{
    return a.slot == b.slot && a.generation == b.generation;
}

/* The 64-bit word that travels in epoll's data field. */
static inline uint64_t identity_pack(struct identity id)
{
    return (uint64_t)id.generation << 32 | id.slot;
}

static inline struct identity identity_unpack(uint64_t word)
{
    return (struct identity){(uint32_t)word, (uint32_t)(word >> 32)};
}

struct identity_slot {
    uint32_t generation; /* of the holder, or of the last one when free */
    uint32_t next;       /* free list; meaningless while held */
    uint32_t held;       /* 0 or 1; no padding: the arena is hashed */
};

/* Lives in the reactor's arena: indices only, no address. */
struct identity_table {
    uint32_t count;   /* slots in `slot` */
    uint32_t free;    /* first free slot, `count` when there is none */
    uint32_t held;    /* slots in use */
    uint32_t retired; /* slots out of service for ever */
    struct identity_slot slot[];
};

/* Bytes that a table of `count` slots needs; count is 1 .. 2^20. */
size_t identity_table_size(uint32_t count);

/* Makes an empty table in `table`, which has identity_table_size(count) bytes. */
void identity_table_init(struct identity_table *table, uint32_t count);

/* Takes a free slot under a generation that it never had. 0, or -ENFILE when none is left; then
 * `ret_id` is untouched. */
int identity_take(struct identity_table *table, struct identity *ret_id);

/* True when `id` is the present holder of its slot. Any word is safe to ask about (R-ID-05). */
bool identity_valid(const struct identity_table *table, struct identity id);

/* The present holder of `slot`, IDENTITY_NONE when it has none or is out of range. */
struct identity identity_of(const struct identity_table *table, uint32_t slot);

/* Ends a holder: from now on every event for it is stale. 0, or -ESTALE when `id` is not valid. */
int identity_retire(struct identity_table *table, struct identity id);

/* Walks every invariant of the table; false when one is broken. */
bool identity_table_check(const struct identity_table *table);

#endif
