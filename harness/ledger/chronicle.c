/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/chronicle.h"

#include <assert.h>

/* No kernel has an errno above it. */
#define ERRNO_MAX 4095

static uint64_t at_most(uint64_t number, uint64_t limit)
{
    return number < limit ? number : limit;
}

struct chronicle chronicle_of(const struct happened *happened)
{
    const struct journal *journal = happened->journal;

    if (!journal)
        return (struct chronicle){0};
    return (struct chronicle){
        .journal = journal,
        .count = at_most(atomic_load_explicit(&journal->count, memory_order_acquire),
                         journal->capacity),
        .side = at_most(atomic_load_explicit(&journal->side_used, memory_order_acquire),
                        journal->side_capacity),
        .overflow = atomic_load_explicit(&journal->overflow, memory_order_acquire),
    };
}

const struct journal_record *chronicle_at(const struct chronicle *chronicle, uint64_t i)
{
    const struct journal_record *record;

    assert(i < chronicle->count);
    record = journal_at(chronicle->journal, i);
    return record->kind < JOURNAL_KIND_COUNT ? record : NULL;
}

const uint8_t *chronicle_bytes(const struct chronicle *chronicle,
                               const struct journal_record *record, size_t *ret_size)
{
    if (record->side_at > chronicle->side ||
        record->side_length > chronicle->side - record->side_at) {
        *ret_size = 0;
        return NULL;
    }
    return journal_bytes(chronicle->journal, record, ret_size);
}

int chronicle_error(const struct journal_record *record)
{
    return record->result < 0 && record->result >= -ERRNO_MAX ? -record->result : 0;
}
