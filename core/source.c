/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/source.h"

#include <assert.h>

#include "core/defect.h"
#include "core/trace.h"

bool source_room(const struct reactor *r, const struct source *source)
{
    const struct frame_format *format = &source_protocol(r, source)->format;

    if (format->header == 0)
        return true;
    if (DEFECT(ROOM_BESIDE_RESERVATION))
        return credit_total(&source->credit) + frame_size_max(format) <= source->credit.capacity;
    return credit_allows(&source->credit, frame_size_max(format));
}

uint8_t *source_store(const struct reactor *r, uint32_t slot)
{
    return r->stores + (size_t)slot * r->store_stride;
}

static void source_apply(struct reactor *r, struct identity id, enum reader_event event,
                          const struct reader_cell *cell)
{
    if (cell->verdict == READER_ILLEGAL) {
        r->account->illegal++;
        trace_illegal(r, id, event);
    } else if (cell->queue == READER_QUEUE_PUSH) {
        ready_push(r->ready, id.slot);
        if (r->ready->length > r->account->ready_peak)
            r->account->ready_peak = r->ready->length;
    } else if (cell->queue == READER_QUEUE_REMOVE) {
        ready_remove(r->ready, id.slot);
    }
}

void source_step(struct reactor *r, struct identity id, enum reader_event event)
{
    assert(identity_valid(r->table, id));
    source_apply(r, id, event, reader_step(r->config.rules, &r->sources[id.slot].reader, event));
}

void source_fail(struct reactor *r, struct identity id, int error)
{
    assert(identity_valid(r->table, id));
    source_apply(r, id, READER_FATAL,
                  reader_fail(r->config.rules, &r->sources[id.slot].reader, error));
}
