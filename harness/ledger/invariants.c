/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/invariants.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/chronicle.h"
#include "harness/ledger/events.h"
#include "harness/memory.h"

/* What is known of one source at a record. */
struct known {
    bool queued;
    bool ended;
    bool closed;
    uint32_t used; /* credit of its last row */
    uint32_t reserved;
};

struct play {
    const struct happened *happened;
    struct chronicle chronicle;
    const struct names *names;
    const struct lines *rows;
    struct lines *lines;
    struct known *known; /* by source number */
    size_t *queue;       /* source numbers, the head first */
    size_t queued;
    size_t running; /* NAMES_NONE between quanta */
    bool halted;
    size_t row; /* of the present record */
    size_t broken;
    const struct journal_record *record;
    size_t source; /* of the present record */
};

__attribute__((format(printf, 2, 3))) static void broken(struct play *play, const char *format, ...)
{
    char text[256];
    va_list args;

    if (play->broken++ >= INVARIANTS_TOLD_MAX)
        return;
    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    lines_add(play->lines, "row %zu, \"%s\": %s", play->row + 1,
              play->row < play->rows->count ? play->rows->line[play->row] : "", text);
}

static void push(struct play *play)
{
    if (play->known[play->source].queued) {
        broken(play, "it is in the queue already");
        return;
    }
    play->known[play->source].queued = true;
    play->queue[play->queued++] = play->source;
}

static void take_out(struct play *play, size_t source)
{
    size_t kept = 0;

    for (size_t i = 0; i < play->queued; i++)
        if (play->queue[i] != source)
            play->queue[kept++] = play->queue[i];
    play->queued = kept;
    play->known[source].queued = false;
}

/* The queue that the record shows is the one that was played. */
static void check_queue(struct play *play)
{
    size_t size = 0, shown = play->queued < JOURNAL_QUEUE_MAX ? play->queued : JOURNAL_QUEUE_MAX;
    const uint8_t *bytes = chronicle_bytes(&play->chronicle, play->record, &size);

    if (play->record->number != play->queued || size != shown * sizeof(uint64_t)) {
        broken(play, "%zu should be in the queue", play->queued);
        return;
    }
    for (size_t i = 0; i < shown; i++) {
        struct identity id = play->names->sources[play->queue[i]];
        uint64_t word;

        memcpy(&word, bytes + i * sizeof(word), sizeof(word));
        if (!identity_equal(identity_unpack(word), id)) {
            broken(play, "place %zu of the queue should be %s", i + 1, names_text(play->names, id));
            return;
        }
    }
}

static void check_credit(struct play *play)
{
    const struct plan *plan = play->happened->plan;
    uint64_t total = (uint64_t)play->record->credit.used + play->record->credit.reserved;
    uint32_t capacity = plan->format.header > 0 ? plan->capacity : 0;

    if (total > capacity)
        broken(play, "credit %" PRIu64 " is above the capacity %u", total, capacity);
    play->known[play->source].used = play->record->credit.used;
    play->known[play->source].reserved = play->record->credit.reserved;
}

/* A read that begins a frame has room for the largest one (R-F-03). */
static void check_grant(struct play *play)
{
    const struct plan *plan = play->happened->plan;
    const struct known *known = &play->known[play->source];
    uint64_t total;

    if (plan->format.header == 0 || known->reserved > 0)
        return;
    total = (uint64_t)known->used + frame_size_max(&plan->format);
    if (total > plan->capacity)
        broken(play, "a frame begun with %u of %u used, without room for the largest", known->used,
               plan->capacity);
}

static void check_running(struct play *play)
{
    if (play->running != play->source)
        broken(play, "it is not its quantum");
}

static void check_alive(struct play *play)
{
    if (play->known[play->source].ended)
        broken(play, "its read direction has ended");
}

static void play_notice(struct play *play)
{
    if (play->known[play->source].closed && !(play->record->flags & JOURNAL_FLAG_STALE))
        broken(play, "the source is closed; the notice is stale");
}

static void play_service(struct play *play)
{
    check_alive(play);
    check_credit(play);
    if (play->running != NAMES_NONE)
        broken(play, "inside a quantum");
    if (play->record->state == READER_QUEUED)
        push(play);
    check_queue(play);
}

static void play_quantum(struct play *play)
{
    check_alive(play);
    if (play->halted)
        broken(play, "after the stop");
    if (play->running != NAMES_NONE)
        broken(play, "inside another quantum");
    if (play->queued == 0 || play->queue[0] != play->source)
        broken(play, "it is not the head of the queue");
    take_out(play, play->source);
    play->running = play->source;
}

static void play_progress(struct play *play)
{
    check_alive(play);
    check_running(play);
    check_credit(play);
}

static void play_read(struct play *play)
{
    check_grant(play);
    play_progress(play);
}

static void play_stop(struct play *play)
{
    play_progress(play);
    play->running = NAMES_NONE;
    if (play->record->state == READER_QUEUED)
        push(play);
    check_queue(play);
}

static void play_end(struct play *play)
{
    play_progress(play);
    play->running = NAMES_NONE;
    play->known[play->source].ended = true;
    check_queue(play);
}

static void play_close(struct play *play)
{
    take_out(play, play->source);
    if (play->running == play->source)
        play->running = NAMES_NONE;
    play->known[play->source].closed = true;
}

static void play_illegal(struct play *play)
{
    broken(play, "an internal error of the reactor");
}

static void play_nothing(struct play *play)
{
    (void)play;
}

static void (*const plays[])(struct play *) = {
    [JOURNAL_NOTICE] = play_notice,   [JOURNAL_READY] = play_service,
    [JOURNAL_QUANTUM] = play_quantum, [JOURNAL_READ] = play_read,
    [JOURNAL_FRAME] = play_progress,  [JOURNAL_STOP] = play_stop,
    [JOURNAL_END] = play_end,         [JOURNAL_CONSUME] = check_credit,
    [JOURNAL_RESUME] = play_service,  [JOURNAL_CTL] = play_nothing,
    [JOURNAL_ACCEPT] = play_nothing,  [JOURNAL_ADOPT] = play_nothing,
    [JOURNAL_HALT] = play_nothing,    [JOURNAL_CLOSE] = play_close,
    [JOURNAL_ILLEGAL] = play_illegal,
};
_Static_assert(sizeof(plays) / sizeof(*plays) == JOURNAL_KIND_COUNT, "a play each");

static bool may_follow_close(enum journal_kind kind)
{
    return kind == JOURNAL_NOTICE || kind == JOURNAL_CTL;
}

static void play_record(struct play *play)
{
    enum journal_kind kind;

    if (!play->record) {
        broken(play, "a record of no kind");
        return;
    }
    kind = play->record->kind;
    play->source = names_find(play->names, play->record->subject);
    if (kind == JOURNAL_HALT)
        play->halted = true;
    if (play->source == NAMES_NONE) {
        if (kind == JOURNAL_ILLEGAL)
            play_illegal(play);
        return;
    }
    if (play->known[play->source].closed && !may_follow_close(kind)) {
        broken(play, "the source is closed");
        return;
    }
    plays[kind](play);
}

void invariants_check(const struct happened *happened, const struct names *names,
                      const struct lines *rows, struct lines *ret_lines)
{
    struct play play = {.happened = happened,
                        .chronicle = chronicle_of(happened),
                        .names = names,
                        .rows = rows,
                        .lines = ret_lines,
                        .known = memory_zeroed(names->count, sizeof(*play.known)),
                        .queue = memory_zeroed(names->count, sizeof(*play.queue)),
                        .running = NAMES_NONE};

    for (uint64_t i = 0; i < play.chronicle.count; i++) {
        play.record = chronicle_at(&play.chronicle, i);
        play_record(&play);
        play.row += play.record && events_told(names, play.record);
    }
    if (play.broken > INVARIANTS_TOLD_MAX)
        lines_add(ret_lines, "%zu more broken rows", play.broken - INVARIANTS_TOLD_MAX);
    free(play.known);
    free(play.queue);
}
