/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/journal.h"

#include <assert.h>
#include <string.h>

#define JOURNAL_LINE 64
#define JOURNAL_RECORDS_MAX (UINT64_C(1) << 24)
#define JOURNAL_SIDE_MAX (UINT64_C(1) << 32)

_Static_assert(sizeof(struct journal) <= JOURNAL_LINE, "the header fits before the records");
_Static_assert(sizeof(size_t) >= sizeof(uint64_t), "every journal size fits a size_t");

/* Header, records, side log: each begins at a multiple of a cache line. */
static uint8_t *journal_place(const struct journal *journal, uint64_t records)
{
    return (uint8_t *)(uintptr_t)journal + JOURNAL_LINE + records * sizeof(struct journal_record);
}

static struct journal_record *journal_record_at(const struct journal *journal, uint64_t i)
{
    return (struct journal_record *)(void *)journal_place(journal, i);
}

size_t journal_size(uint64_t records, uint64_t side)
{
    if (records < 1 || records > JOURNAL_RECORDS_MAX || side > JOURNAL_SIDE_MAX)
        return 0;
    return JOURNAL_LINE + records * sizeof(struct journal_record) + side;
}

struct journal *journal_init(void *block, uint64_t records, uint64_t side)
{
    struct journal *journal = block;

    assert(journal_size(records, side) != 0);
    assert((uintptr_t)block % JOURNAL_LINE == 0);

    journal->capacity = records;
    journal->side_capacity = side;
    atomic_init(&journal->side_used, 0);
    atomic_init(&journal->overflow, false);
    atomic_init(&journal->count, 0);
    return journal;
}

static void journal_overflow(struct journal *journal)
{
    atomic_store_explicit(&journal->overflow, true, memory_order_release);
}

void journal_write(struct journal *journal, const struct journal_record *record)
{
    uint64_t count;

    if (!journal)
        return;
    assert(record->kind < JOURNAL_KIND_COUNT);
    count = atomic_load_explicit(&journal->count, memory_order_relaxed);
    if (count >= journal->capacity) {
        journal_overflow(journal);
        return;
    }
    *journal_record_at(journal, count) = *record;
    atomic_store_explicit(&journal->count, count + 1, memory_order_release);
}

void journal_side(struct journal *journal, const void *bytes, size_t size)
{
    uint64_t used;

    if (!journal || size == 0)
        return;
    used = atomic_load_explicit(&journal->side_used, memory_order_relaxed);
    /* All or nothing, and nothing after a loss: else later bytes would stand where a record expects
     * those that were lost. */
    if (atomic_load_explicit(&journal->overflow, memory_order_relaxed) ||
        size > journal->side_capacity - used) {
        journal_overflow(journal);
        return;
    }
    memcpy(journal_place(journal, journal->capacity) + used, bytes, size);
    atomic_store_explicit(&journal->side_used, used + size, memory_order_release);
}

uint64_t journal_side_mark(const struct journal *journal)
{
    return journal ? atomic_load_explicit(&journal->side_used, memory_order_relaxed) : 0;
}

const struct journal_record *journal_at(const struct journal *journal, uint64_t i)
{
    assert(i < atomic_load_explicit(&journal->count, memory_order_acquire));
    return journal_record_at(journal, i);
}

const uint8_t *journal_bytes(const struct journal *journal, const struct journal_record *record,
                             size_t *ret_size)
{
    uint64_t used = atomic_load_explicit(&journal->side_used, memory_order_acquire);

    /* A record whose bytes were lost to an overflow has none. */
    if (record->side_length == 0 || record->side_at > used ||
        record->side_length > used - record->side_at) {
        *ret_size = 0;
        return NULL;
    }
    *ret_size = record->side_length;
    return journal_place(journal, journal->capacity) + record->side_at;
}
