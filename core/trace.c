/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/trace.h"

#include <assert.h>

#include "core/reactor_impl.h"

/* A row in the making. */
struct trace {
    struct journal *journal;
    const struct source *source;
    struct journal_record record;
};

/* False while the journal is off: nothing more is to be done then. */
static bool trace_begin(struct reactor *r, enum journal_kind kind, struct identity id,
                        struct trace *ret_trace)
{
    if (!r->config.journal)
        return false;
    *ret_trace = (struct trace){
        .journal = r->config.journal,
        .source = id.slot < r->config.slots ? &r->sources[id.slot] : NULL,
        .record = {.kind = (uint8_t)kind, .subject = id, .at = os_now(r->os)},
    };
    return true;
}

static void trace_commit(const struct trace *trace)
{
    journal_write(trace->journal, &trace->record);
}

/* The columns of the read direction: state, hint, outcome, credit. */
static void trace_reader(struct trace *trace)
{
    const struct source *source = trace->source;

    assert(source);
    trace->record.state = source->reader.state;
    trace->record.outcome = source->reader.outcome;
    if (source->reader.hint)
        trace->record.flags |= JOURNAL_FLAG_HINT;
    trace->record.credit.used = source->credit.used;
    trace->record.credit.reserved = source->credit.reserved;
}

static void trace_side(struct trace *trace, const void *bytes, uint32_t size)
{
    trace->record.side_at = journal_side_mark(trace->journal);
    trace->record.side_length = size;
    journal_side(trace->journal, bytes, size);
}

static void trace_queue(struct reactor *r, struct trace *trace)
{
    uint64_t first[JOURNAL_QUEUE_MAX];
    uint32_t count = 0;

    for (uint32_t slot = ready_first(r->ready); slot != READY_NONE && count < JOURNAL_QUEUE_MAX;
         slot = ready_next(r->ready, slot))
        first[count++] = identity_pack(identity_of(r->table, slot));
    trace->record.number = r->ready->length;
    trace_side(trace, first, (uint32_t)(count * sizeof(*first)));
}

static void trace_unread(struct reactor *r, struct trace *trace)
{
    long unread;

    assert(trace->source);
    unread = os_unread(r->os, trace->source->fd);
    trace->record.unread =
        unread < 0 || unread > INT32_MAX ? JOURNAL_UNREAD_UNKNOWN : (int32_t)unread;
}

void trace_notice(struct reactor *r, struct identity id, uint16_t events, uint8_t flags)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_NOTICE, id, &trace))
        return;
    trace.record.events = events;
    trace.record.flags = flags;
    trace_commit(&trace);
}

static void trace_service(struct reactor *r, enum journal_kind kind, struct identity id)
{
    struct trace trace;

    if (!trace_begin(r, kind, id, &trace))
        return;
    trace_reader(&trace);
    trace_queue(r, &trace);
    trace_commit(&trace);
}

void trace_ready(struct reactor *r, struct identity id)
{
    trace_service(r, JOURNAL_READY, id);
}

void trace_resume(struct reactor *r, struct identity id)
{
    trace_service(r, JOURNAL_RESUME, id);
}

void trace_quantum(struct reactor *r, struct identity id)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_QUANTUM, id, &trace))
        return;
    trace.record.number = (uint32_t)r->account->quanta;
    trace_commit(&trace);
}

void trace_read(struct reactor *r, struct identity id, uint32_t asked, long result, uint64_t mark)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_READ, id, &trace))
        return;
    trace_reader(&trace);
    trace.record.asked = asked;
    trace.record.result = (int32_t)result;
    trace.record.side_at = mark;
    trace.record.side_length = (uint32_t)(journal_side_mark(trace.journal) - mark);
    trace_commit(&trace);
}

void trace_frame(struct reactor *r, struct identity id, const uint8_t *payload, uint32_t size)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_FRAME, id, &trace))
        return;
    trace_reader(&trace);
    trace_side(&trace, payload, size);
    trace.record.number = r->source_accounts[id.slot].frames;
    trace.record.result = (int32_t)size;
    trace_commit(&trace);
}

void trace_stop(struct reactor *r, struct identity id, unsigned reasons)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_STOP, id, &trace))
        return;
    trace_reader(&trace);
    trace_queue(r, &trace);
    trace_unread(r, &trace);
    trace.record.reasons = (uint8_t)reasons;
    trace_commit(&trace);
}

void trace_end(struct reactor *r, struct identity id)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_END, id, &trace))
        return;
    trace_reader(&trace);
    trace_queue(r, &trace);
    trace_unread(r, &trace);
    assert(trace.source);
    trace.record.result = -trace.source->reader.error;
    trace_commit(&trace);
}

void trace_consume(struct reactor *r, struct identity id, uint32_t frames)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_CONSUME, id, &trace))
        return;
    trace_reader(&trace);
    trace.record.number = frames;
    trace_commit(&trace);
}

void trace_ctl(struct reactor *r, struct identity id, enum os_ctl op, uint16_t was, uint16_t events,
               int result)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_CTL, id, &trace))
        return;
    trace.record.op = (uint8_t)op;
    trace.record.was = was;
    trace.record.events = events;
    trace.record.result = result;
    trace_commit(&trace);
}

void trace_accept(struct reactor *r, struct identity listener, int result, struct identity id)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_ACCEPT, listener, &trace))
        return;
    trace.record.result = result;
    trace.record.object = id;
    trace_commit(&trace);
}

static void trace_bare(struct reactor *r, enum journal_kind kind, struct identity id)
{
    struct trace trace;

    if (trace_begin(r, kind, id, &trace))
        trace_commit(&trace);
}

void trace_adopt(struct reactor *r, struct identity id)
{
    trace_bare(r, JOURNAL_ADOPT, id);
}

void trace_halt(struct reactor *r)
{
    trace_bare(r, JOURNAL_HALT, IDENTITY_NONE);
}

void trace_close(struct reactor *r, struct identity id)
{
    trace_bare(r, JOURNAL_CLOSE, id);
}

void trace_illegal(struct reactor *r, struct identity id, enum reader_event event)
{
    struct trace trace;

    if (!trace_begin(r, JOURNAL_ILLEGAL, id, &trace))
        return;
    assert(trace.source);
    trace.record.state = trace.source->reader.state;
    trace.record.number = event;
    trace_commit(&trace);
}
