/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/readiness_checks.h"

#include <errno.h>
#include <string.h>

/* The row that is looked at, and what the rows before it came to. */
struct walk {
    const struct readiness *readiness;
    const struct readiness_ledger *ledger;
    struct checks *checks;
    const struct readiness_row *row;
    const struct readiness_row *before; /* NULL at the first */
    uint32_t taken[STAGE_SOURCES_MAX];  /* bytes that each source delivered */
    uint32_t data, eagain, eintr;       /* reads */
};

/* A check of the present row. */
#define CHECK(walk, holds, text) \
    checks_that((walk)->checks, holds, "quantum %u: %s", (walk)->row->quantum, text)

static bool member(const uint8_t *queue, uint32_t count, uint32_t source)
{
    return count > 0 && memchr(queue, (int)source, count);
}

static bool unique(const uint8_t *queue, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (member(queue + i + 1, count - i - 1, queue[i]))
            return false;
    return true;
}

/* The queue: first in, first out, nobody twice, the head back at the tail if it is QUEUED. */
static void check_queue(struct walk *walk)
{
    const struct readiness_row *row = walk->row;
    bool again = row->state == READER_QUEUED;
    uint32_t rest = row->before_count > 0 ? row->before_count - 1u : 0;

    CHECK(walk, row->quantum == (walk->before ? walk->before->quantum + 1 : 1),
          "quanta are numbered from 1 without a gap");
    CHECK(walk, row->before_count > 0 && row->before[0] == row->head,
          "the head of the queue runs (R-Q-05)");
    CHECK(walk, unique(row->before, row->before_count) && unique(row->queue, row->queue_count),
          "nobody stands in the queue twice (R-Q-02)");
    CHECK(walk, row->queue_count == rest + again && row->before_count > 0 &&
                    memcmp(row->queue, row->before + 1, rest) == 0,
          "the others keep their places (R-Q-05)");
    CHECK(walk, !again || (row->queue_count > 0 && row->queue[row->queue_count - 1] == row->head),
          "a continuation goes to the tail (R-Q-05)");
    CHECK(walk, member(row->queue, row->queue_count, row->head) == again,
          "the head is in the queue if and only if it is QUEUED (R-Q-01, R-Q-03)");
    if (walk->before)
        CHECK(walk, row->before_count >= walk->before->queue_count &&
                        memcmp(row->before, walk->before->queue, walk->before->queue_count) == 0,
              "what a round brings goes behind what was there (R-Q-05)");
}

/* Notices are collected in every round: whoever has bytes and was not shown to be exhausted stands
 * in the queue, when one collection can tell of all (R-L-02). */
static void check_collected(struct walk *walk)
{
    const struct readiness *readiness = walk->readiness;
    const struct readiness_row *row = walk->row;

    if (readiness->no_requeue || readiness->collect < readiness->count)
        return;
    for (uint32_t i = 0; i < readiness->count; i++) {
        const struct readiness_source *source = &readiness->sources[i];

        if (source->round <= row->round && walk->taken[i] < source->size)
            CHECK(walk, member(row->before, row->before_count, i),
                  "whoever has bytes is in the queue (R-L-02, R-FA-01)");
    }
}

/* One read: what it asked for, and that its bytes are the next ones of its source. */
static void check_read(struct walk *walk, const struct readiness_read *read, uint32_t left)
{
    const struct readiness_source *source = &walk->readiness->sources[walk->row->head];
    uint32_t *taken = &walk->taken[walk->row->head];

    CHECK(walk, read->asked > 0 && read->asked <= left,
          "a read asks for what the byte budget leaves (R-B-10)");
    CHECK(walk, read->result <= (int32_t)read->asked, "a read gets no more than it asked for");
    walk->eagain += read->result == -EAGAIN;
    walk->eintr += read->result == -EINTR;
    if (read->result <= 0)
        return;
    walk->data++;
    CHECK(walk, *taken + (uint32_t)read->result <= source->size &&
                    memcmp(source->bytes + *taken, walk->ledger->bytes + read->at,
                           (size_t)read->result) == 0,
          "the bytes are the next ones of the source");
    *taken += (uint32_t)read->result;
}

/* The budgets: both hold, and a stop names those that are used up. Attempts without progress
 * count, too (R-B-01..03). */
static void check_budgets(struct walk *walk)
{
    const struct readiness *readiness = walk->readiness;
    const struct readiness_row *row = walk->row;
    const struct readiness_read *reads = &walk->ledger->reads[row->read_at];
    unsigned yields = row->reasons & ~JOURNAL_REASON_EAGAIN;
    uint32_t bytes = 0;

    for (uint32_t i = 0; i < row->reads; i++) {
        check_read(walk, &reads[i], readiness->quantum - bytes);
        bytes += reads[i].result > 0 ? (uint32_t)reads[i].result : 0;
        CHECK(walk, i + 1 == row->reads || reads[i].result > 0 || reads[i].result == -EINTR,
              "nothing is read behind EAGAIN or an end (R-ST-20)");
    }
    CHECK(walk, row->reads > 0, "a quantum makes an attempt");
    CHECK(walk, bytes <= readiness->quantum, "no more bytes than q (R-B-01)");
    CHECK(walk, row->reads <= readiness->attempts, "no more attempts than k (R-B-01, R-B-02)");
    if (yields == 0)
        return;
    CHECK(walk, !(yields & 1u << BUDGET_BYTES) == (bytes < readiness->quantum),
          "a stop by bytes is one that used q up");
    CHECK(walk, !(yields & 1u << BUDGET_ATTEMPTS) == (row->reads < readiness->attempts),
          "a stop by attempts is one that used k up");
}

/* Only EAGAIN, and an end, takes the hint away (R-ST-05). */
static void check_state(struct walk *walk)
{
    const struct readiness_row *row = walk->row;
    const struct readiness_read *last =
        row->reads > 0 ? &walk->ledger->reads[row->read_at + row->reads - 1] : NULL;
    bool exhausted = last && last->result == -EAGAIN;
    bool yields = last && (last->result > 0 || last->result == -EINTR);

    CHECK(walk, exhausted == (row->reasons == JOURNAL_REASON_EAGAIN),
          "the last read is EAGAIN if and only if the stop says so");
    CHECK(walk, row->hint == yields, "EAGAIN and an end take the hint away, nothing else does");
    if (exhausted)
        CHECK(walk, row->state == READER_WAITING, "EAGAIN ends in WAITING (R-ST-09)");
    else if (yields && !walk->readiness->no_requeue)
        CHECK(walk, row->state == READER_QUEUED, "a budget ends in QUEUED (R-ST-10)");
    else if (last && !yields)
        CHECK(walk, row->state == (last->result == 0 ? READER_FINISHED : READER_FAILED),
              "0 finishes a direction, a fatal error fails it (R-ST-13)");
}

static void check_unread(struct walk *walk)
{
    const struct readiness *readiness = walk->readiness;
    const struct readiness_row *row = walk->row;

    for (uint32_t i = 0; i < readiness->count; i++) {
        const struct readiness_source *source = &readiness->sources[i];
        uint32_t sent = source->round <= row->round ? source->size : 0;

        CHECK(walk, row->unread[i] == sent - walk->taken[i],
              "what was sent is what was delivered and what is unread");
    }
    CHECK(walk, row->unread_head == row->unread[row->head], "the record says the same");
}

static void check_row(struct walk *walk)
{
    if (walk->row->head >= walk->readiness->count) {
        CHECK(walk, false, "the head is a source");
        return;
    }
    check_queue(walk);
    check_collected(walk);
    check_budgets(walk);
    check_state(walk);
    check_unread(walk);
}

/* The reactor's own counters say what the rows say. */
static void check_totals(const struct walk *walk)
{
    const struct reactor_account *account = &walk->ledger->account;
    struct checks *checks = walk->checks;

    checks_that(checks, account->registrations == walk->readiness->count,
                "each source is registered once");
    checks_that(checks, account->quanta == walk->ledger->row_count, "a row for each quantum");
    checks_that(checks, account->reads == walk->ledger->read_count, "reads of the rows");
    checks_that(checks, account->reads_data == walk->data, "reads with data of the rows");
    checks_that(checks, account->reads_eagain == walk->eagain, "EAGAIN of the rows");
    checks_that(checks, account->reads_eintr == walk->eintr, "EINTR of the rows");
    checks_that(checks, account->bytes == walk->ledger->byte_count, "bytes of the rows");
    checks_that(checks, account->illegal == 0, "no event in an illegal cell (R-ST-21)");
    checks_that(checks, account->waits == account->rounds, "every round collects once (R-L-02)");
    checks_that(checks, account->round_notices_peak <= walk->readiness->collect,
                "no more than h notices a round (R-L-01)");
    checks_that(checks, account->ready_peak <= walk->readiness->count,
                "no more members of Q than sources");
}

static enum reader_outcome outcome_of(enum readiness_finish finish)
{
    switch (finish) {
    case READINESS_EOF:
        return READER_END_CLEAN;
    case READINESS_FATAL:
        return READER_END_RESET;
    default:
        return READER_END_NONE;
    }
}

static enum reader_state state_of(enum readiness_finish finish)
{
    switch (finish) {
    case READINESS_EOF:
        return READER_FINISHED;
    case READINESS_FATAL:
        return READER_FAILED;
    default:
        return READER_WAITING;
    }
}

/* A source of a run that came to rest: all of it was delivered, and its end is the one that it
 * had (R-ST-13, R-ST-15). */
static void check_source(const struct walk *walk, uint32_t i)
{
    const struct readiness_source *source = &walk->readiness->sources[i];

    checks_that(walk->checks, walk->taken[i] == source->size && walk->ledger->last[i].unread == 0,
                "%s: every byte is delivered", source->name);
    checks_that(walk->checks, walk->ledger->last[i].outcome == outcome_of(source->finish),
                "%s: the end is the one that it had", source->name);
    checks_that(walk->checks, walk->ledger->last[i].state == state_of(source->finish) &&
                                  !walk->ledger->last[i].hint,
                "%s: it comes to rest with hint 0", source->name);
    if (source->finish == READINESS_FATAL)
        checks_that(walk->checks, walk->ledger->last[i].error == ECONNRESET,
                    "%s: the first fatal errno is kept (R-ST-20)", source->name);
}

/* Endless interruptions end by the limit; everything else comes to rest. */
static void check_end(const struct walk *walk)
{
    const struct readiness *readiness = walk->readiness;
    bool ends = readiness->limit == 0;

    for (uint32_t i = 0; i < readiness->count; i++)
        ends = ends && readiness->sources[i].eintr != READINESS_FOR_EVER;
    checks_that(walk->checks, walk->ledger->end != STAGE_BROKEN, "the reactor finds itself sound");
    checks_that(walk->checks, walk->ledger->sound, "reactor_check holds after every round");
    checks_that(walk->checks, !walk->ledger->overflow, "the journal kept every record");
    if (!ends)
        return;
    checks_that(walk->checks, walk->ledger->end == STAGE_IDLE, "it comes to rest");
    for (uint32_t i = 0; i < readiness->count && !readiness->no_requeue; i++)
        check_source(walk, i);
}

void readiness_checks(const struct readiness *readiness, const struct readiness_ledger *ledger,
                      struct checks *checks)
{
    struct walk walk = {.readiness = readiness, .ledger = ledger, .checks = checks};

    for (size_t i = 0; i < ledger->row_count; i++) {
        walk.row = &ledger->rows[i];
        check_row(&walk);
        walk.before = walk.row;
    }
    check_totals(&walk);
    check_end(&walk);
}
