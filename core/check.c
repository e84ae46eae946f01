/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/check.h"

#include "core/reactor_impl.h"

static bool check_source(const struct reactor *r, uint32_t slot)
{
    const struct source *source = &r->sources[slot];
    bool queued = source->reader.state == READER_QUEUED;
    bool running = source->reader.state == READER_RUNNING;

    if (source->kind == SOURCE_LISTENER)
        return !ready_member(r->ready, slot);
    return reader_check(&source->reader) && credit_check(&source->credit) &&
           ready_member(r->ready, slot) == queued && (r->head->running == slot) == running &&
           (r->store_stride == 0 || store_check(&source->store, r->store_stride));
}

bool check_all(const struct reactor *r)
{
    if (!identity_table_check(r->table) || !ready_check(r->ready) || !ready_check(r->resuming) ||
        !ready_check(r->accepting) || !ready_check(r->starved))
        return false;
    for (uint32_t slot = 0; slot < r->config.slots; slot++) {
        bool held = identity_valid(r->table, identity_of(r->table, slot));

        if (held ? !check_source(r, slot) : ready_member(r->ready, slot))
            return false;
    }
    return true;
}
