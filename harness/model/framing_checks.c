/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/framing_checks.h"

#include <errno.h>
#include <string.h>

#include "harness/model/framing_value.h"

#define HEADER 2

/* The row that is looked at, and what the rows before it came to. */
struct walk {
    const struct framing *framing;
    const struct framing_ledger *ledger;
    struct checks *checks;
    const struct framing_row *row;
    const struct framing_row *before; /* NULL at the first */
    size_t step;
    uint32_t frame_at;   /* of the present frame, in what arrives */
    uint32_t frames;     /* complete */
    uint32_t consumed;   /* frames given back */
    uint32_t used;       /* encoded bytes of the frames that are held */
    uint32_t quantum;    /* the present one */
    uint32_t attempts, bytes, delivered; /* in it */
    uint32_t reads, data, eagain, eintr;
};

/* A check of the present row. */
#define CHECK(walk, holds, text) \
    checks_that((walk)->checks, holds, "step %zu: %s", (walk)->step, text)

/* The payload that the header at `at` declares; -1 when not all of it arrives. */
static int64_t declared(const struct framing *framing, uint32_t at)
{
    const uint8_t *bytes = framing->script.bytes;

    if (framing->script.byte_count < at + HEADER)
        return -1;
    return (int64_t)bytes[at] << 8 | bytes[at + 1];
}

static uint32_t frame_max(const struct framing *framing)
{
    return HEADER + framing->payload_max;
}

/* Bytes that are missing of the present header, or of its payload. */
static uint32_t missing(const struct walk *walk, uint32_t read)
{
    uint32_t have = read - walk->frame_at;
    int64_t payload = declared(walk->framing, walk->frame_at);

    if (have < HEADER)
        return HEADER - have;
    return payload < 0 ? 0 : HEADER + (uint32_t)payload - have;
}

static void check_account(struct walk *walk)
{
    const struct framing_row *row = walk->row;

    CHECK(walk, row->used + row->reserved <= walk->framing->capacity,
          "used and reserved stay within the capacity (R-F-20)");
    CHECK(walk, row->used == walk->used, "what is used is what the held frames take (R-F-02)");
    CHECK(walk, row->partial <= row->reserved || row->event == FRAMING_END,
          "a half frame has its room (R-F-08)");
    CHECK(walk, row->reserved <= frame_max(walk->framing),
          "no more is reserved than the largest frame");
}

static void check_state(struct walk *walk)
{
    const struct framing_row *row = walk->row;
    bool live = row->state == READER_QUEUED || row->state == READER_RUNNING ||
                row->state == READER_PAUSED;
    bool dropped = walk->before && walk->before->hint && !row->hint;

    CHECK(walk, row->hint == live, "state and hint are a pair that exists (R-ST-19)");
    CHECK(walk, row->queued == (row->state == READER_QUEUED),
          "it is in the queue if and only if it is QUEUED (R-Q-01)");
    CHECK(walk, !dropped || row->event == FRAMING_END ||
                    (row->event == FRAMING_READ && row->result == -EAGAIN),
          "only EAGAIN, and an end, take the hint away (R-ST-05)");
    if (row->told >= 0)
        CHECK(walk, (uint32_t)row->told == row->unread,
              "what arrived is what was read and what the kernel has (R-F-12)");
}

static void check_read(struct walk *walk)
{
    const struct framing_row *row = walk->row;
    uint32_t before = row->result > 0 ? row->read - (uint32_t)row->result : row->read;
    uint32_t need = missing(walk, before);
    uint32_t left = walk->framing->bytes - walk->bytes;

    CHECK(walk, row->asked > 0 && row->asked == (need < left ? need : left),
          "a read asks for what is missing of the header or of the payload (R-F-04)");
    CHECK(walk, row->reserved > 0, "no byte is read without room (R-F-03)");
    walk->reads++;
    walk->attempts++;
    walk->eagain += row->result == -EAGAIN;
    walk->eintr += row->result == -EINTR;
    if (row->result == -EAGAIN)
        CHECK(walk, row->state == READER_WAITING, "EAGAIN ends in WAITING (R-ST-09)");
    if (row->result <= 0)
        return;
    walk->data++;
    walk->bytes += (uint32_t)row->result;
    CHECK(walk, row->read <= row->sent &&
                    memcmp(walk->ledger->bytes, walk->framing->script.bytes, row->read) == 0,
          "the bytes are the next ones that arrived");
}

/* Encoded bytes of the frames `first` to `last` - 1. */
static uint32_t encoded(const struct walk *walk, uint32_t first, uint32_t last)
{
    uint32_t bytes = 0;

    for (uint32_t i = first; i < last && i < walk->ledger->frame_count; i++)
        bytes += HEADER + walk->ledger->sizes[i];
    return bytes;
}

static void check_frame(struct walk *walk)
{
    const struct framing_row *row = walk->row;
    int64_t payload = declared(walk->framing, walk->frame_at);
    size_t at = encoded(walk, 0, walk->frames) - HEADER * walk->frames;
    bool whole = payload >= 0 && row->read == walk->frame_at + HEADER + (uint32_t)payload;

    walk->frames++;
    walk->delivered++;
    CHECK(walk, row->number == walk->frames, "frames are numbered from 1 without a gap");
    CHECK(walk, whole && walk->ledger->sizes[walk->frames - 1] == payload &&
                    (payload == 0 || memcmp(walk->ledger->payloads + at,
                                            walk->framing->script.bytes + walk->frame_at + HEADER,
                                            (size_t)payload) == 0),
          "the frame is the next one that arrived, and not a byte behind it was read");
    walk->frame_at = row->read;
    walk->used = encoded(walk, walk->consumed, walk->frames);
    CHECK(walk, walk->before &&
                    row->used + row->reserved <= walk->before->used + walk->before->reserved,
          "the total does not rise by a frame (R-F-06)");
}

static void check_consume(struct walk *walk)
{
    CHECK(walk, walk->consumed + walk->row->number <= walk->frames,
          "only frames that are held are given back");
    walk->consumed += walk->row->number;
    walk->used = encoded(walk, walk->consumed, walk->frames);
}

/* A budget that ends a quantum is used up; without room for the next frame that is a pause. */
static void check_stop(struct walk *walk)
{
    const struct framing *framing = walk->framing;
    const struct framing_row *row = walk->row;
    bool room = row->reserved > 0 || row->used + frame_max(framing) <= framing->capacity;

    CHECK(walk, !(row->reasons & 1u << BUDGET_FRAMES) == (walk->delivered < framing->frames),
          "a stop by frames is one that used f up");
    CHECK(walk, !(row->reasons & 1u << BUDGET_ATTEMPTS) == (walk->attempts < framing->attempts),
          "a stop by attempts is one that used k up");
    CHECK(walk, !(row->reasons & 1u << BUDGET_BYTES) == (walk->bytes < framing->bytes),
          "a stop by bytes is one that used q up");
    CHECK(walk, (row->event == FRAMING_YIELD) == room,
          "who has room, or holds a reservation, is queued, who has not, is paused (R-ST-18)");
    CHECK(walk, row->state == (room ? READER_QUEUED : READER_PAUSED), "and its state says so");
}

static void check_quantum(struct walk *walk)
{
    const struct framing *framing = walk->framing;

    if (walk->row->quantum != 0 && walk->row->quantum != walk->quantum) {
        CHECK(walk, walk->row->quantum == walk->quantum + 1,
              "quanta are numbered from 1 without a gap");
        walk->quantum = walk->row->quantum;
        walk->attempts = walk->bytes = walk->delivered = 0;
    }
    switch (walk->row->event) {
    case FRAMING_READ:
        check_read(walk);
        break;
    case FRAMING_FRAME:
        check_frame(walk);
        break;
    case FRAMING_CONSUME:
        check_consume(walk);
        break;
    case FRAMING_YIELD:
    case FRAMING_PAUSE:
        check_stop(walk);
        break;
    case FRAMING_RESUME:
        CHECK(walk, walk->row->state == READER_QUEUED,
              "with a hint, room alone queues a paused direction (R-F-07)");
        break;
    default:
        break;
    }
    CHECK(walk, walk->attempts <= framing->attempts && walk->bytes <= framing->bytes &&
                    walk->delivered <= framing->frames,
          "no more than f frames, k attempts and q bytes (R-F-10)");
}

/* How the stream ends by the bytes that arrived. NONE: it is open, or not all was read. */
static enum reader_outcome outcome_of(const struct walk *walk, uint32_t read)
{
    const struct framing_script *script = &walk->framing->script;
    int64_t payload = declared(walk->framing, walk->frame_at);

    if (read >= walk->frame_at + HEADER && payload > walk->framing->payload_max)
        return READER_END_OVERSIZE;
    if (read < script->byte_count)
        return READER_END_NONE;
    for (uint32_t i = 0; i < script->word_count; i++) {
        if (script->words[i].verb == FRAMING_SCRIPT_RESET)
            return READER_END_RESET;
        if (script->words[i].verb == FRAMING_SCRIPT_EOF)
            return read > walk->frame_at ? READER_END_TRUNCATED : READER_END_CLEAN;
    }
    return READER_END_NONE;
}

static void check_end(const struct walk *walk)
{
    const struct framing_ledger *ledger = walk->ledger;
    const struct framing_row *last = walk->before;
    struct checks *checks = walk->checks;
    bool ended = ledger->last.state == READER_FINISHED || ledger->last.state == READER_FAILED;
    uint32_t used = ledger->last.credit.used;

    checks_that(checks, ledger->mistaken == 0, "word %u of the script can be carried out",
                ledger->mistaken);
    checks_that(checks, ledger->end != STAGE_BROKEN, "the reactor finds itself sound");
    checks_that(checks, ledger->sound, "reactor_check holds after every round");
    checks_that(checks, !ledger->overflow, "the journal kept every record");
    if (!last || ledger->end != STAGE_IDLE)
        return;
    if (ended) {
        checks_that(checks, last->outcome == outcome_of(walk, last->read),
                    "the end is the one that the stream had (R-ST-16, R-F-16, R-F-17)");
        checks_that(checks, (ledger->last.state == READER_FINISHED) ==
                                (last->outcome == READER_END_CLEAN ||
                                 last->outcome == READER_END_TRUNCATED),
                    "0 finishes a direction, an error or a too large frame fails it");
        checks_that(checks, ledger->last.credit.reserved == 0,
                    "an end gives the reservation back (R-F-09)");
    } else if (ledger->last.state == READER_PAUSED) {
        checks_that(checks, used + frame_max(walk->framing) > walk->framing->capacity,
                    "nobody sleeps paused who has room (R-F-07)");
    } else {
        checks_that(checks, ledger->last.state == READER_WAITING, "who sleeps, waits (R-L-04)");
    }
    checks_that(checks, used == walk->used, "what stays charged is what is held (R-F-25)");
}

static void check_totals(const struct walk *walk)
{
    const struct reactor_account *account = &walk->ledger->account;
    struct checks *checks = walk->checks;

    checks_that(checks, account->quanta == walk->quantum, "quanta of the rows");
    checks_that(checks, account->reads == walk->reads, "reads of the rows");
    checks_that(checks, account->reads_data == walk->data, "reads with data of the rows");
    checks_that(checks, account->reads_eagain == walk->eagain, "EAGAIN of the rows");
    checks_that(checks, account->reads_eintr == walk->eintr, "EINTR of the rows");
    checks_that(checks, account->bytes == walk->ledger->byte_count, "bytes of the rows");
    checks_that(checks, account->frames == walk->frames, "frames of the rows");
    checks_that(checks, account->illegal == 0, "no event in an illegal cell (R-ST-21)");
    checks_that(checks, walk->ledger->last.credit_peak == framing_value_peak(walk->ledger),
                "the peak of the rows is the peak that the reactor kept (R-F-13)");
}

void framing_checks(const struct framing *framing, const struct framing_ledger *ledger,
                    struct checks *checks)
{
    struct walk walk = {.framing = framing, .ledger = ledger, .checks = checks};

    for (size_t i = 0; i < ledger->row_count; i++) {
        walk.row = &ledger->rows[i];
        walk.step = i + 1;
        check_quantum(&walk);
        check_account(&walk);
        check_state(&walk);
        walk.before = walk.row;
    }
    check_end(&walk);
    check_totals(&walk);
}
