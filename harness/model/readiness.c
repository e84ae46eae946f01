/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/readiness.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

/* A ledger that is being written. */
struct play {
    const struct readiness *readiness;
    struct readiness_ledger *ledger;
    struct stage stage;
    uint8_t queue[STAGE_SOURCES_MAX]; /* as last told */
    uint8_t queue_count;
    uint64_t round;
};

static void note_end(struct reactor *r, struct identity id, enum reader_outcome outcome, int error,
                     void *app)
{
    struct play *play = app;
    uint32_t source = stage_source(&play->stage, id);

    (void)r;
    play->ledger->last[source].outcome = outcome;
    play->ledger->last[source].error = error;
}

/* Quanta that every run that ends can need: one for each byte, interruption and exhaustion. */
static uint32_t limit_of(const struct readiness *readiness)
{
    uint32_t enough = 4 * readiness->count;
    uint32_t most = READINESS_READS / readiness->attempts;
    bool ends = true;

    if (readiness->limit > 0)
        return readiness->limit;
    for (uint32_t i = 0; i < readiness->count; i++) {
        const struct readiness_source *source = &readiness->sources[i];

        ends = ends && source->eintr != READINESS_FOR_EVER;
        enough += source->size + source->round;
        enough += source->eintr == READINESS_FOR_EVER ? 0 : source->eintr;
    }
    if (enough < READINESS_QUANTA)
        enough = READINESS_QUANTA;
    return ends || enough < most ? enough : most;
}

static uint32_t bytes_of(const struct readiness *readiness)
{
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < readiness->count; i++)
        bytes += readiness->sources[i].size;
    return bytes;
}

static void open_stage(struct play *play)
{
    static const struct reactor_handlers handlers = {.end = note_end};
    const struct readiness *readiness = play->readiness;
    const struct stage_config config = {
        .sources = readiness->count, .bytes = bytes_of(readiness), .trigger = readiness->trigger,
        .collect = readiness->collect, .no_requeue = readiness->no_requeue,
        .limits = {.bytes = readiness->quantum, .attempts = readiness->attempts},
        .defect = readiness->defect, .handlers = &handlers, .app = play,
        .calls = UINT64_C(4) * limit_of(readiness) + 4 * READINESS_READS,
    };

    stage_open(&play->stage, &config);
}

static void arrive(struct play *play, uint32_t i)
{
    const struct readiness_source *source = &play->readiness->sources[i];

    stage_send(&play->stage, i, source->bytes, source->size);
    if (source->finish == READINESS_EOF)
        stage_end(&play->stage, i);
    else if (source->finish == READINESS_FATAL)
        stage_reset(&play->stage, i);
}

/* What arrives before the round that comes next; what is there early, before it is in service. */
static void arrivals(struct play *play)
{
    for (uint32_t i = 0; i < play->readiness->count; i++)
        if (play->readiness->sources[i].round == play->round && play->round > 1)
            arrive(play, i);
}

static void begin(struct play *play)
{
    const struct readiness *readiness = play->readiness;

    for (uint32_t i = 0; i < readiness->count; i++) {
        uint32_t eintr = readiness->sources[i].eintr;

        if (readiness->sources[i].round <= 1)
            arrive(play, i);
        if (eintr > 0)
            stage_interrupt(&play->stage, i, eintr == READINESS_FOR_EVER ? 0 : eintr);
    }
    for (uint32_t i = 0; i < readiness->count; i++)
        stage_adopt(&play->stage, i);
}

static bool arrivals_to_come(const struct play *play)
{
    for (uint32_t i = 0; i < play->readiness->count; i++)
        if (play->readiness->sources[i].round > play->round)
            return true;
    return false;
}

static void add_row(struct play *play, const struct journal_record *record)
{
    struct readiness_ledger *ledger = play->ledger;
    struct readiness_row row = {
        .round = play->round, .quantum = record->number,
        .head = (uint8_t)stage_source(&play->stage, record->subject),
        .read_at = (uint32_t)ledger->read_count, .before_count = play->queue_count,
    };

    memcpy(row.before, play->queue, sizeof(row.before));
    ledger->rows = memory_grow(ledger->rows, ledger->row_count, &ledger->row_room, sizeof(row));
    ledger->rows[ledger->row_count++] = row;
}

static void add_read(struct play *play, const struct journal_record *record)
{
    struct readiness_ledger *ledger = play->ledger;
    struct readiness_read read = {.asked = record->asked, .result = record->result,
                                  .at = (uint32_t)ledger->byte_count};
    size_t size;
    const uint8_t *bytes = journal_bytes(play->stage.journal, record, &size);

    assert(ledger->row_count > 0);
    ledger->rows[ledger->row_count - 1].reads++;
    ledger->reads = memory_grow(ledger->reads, ledger->read_count, &ledger->read_room,
                                sizeof(read));
    ledger->reads[ledger->read_count++] = read;
    for (size_t i = 0; i < size; i++) {
        ledger->bytes = memory_grow(ledger->bytes, ledger->byte_count, &ledger->byte_room, 1);
        ledger->bytes[ledger->byte_count++] = bytes[i];
    }
}

static void note_queue(struct play *play, const struct journal_record *record)
{
    play->queue_count = (uint8_t)stage_queue(&play->stage, record, play->queue);
}

static void end_row(struct play *play, const struct journal_record *record)
{
    struct readiness_row *row = &play->ledger->rows[play->ledger->row_count - 1];

    note_queue(play, record);
    row->reasons = record->reasons;
    row->outcome = record->outcome;
    row->state = record->state;
    row->hint = record->flags & JOURNAL_FLAG_HINT;
    row->unread_head = (uint32_t)record->unread;
    row->queue_count = play->queue_count;
    memcpy(row->queue, play->queue, sizeof(row->queue));
    for (uint32_t i = 0; i < play->readiness->count; i++)
        row->unread[i] = (uint32_t)stage_unread(&play->stage, i);
}

static void follow(struct play *play)
{
    const struct journal *journal = play->stage.journal;

    for (uint64_t i = 0; i < journal->count; i++) {
        const struct journal_record *record = journal_at(journal, i);

        switch (record->kind) {
        case JOURNAL_READY:
            note_queue(play, record);
            break;
        case JOURNAL_QUANTUM:
            add_row(play, record);
            break;
        case JOURNAL_READ:
            add_read(play, record);
            break;
        case JOURNAL_STOP:
        case JOURNAL_END:
            end_row(play, record);
            break;
        default:
            break;
        }
    }
    play->ledger->overflow = play->ledger->overflow || journal->overflow;
}

static void take_last(struct play *play)
{
    for (uint32_t i = 0; i < play->readiness->count; i++) {
        struct reactor_view view;
        bool open = reactor_view(play->stage.reactor, play->stage.ids[i], &view) == 0;

        play->ledger->last[i].closed = !open;
        if (!open)
            continue;
        play->ledger->last[i].state = view.state;
        play->ledger->last[i].hint = view.hint;
        play->ledger->last[i].unread = (uint32_t)stage_unread(&play->stage, i);
    }
    play->ledger->account = *reactor_account(play->stage.reactor);
}

static void run(struct play *play)
{
    uint32_t limit = limit_of(play->readiness);
    struct readiness_ledger *ledger = play->ledger;

    ledger->sound = true;
    do {
        play->round++;
        arrivals(play);
        ledger->end = stage_round(&play->stage);
        follow(play);
        ledger->sound = ledger->sound && (play->readiness->no_requeue ||
                                          reactor_check(play->stage.reactor));
    } while (ledger->row_count < limit &&
             (ledger->end == STAGE_ON || (ledger->end == STAGE_IDLE && arrivals_to_come(play))));
}

void readiness_play(const struct readiness *readiness, struct readiness_ledger *ret_ledger)
{
    struct play play = {.readiness = readiness, .ledger = ret_ledger};

    *ret_ledger = (struct readiness_ledger){0};
    open_stage(&play);
    begin(&play);
    run(&play);
    take_last(&play);
    stage_close(&play.stage);
}

void readiness_free(struct readiness_ledger *ledger)
{
    free(ledger->rows);
    free(ledger->reads);
    free(ledger->bytes);
    *ledger = (struct readiness_ledger){0};
}
