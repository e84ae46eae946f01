/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/chronicle.h"
#include "harness/memory.h"

static void bytes_add(struct tally_bytes *bytes, const uint8_t *data, size_t size, size_t wanted)
{
    if (size != wanted)
        bytes->known = false;
    while (bytes->room - bytes->size < size)
        bytes->data = memory_grow(bytes->data, bytes->room, &bytes->room, 1);
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

static void add_notice(struct tally_source *source, const struct journal_record *record)
{
    source->notices++;
    if (record->flags & JOURNAL_FLAG_STALE)
        source->stale++;
}

static void add_read(struct tally_source *source, const struct chronicle *chronicle,
                     const struct journal_record *record)
{
    size_t size = 0;
    const uint8_t *bytes = chronicle_bytes(chronicle, record, &size);

    source->reads++;
    if (record->result == -EAGAIN)
        source->eagain++;
    if (record->result == -EINTR)
        source->eintr++;
    if (record->result <= 0)
        return;
    source->read_size += (uint64_t)record->result;
    bytes_add(&source->read, bytes, size, (size_t)record->result);
}

static void add_frame(struct tally_source *source, const struct chronicle *chronicle,
                      const struct journal_record *record)
{
    size_t size = 0;
    const uint8_t *bytes = chronicle_bytes(chronicle, record, &size);

    source->frames = memory_grow(source->frames, source->frame_count, &source->frame_room,
                                 sizeof(*source->frames));
    source->frames[source->frame_count++] = (struct tally_frame){.at = source->payload.size,
                                                                 .size = size};
    bytes_add(&source->payload, bytes, size, (size_t)record->result);
}

static void add_end(struct tally_source *source, const struct journal_record *record)
{
    if (source->ends++ > 0)
        return;
    source->outcome = record->outcome < READER_END_COUNT ? record->outcome : READER_END_NONE;
    source->error = chronicle_error(record);
}

static void add_peak(struct tally_source *source, uint64_t total)
{
    if (total > source->peak)
        source->peak = total;
}

static void add_credit(struct tally_source *source, const struct journal_record *record)
{
    source->used = record->credit.used;
    source->reserved = record->credit.reserved;
    add_peak(source, (uint64_t)record->credit.used + record->credit.reserved);
}

/* A read that begins a frame was granted room for the largest one; when the header is whole
 * after it, the record shows what that fell to (R-F-03, R-F-05). */
static void add_grant(struct tally_source *source, const struct frame_format *format)
{
    if (format->header > 0 && source->reserved == 0)
        add_peak(source, (uint64_t)source->used + frame_size_max(format));
}

static void add_unread(struct tally_source *source, const struct journal_record *record)
{
    source->unread = record->unread;
    source->unread_at = record->at;
}

/* What kinds of record carry. */
#define BIT(kind)   (1u << JOURNAL_##kind)
#define WITH_STATE  (BIT(READY) | BIT(STOP) | BIT(END) | BIT(RESUME))
#define WITH_CREDIT (WITH_STATE | BIT(READ) | BIT(FRAME) | BIT(CONSUME))
#define WITH_UNREAD (BIT(STOP) | BIT(END))

/* What a record is added with. */
struct adding {
    struct tally *tally;
    struct chronicle chronicle;
    const struct frame_format *format;
};

static void add_kind(const struct adding *adding, struct tally_source *source,
                     const struct journal_record *record)
{
    switch (record->kind) {
    case JOURNAL_NOTICE:
        add_notice(source, record);
        break;
    case JOURNAL_QUANTUM:
        source->quanta++;
        source->state = READER_RUNNING;
        break;
    case JOURNAL_READ:
        add_grant(source, adding->format);
        add_read(source, &adding->chronicle, record);
        break;
    case JOURNAL_FRAME:
        add_frame(source, &adding->chronicle, record);
        break;
    case JOURNAL_END:
        add_end(source, record);
        break;
    case JOURNAL_CLOSE:
        source->closed_early = !adding->tally->halted;
        source->closed_at = record->at;
        break;
    default:
        break;
    }
}

static void add_record(const struct adding *adding, struct tally_source *source,
                       const struct journal_record *record)
{
    unsigned bit = 1u << record->kind;

    add_kind(adding, source, record);
    if (bit & WITH_STATE)
        source->state = record->state;
    if (bit & WITH_CREDIT)
        add_credit(source, record);
    if (bit & WITH_UNREAD)
        add_unread(source, record);
}

void tally_make(const struct happened *happened, const struct names *names, struct tally *ret_tally)
{
    struct tally tally = {.count = names->count};
    struct adding adding = {&tally, chronicle_of(happened), &happened->plan->format};

    tally.sources = memory_zeroed(tally.count, sizeof(*tally.sources));
    for (size_t i = 0; i < tally.count; i++)
        tally.sources[i] = (struct tally_source){
            .peer = names_peer(names, i),
            .id = names->sources[i],
            .read.known = true,
            .payload.known = true,
            .state = READER_WAITING,
            .unread = JOURNAL_UNREAD_UNKNOWN,
            .unread_at = INSTANT_PAST,
            .closed_at = INSTANT_NEVER,
        };
    for (uint64_t i = 0; i < adding.chronicle.count; i++) {
        const struct journal_record *record = chronicle_at(&adding.chronicle, i);
        size_t source = record ? names_find(names, record->subject) : NAMES_NONE;

        if (record && record->kind == JOURNAL_HALT)
            tally.halted = true;
        if (source != NAMES_NONE)
            add_record(&adding, &tally.sources[source], record);
    }
    *ret_tally = tally;
}

void tally_free(struct tally *tally)
{
    for (size_t i = 0; i < tally->count; i++) {
        free(tally->sources[i].read.data);
        free(tally->sources[i].payload.data);
        free(tally->sources[i].frames);
    }
    free(tally->sources);
    *tally = (struct tally){0};
}

const struct tally_source *tally_find(const struct tally *tally, uint32_t peer)
{
    for (size_t i = 0; i < tally->count; i++)
        if (tally->sources[i].peer == peer)
            return &tally->sources[i];
    return NULL;
}
