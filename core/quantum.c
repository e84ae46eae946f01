/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/quantum.h"

#include <assert.h>
#include <errno.h>

#include "core/callback.h"
#include "core/interest.h"
#include "core/source.h"
#include "core/trace.h"

/* The quantum that is being run. */
struct quantum {
    struct reactor *r;
    struct identity id;
    struct source *source;
    const struct reactor_protocol *protocol;
    struct budget budget;
};

static void quantum_note_peak(struct quantum *q)
{
    struct source_account *account = &q->r->source_accounts[q->id.slot];
    uint32_t total = credit_total(&q->source->credit);

    assert(credit_check(&q->source->credit));
    if (total > account->credit_peak)
        account->credit_peak = total;
}

/* The quantum is over and the source stays: its row, then what the kernel must be told. */
static void quantum_stop(struct quantum *q, unsigned reasons)
{
    trace_stop(q->r, q->id, reasons);
    interest_sync(q->r, q->id);
}

/* The read direction has ended. Its unfinished frame's room returns; whole frames stay charged
 * until they are released. */
static void quantum_end(struct quantum *q)
{
    credit_drop(&q->source->credit);
    q->r->account->ends++;
    trace_end(q->r, q->id);
    interest_sync(q->r, q->id);
    callback_end(q->r, q->id);
}

/* Room for the whole next frame before the first byte of its header (R-F-03). */
static bool quantum_grant(struct quantum *q)
{
    if (q->protocol->format.header == 0)
        return true;
    if (credit_reserve(&q->source->credit, frame_size_max(&q->protocol->format)) == 0) {
        quantum_note_peak(q);
        return true;
    }
    source_step(q->r, q->id, READER_NO_GRANT);
    q->r->account->pauses++;
    quantum_stop(q, JOURNAL_REASON_CAPACITY);
    return false;
}

/* A time budget is only looked at between operations: how far the last one went over it
 * (R-B-08). */
static void quantum_note_overshoot(struct quantum *q, struct instant now)
{
    struct duration spent = instant_since(now, q->budget.start);
    int64_t over = spent.ns - q->protocol->limits.time.ns;

    q->r->account->overshoots++;
    if ((uint64_t)over > q->r->account->overshoot_peak_ns)
        q->r->account->overshoot_peak_ns = (uint64_t)over;
}

/* A budget is used up: give way, or pause when there is no room to come back for (C16). */
static void quantum_yield(struct quantum *q, unsigned exhausted)
{
    if (source_room(q->r, q->source)) {
        source_step(q->r, q->id, READER_YIELD_ROOM);
        q->r->account->yields++;
        quantum_stop(q, exhausted);
    } else {
        source_step(q->r, q->id, READER_YIELD_NO_ROOM);
        q->r->account->pauses++;
        quantum_stop(q, exhausted | JOURNAL_REASON_CAPACITY);
    }
}

/* Where the next read puts its bytes, and how many it asks for (R-B-10, R-F-04). */
static uint8_t *quantum_target(struct quantum *q, uint32_t *ret_asked)
{
    uint32_t left = budget_bytes_left(&q->protocol->limits, &q->budget);
    uint32_t missing;
    uint32_t at;

    if (q->protocol->format.header == 0) {
        *ret_asked = left < q->r->scratch_size ? left : q->r->scratch_size;
        return q->r->scratch;
    }
    missing = frame_missing(&q->protocol->format, &q->source->frame);
    *ret_asked = left < missing ? left : missing;
    at = store_place(&q->source->store, q->r->store_stride,
                     frame_size_max(&q->protocol->format));
    return source_store(q->r, q->id.slot) + at + q->source->frame.have;
}

static void quantum_deliver_frame(struct quantum *q, const uint8_t *encoded)
{
    uint32_t header = q->protocol->format.header;
    uint32_t size = q->source->frame.size;

    credit_commit(&q->source->credit, size);
    store_commit(&q->source->store, size);
    frame_reset(&q->source->frame);
    budget_deliver(&q->budget, true);
    q->r->account->frames++;
    q->r->source_accounts[q->id.slot].frames++;
    trace_frame(q->r, q->id, encoded + header, size - header);
    callback_frame(q->r, q->id, encoded + header, size - header);
}

static void quantum_deliver_raw(struct quantum *q, const uint8_t *bytes, uint32_t size)
{
    budget_deliver(&q->budget, false);
    callback_data(q->r, q->id, bytes, size);
}

/* Bytes have come: parse, charge, log, deliver. False when the quantum has ended. */
static bool quantum_progress(struct quantum *q, uint8_t *bytes, uint32_t asked, uint32_t got,
                             uint64_t mark)
{
    enum frame_result result = FRAME_MORE;
    uint8_t *encoded = bytes - q->source->frame.have;

    source_step(q->r, q->id, READER_PROGRESS);
    budget_take(&q->budget, got);
    q->r->account->reads_data++;
    q->r->account->bytes += got;
    if (q->protocol->format.header != 0)
        result = frame_advance(&q->protocol->format, &q->source->frame, encoded, got);
    if (result == FRAME_SIZED || result == FRAME_COMPLETE)
        credit_shrink(&q->source->credit, q->source->frame.size);
    trace_read(q->r, q->id, asked, got, mark);

    if (result == FRAME_OVERSIZE) {
        source_step(q->r, q->id, READER_OVERSIZE);
        quantum_end(q);
        return false;
    }
    if (q->protocol->format.header == 0)
        quantum_deliver_raw(q, bytes, got);
    else if (result == FRAME_COMPLETE)
        quantum_deliver_frame(q, encoded);
    /* The callback may have closed the source. */
    return identity_valid(q->r->table, q->id);
}

static void quantum_read_end(struct quantum *q)
{
    bool inside = frame_partial(&q->source->frame);

    source_step(q->r, q->id, inside ? READER_EOF_TRUNCATED : READER_EOF_CLEAN);
    quantum_end(q);
}

/* A read without bytes. False when the quantum has ended. EAGAIN and the ends come before any
 * budget that the same attempt used up (R-ST-17). */
static bool quantum_no_bytes(struct quantum *q, long result)
{
    switch (result) {
    case 0:
        quantum_read_end(q);
        return false;
    case -EAGAIN:
        q->r->account->reads_eagain++;
        source_step(q->r, q->id, READER_EXHAUSTED);
        quantum_stop(q, JOURNAL_REASON_EAGAIN);
        return false;
    case -EINTR:
        q->r->account->reads_eintr++;
        source_step(q->r, q->id, READER_INTERRUPTED);
        return true;
    default:
        source_fail(q->r, q->id, (int)-result);
        quantum_end(q);
        return false;
    }
}

/* One attempt. False when the quantum has ended. */
static bool quantum_attempt(struct quantum *q)
{
    uint64_t mark = journal_side_mark(q->r->config.journal);
    uint32_t asked;
    uint8_t *bytes = quantum_target(q, &asked);
    long result = os_read(q->r->os, q->source->fd, bytes, asked);

    assert(asked > 0 && result <= (long)asked);
    budget_attempt(&q->budget);
    q->r->account->reads++;
    if (result > 0)
        return quantum_progress(q, bytes, asked, (uint32_t)result, mark);
    trace_read(q->r, q->id, asked, result, mark);
    return quantum_no_bytes(q, result);
}

/* The clock is read only for a budget that needs it. */
static struct instant quantum_now(const struct quantum *q)
{
    return q->protocol->limits.time.ns == 0 ? q->budget.start : os_now(q->r->os);
}

static void quantum_go(struct quantum *q)
{
    unsigned exhausted = 0;

    while (exhausted == 0) {
        struct instant now;

        if (!quantum_grant(q) || !quantum_attempt(q))
            return;
        now = quantum_now(q);
        exhausted = budget_exhausted(&q->protocol->limits, &q->budget, now);
        if (exhausted & 1u << BUDGET_TIME)
            quantum_note_overshoot(q, now);
    }
    quantum_yield(q, exhausted);
}

void quantum_run(struct reactor *r)
{
    uint32_t slot = ready_pop(r->ready);
    struct quantum q = {.r = r};

    if (slot == READY_NONE)
        return;
    q.id = identity_of(r->table, slot);
    q.source = &r->sources[slot];
    q.protocol = source_protocol(r, q.source);
    r->head->running = slot;
    r->account->quanta++;
    source_step(r, q.id, READER_DISPATCH);
    budget_start(&q.budget, q.protocol->limits.time.ns == 0 ? INSTANT_PAST : os_now(r->os));
    trace_quantum(r, q.id);
    quantum_go(&q);
    r->head->running = READY_NONE;
}
