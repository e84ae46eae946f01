/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/trace.h"

#include "core/reactor_impl.h"

static struct journal_record trace_record(struct reactor *r, enum journal_kind kind,
                                          struct identity id)
{
    return (struct journal_record){.kind = (uint8_t)kind, .subject = id, .at = os_now(r->os)};
}

static void trace_reader(const struct source *source, struct journal_record *record)
{
    record->state = source->reader.state;
    record->outcome = source->reader.outcome;
    if (source->reader.hint)
        record->flags |= JOURNAL_FLAG_HINT;
    record->credit.used = source->credit.used;
    record->credit.reserved = source->credit.reserved;
}

static void trace_queue(struct reactor *r, struct journal_record *record)
{
    uint64_t first[JOURNAL_QUEUE_MAX];
    uint32_t count = 0;

    for (uint32_t slot = ready_first(r->ready); slot != READY_NONE && count < JOURNAL_QUEUE_MAX;
         slot = ready_next(r->ready, slot))
        first[count++] = identity_pack(identity_of(r->table, slot));
    record->number = r->ready->length;
    record->side_at = journal_side_mark(r->config.journal);
    record->side_length = (uint32_t)(count * sizeof(*first));
    journal_side(r->config.journal, first, record->side_length);
}

static int32_t trace_unread(struct reactor *r, const struct source *source)
{
    long unread = os_unread(r->os, source->fd);

    return unread < 0 || unread > INT32_MAX ? JOURNAL_UNREAD_UNKNOWN : (int32_t)unread;
}

void trace_notice(struct reactor *r, struct identity id, uint16_t events, uint8_t flags)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_NOTICE, id);
    record.events = events;
    record.flags = flags;
    journal_write(r->config.journal, &record);
}

static void trace_service(struct reactor *r, enum journal_kind kind, struct identity id)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, kind, id);
    trace_reader(&r->sources[id.slot], &record);
    trace_queue(r, &record);
    journal_write(r->config.journal, &record);
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
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_QUANTUM, id);
    record.number = (uint32_t)r->account->quanta;
    journal_write(r->config.journal, &record);
}

void trace_read(struct reactor *r, struct identity id, uint32_t asked, long result, uint64_t mark)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_READ, id);
    trace_reader(&r->sources[id.slot], &record);
    record.asked = asked;
    record.result = (int32_t)result;
    record.side_at = mark;
    record.side_length = (uint32_t)(journal_side_mark(r->config.journal) - mark);
    journal_write(r->config.journal, &record);
}

void trace_frame(struct reactor *r, struct identity id, const uint8_t *payload, uint32_t size)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_FRAME, id);
    trace_reader(&r->sources[id.slot], &record);
    record.number = r->source_accounts[id.slot].frames;
    record.result = (int32_t)size;
    record.side_at = journal_side_mark(r->config.journal);
    record.side_length = size;
    journal_side(r->config.journal, payload, size);
    journal_write(r->config.journal, &record);
}

void trace_stop(struct reactor *r, struct identity id, unsigned reasons)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_STOP, id);
    trace_reader(&r->sources[id.slot], &record);
    trace_queue(r, &record);
    record.reasons = (uint8_t)reasons;
    record.unread = trace_unread(r, &r->sources[id.slot]);
    journal_write(r->config.journal, &record);
}

void trace_end(struct reactor *r, struct identity id)
{
    const struct source *source = &r->sources[id.slot];
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_END, id);
    trace_reader(source, &record);
    trace_queue(r, &record);
    record.result = -source->reader.error;
    record.unread = trace_unread(r, source);
    journal_write(r->config.journal, &record);
}

void trace_consume(struct reactor *r, struct identity id, uint32_t frames)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_CONSUME, id);
    trace_reader(&r->sources[id.slot], &record);
    record.number = frames;
    journal_write(r->config.journal, &record);
}

void trace_ctl(struct reactor *r, struct identity id, enum os_ctl op, uint16_t was, uint16_t events,
               int result)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_CTL, id);
    record.op = (uint8_t)op;
    record.was = was;
    record.events = events;
    record.result = result;
    journal_write(r->config.journal, &record);
}

void trace_accept(struct reactor *r, struct identity listener, int result, struct identity id)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_ACCEPT, listener);
    record.result = result;
    record.object = id;
    journal_write(r->config.journal, &record);
}

static void trace_bare(struct reactor *r, enum journal_kind kind, struct identity id)
{
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, kind, id);
    journal_write(r->config.journal, &record);
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
    struct journal_record record;

    if (!r->config.journal)
        return;
    record = trace_record(r, JOURNAL_ILLEGAL, id);
    record.state = r->sources[id.slot].reader.state;
    record.number = event;
    journal_write(r->config.journal, &record);
}
