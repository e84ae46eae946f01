/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/framing.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

#define HEADER 2 /* bytes of a length */
#define CALLS_ENOUGH 4000 /* on top of those for the bytes */

/* A ledger that is being written. */
struct play {
    const struct framing *framing;
    struct framing_ledger *ledger;
    struct stage stage;
    struct framing_row now; /* the columns as they stand */
    uint64_t seen;          /* records of the journal */
    bool reserved;          /* in this quantum */
};

static void note_end(struct reactor *r, struct identity id, enum reader_outcome outcome, int error,
                     void *app)
{
    struct play *play = app;

    (void)r;
    (void)id;
    (void)outcome;
    play->ledger->error = error;
}

static void add_row(struct play *play, enum framing_event event)
{
    struct framing_ledger *ledger = play->ledger;
    struct framing_row row = play->now;

    row.event = event;
    ledger->rows = memory_grow(ledger->rows, ledger->row_count, &ledger->row_room, sizeof(row));
    ledger->rows[ledger->row_count++] = row;
    /* What belonged to this step alone. */
    play->now.number = play->now.asked = 0;
    play->now.result = 0;
    play->now.reasons = 0;
    play->now.told = -1;
}

/* Following the journal. */

static void note_credit(struct play *play, const struct journal_record *record)
{
    play->now.used = record->credit.used;
    play->now.reserved = record->credit.reserved;
}

static void note_state(struct play *play, const struct journal_record *record)
{
    uint8_t queue[STAGE_SOURCES_MAX];

    note_credit(play, record);
    play->now.state = record->state;
    play->now.hint = record->flags & JOURNAL_FLAG_HINT;
    play->now.queued = stage_queue(&play->stage, record, queue) > 0;
}

/* A quantum is over. */
static void note_stop(struct play *play, const struct journal_record *record)
{
    note_state(play, record);
    play->now.reasons = record->reasons;
    play->now.outcome = record->outcome;
    play->now.told = record->unread;
}

static void note_bytes(struct play *play, const struct journal_record *record)
{
    struct framing_ledger *ledger = play->ledger;
    size_t size;
    const uint8_t *bytes = journal_bytes(play->stage.journal, record, &size);

    note_credit(play, record);
    play->now.asked = record->asked;
    play->now.result = record->result;
    play->now.at = (uint32_t)ledger->byte_count;
    for (size_t i = 0; i < size; i++) {
        ledger->bytes = memory_grow(ledger->bytes, ledger->byte_count, &ledger->byte_room, 1);
        ledger->bytes[ledger->byte_count++] = bytes[i];
    }
    play->now.read += (uint32_t)size;
    play->now.partial += (uint32_t)size;
    play->now.unread = play->now.sent - play->now.read;
}

static void note_frame(struct play *play, const struct journal_record *record)
{
    struct framing_ledger *ledger = play->ledger;
    size_t size;
    const uint8_t *bytes = journal_bytes(play->stage.journal, record, &size);

    note_credit(play, record);
    play->now.number = record->number;
    play->now.partial = 0;
    for (size_t i = 0; i < size; i++) {
        ledger->payloads = memory_grow(ledger->payloads, ledger->payload_count,
                                       &ledger->payload_room, 1);
        ledger->payloads[ledger->payload_count++] = bytes[i];
    }
    ledger->sizes = memory_grow(ledger->sizes, ledger->frame_count, &ledger->size_room,
                                sizeof(*ledger->sizes));
    ledger->sizes[ledger->frame_count++] = (uint32_t)size;
}

static void begin_quantum(struct play *play, const struct journal_record *record)
{
    play->now.quantum = record->number;
    play->now.state = READER_RUNNING;
    play->now.queued = false;
    play->reserved = false;
}

/* The record behind `record`, if it is of `kind`: then the two are one step. */
static const struct journal_record *next_of(struct play *play, enum journal_kind kind)
{
    const struct journal *journal = play->stage.journal;
    const struct journal_record *next =
        play->seen < journal->count ? journal_at(journal, play->seen) : NULL;

    if (!next || next->kind != kind)
        return NULL;
    play->seen++;
    return next;
}

static void add_notice(struct play *play)
{
    const struct journal_record *ready = next_of(play, JOURNAL_READY);

    if (ready)
        note_state(play, ready);
    add_row(play, FRAMING_EDGE);
}

/* A read; EAGAIN is one step with the stop that it is. */
static void add_read(struct play *play, const struct journal_record *record)
{
    const struct journal_record *stop;

    note_bytes(play, record);
    stop = record->result == -EAGAIN ? next_of(play, JOURNAL_STOP) : NULL;
    if (stop)
        note_stop(play, stop);
    add_row(play, FRAMING_READ);
    if (stop)
        play->now.quantum = 0;
}

static void add_stop(struct play *play, const struct journal_record *record)
{
    bool pause = record->reasons & JOURNAL_REASON_CAPACITY;

    note_stop(play, record);
    add_row(play, pause ? FRAMING_PAUSE : FRAMING_YIELD);
    play->now.quantum = 0;
}

static void add_record(struct play *play, const struct journal_record *record)
{
    switch (record->kind) {
    case JOURNAL_NOTICE:
        add_notice(play);
        break;
    case JOURNAL_QUANTUM:
        begin_quantum(play, record);
        break;
    case JOURNAL_READ:
        add_read(play, record);
        break;
    case JOURNAL_FRAME:
        note_frame(play, record);
        add_row(play, FRAMING_FRAME);
        break;
    case JOURNAL_STOP:
        add_stop(play, record);
        break;
    case JOURNAL_END:
        note_stop(play, record);
        add_row(play, FRAMING_END);
        play->now.quantum = 0;
        break;
    case JOURNAL_CONSUME:
        note_credit(play, record);
        play->now.number = record->number;
        add_row(play, FRAMING_CONSUME);
        break;
    case JOURNAL_RESUME:
        note_state(play, record);
        add_row(play, FRAMING_RESUME);
        break;
    default:
        break;
    }
}

static void follow(struct play *play)
{
    const struct journal *journal = play->stage.journal;

    while (play->seen < journal->count)
        add_record(play, journal_at(journal, play->seen++));
    play->ledger->overflow = play->ledger->overflow || journal->overflow;
}

/* Before a read: what the reactor has reserved for it is a step that no record tells. */
static void before_read(void *arg, int fd)
{
    struct play *play = arg;
    struct reactor_view view;

    (void)fd;
    follow(play);
    if (reactor_view(play->stage.reactor, play->stage.ids[0], &view) < 0 ||
        view.credit.reserved <= play->now.reserved)
        return;
    play->now.used = view.credit.used;
    play->now.reserved = view.credit.reserved;
    add_row(play, play->reserved ? FRAMING_RESERVE : FRAMING_DISPATCH);
    play->reserved = true;
}

/* The words. */

static enum stage_end round_of(struct play *play)
{
    enum stage_end end;

    play->seen = 0;
    end = stage_round(&play->stage);
    follow(play);
    play->ledger->sound = play->ledger->sound && reactor_check(play->stage.reactor);
    return end;
}

static void run(struct play *play, uint32_t quanta)
{
    const struct reactor_account *account = reactor_account(play->stage.reactor);
    uint64_t last = quanta > 0 ? account->quanta + quanta : UINT64_MAX;

    do
        play->ledger->end = round_of(play);
    while (play->ledger->end == STAGE_ON && account->quanta < last);
}

static int consume(struct play *play, uint32_t frames)
{
    int status;

    stage_forget(&play->stage);
    play->seen = 0;
    status = reactor_release(play->stage.reactor, play->stage.ids[0], frames);
    follow(play);
    return status;
}

static int carry_out(struct play *play, const struct framing_script_word *word)
{
    switch ((enum framing_script_verb)word->verb) {
    case FRAMING_SCRIPT_IN:
        stage_send(&play->stage, 0, play->framing->script.bytes + word->at, word->size);
        play->now.sent += word->size;
        play->now.unread += word->size;
        return 0;
    case FRAMING_SCRIPT_RUN:
        run(play, word->count);
        return 0;
    case FRAMING_SCRIPT_CONSUME:
        return consume(play, word->count);
    case FRAMING_SCRIPT_EOF:
        stage_end(&play->stage, 0);
        return 0;
    case FRAMING_SCRIPT_RESET:
        stage_reset(&play->stage, 0);
        return 0;
    case FRAMING_SCRIPT_EINTR:
        stage_interrupt(&play->stage, 0, word->count);
        return 0;
    case FRAMING_SCRIPT_NOTIFY:
        stage_notify(&play->stage, 0);
        return 0;
    default:
        return -EINVAL;
    }
}

/* Up to the first word that cannot be carried out, or to where the reactor gave up. */
static void perform(struct play *play)
{
    const struct framing_script *script = &play->framing->script;

    for (uint32_t i = 0; i < script->word_count; i++) {
        struct reactor_view view;

        if (play->ledger->end == STAGE_BROKEN)
            return;
        if (reactor_view(play->stage.reactor, play->stage.ids[0], &view) == 0)
            play->ledger->held = view.frames_held;
        if (carry_out(play, &script->words[i]) < 0) {
            play->ledger->mistaken = i + 1;
            return;
        }
    }
}

static uint64_t calls_of(const struct framing *framing)
{
    uint64_t calls = CALLS_ENOUGH + UINT64_C(16) * framing->script.byte_count;

    for (uint32_t i = 0; i < framing->script.word_count; i++)
        if (framing->script.words[i].verb == FRAMING_SCRIPT_EINTR)
            calls += 4 * framing->script.words[i].count;
    return calls;
}

static void open_stage(struct play *play)
{
    static const struct reactor_handlers handlers = {.end = note_end};
    const struct framing *framing = play->framing;
    const struct stage_config config = {
        .sources = 1, .bytes = framing->script.byte_count, .trigger = framing->trigger,
        .collect = 16, .format = {.header = HEADER, .payload_max = framing->payload_max},
        .capacity = framing->capacity,
        .limits = {.bytes = framing->bytes, .attempts = framing->attempts,
                   .frames = framing->frames},
        .defect = framing->defect, .calls = calls_of(framing), .handlers = &handlers,
        .app = play,
    };

    stage_open(&play->stage, &config);
    play->stage.lookout.reads = before_read;
    play->stage.lookout.arg = play;
}

void framing_play(const struct framing *framing, struct framing_ledger *ret_ledger)
{
    struct play play = {.framing = framing, .ledger = ret_ledger, .now = {.told = -1}};

    *ret_ledger = (struct framing_ledger){.sound = true, .end = STAGE_IDLE};
    open_stage(&play);
    stage_adopt(&play.stage, 0);
    perform(&play);
    (void)reactor_view(play.stage.reactor, play.stage.ids[0], &ret_ledger->last);
    ret_ledger->account = *reactor_account(play.stage.reactor);
    stage_close(&play.stage);
}

void framing_free(struct framing_ledger *ledger)
{
    free(ledger->rows);
    free(ledger->bytes);
    free(ledger->payloads);
    free(ledger->sizes);
    *ledger = (struct framing_ledger){0};
}
