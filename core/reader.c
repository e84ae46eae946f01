/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/reader.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>

_Static_assert(READER_GONE < 8, "a successor mask holds every state and READER_GONE");
_Static_assert(READER_STATE_COUNT == 6, "a row of the table names every state");

/*
 * The words of the table: the next state, its hint (none: kept), the queue action. Each word
 * takes the state of its column, so that `next` is the resulting state in every cell, ILL and IGN
 * included.
 */
#define CELL(verdict_, next_, hint_, queue_, outcome_)                               \
    {                                                                                \
        .verdict = READER_##verdict_, .next = READER_##next_,                        \
        .hint = READER_HINT_##hint_, .queue = READER_QUEUE_##queue_,                 \
        .outcome = READER_END_##outcome_                                             \
    }
#define ILL(self)           CELL(ILLEGAL, self, KEEP, KEEP, NONE)
#define IGN(self)           CELL(IGNORE, self, KEEP, KEEP, NONE)
#define SAME(self)          CELL(STEP, self, KEEP, KEEP, NONE)
#define SAME1(self)         CELL(STEP, self, SET, KEEP, NONE)
#define WAITING0(self)      CELL(STEP, WAITING, CLEAR, KEEP, NONE)
#define QUEUED_PUSH(self)   CELL(STEP, QUEUED, KEEP, PUSH, NONE)
#define QUEUED1_PUSH(self)  CELL(STEP, QUEUED, SET, PUSH, NONE)
#define RUNNING_POP(self)   CELL(STEP, RUNNING, KEEP, POP, NONE)
#define PAUSED_SAME(self)   CELL(STEP, PAUSED, KEEP, KEEP, NONE)
#define PAUSED1(self)       CELL(STEP, PAUSED, SET, KEEP, NONE)
#define FINISHED0(self)     CELL(STEP, FINISHED, CLEAR, KEEP, CLEAN)
#define FINI0_CUT(self)     CELL(STEP, FINISHED, CLEAR, KEEP, TRUNCATED)
#define FAILED0(self)       CELL(STEP, FAILED, CLEAR, KEEP, NONE)
#define FAILED0_BIG(self)   CELL(STEP, FAILED, CLEAR, KEEP, OVERSIZE)
#define GONE0(self)         CELL(STEP, GONE, CLEAR, KEEP, NONE)
#define GONE0_REMOVE(self)  CELL(STEP, GONE, CLEAR, REMOVE, NONE)

#define ROW(event, waiting, queued, running, paused, finished, failed) \
    [READER_WAITING][READER_##event] = waiting(WAITING),               \
    [READER_QUEUED][READER_##event] = queued(QUEUED),                  \
    [READER_RUNNING][READER_##event] = running(RUNNING),               \
    [READER_PAUSED][READER_##event] = paused(PAUSED),                  \
    [READER_FINISHED][READER_##event] = finished(FINISHED),            \
    [READER_FAILED][READER_##event] = failed(FAILED),

#define TO(state) (1u << READER_##state)

/*
 * A RELEASE_NO_HINT (e11') of a QUEUED or RUNNING reader cannot happen, since their hint is 1:
 * illegal. An end of the direction beats a budget that the same read used up, and so does EAGAIN
 * (R-ST-17); the caller chooses the event accordingly.
 */
const struct reader_rules reader_rules = {
    .cell = {
        /* After the event: WAITING, QUEUED, RUNNING, PAUSED, FINISHED, FAILED. */
        ROW(NOTICE_ROOM,        QUEUED1_PUSH, SAME1,        SAME1,       SAME1,        IGN,   IGN)
        ROW(NOTICE_NO_ROOM,     PAUSED1,      SAME1,        SAME1,       SAME1,        IGN,   IGN)
        ROW(NOTICE_STALE,       IGN,          IGN,          IGN,         IGN,          IGN,   IGN)
        ROW(DISPATCH,           ILL,          RUNNING_POP,  ILL,         ILL,          ILL,   ILL)
        ROW(PROGRESS,           ILL,          ILL,          SAME,        ILL,          ILL,   ILL)
        ROW(INTERRUPTED,        ILL,          ILL,          SAME,        ILL,          ILL,   ILL)
        ROW(EXHAUSTED,          ILL,          ILL,          WAITING0,    ILL,          ILL,   ILL)
        ROW(YIELD_ROOM,         ILL,          ILL,          QUEUED_PUSH, ILL,          ILL,   ILL)
        ROW(YIELD_NO_ROOM,      ILL,          ILL,          PAUSED_SAME, ILL,          ILL,   ILL)
        ROW(NO_GRANT,           ILL,          ILL,          PAUSED_SAME, ILL,          ILL,   ILL)
        ROW(RELEASE_HINT,       IGN,          IGN,          IGN,         QUEUED1_PUSH, IGN,   IGN)
        ROW(RELEASE_NO_HINT,    IGN,          ILL,          ILL,         WAITING0,     IGN,   IGN)
        ROW(RELEASE_TOO_LITTLE, IGN,          IGN,          IGN,         IGN,          IGN,   IGN)
        ROW(EOF_CLEAN,          ILL,          ILL,          FINISHED0,   ILL,          ILL,   ILL)
        ROW(EOF_TRUNCATED,      ILL,          ILL,          FINI0_CUT,   ILL,          ILL,   ILL)
        ROW(FATAL,              ILL,          ILL,          FAILED0,     ILL,          ILL,   ILL)
        ROW(OVERSIZE,           ILL,          ILL,          FAILED0_BIG, ILL,          ILL,   ILL)
        ROW(CLOSE,              GONE0,        GONE0_REMOVE, GONE0,       GONE0,        GONE0, GONE0)
        ROW(HANGUP_ROOM,        QUEUED1_PUSH, SAME1,        SAME1,       SAME1,        IGN,   IGN)
        ROW(HANGUP_NO_ROOM,     PAUSED1,      SAME1,        SAME1,       SAME1,        IGN,   IGN)
    },
    .successors = {
        [READER_WAITING] = TO(QUEUED) | TO(PAUSED) | TO(GONE),
        [READER_QUEUED] = TO(QUEUED) | TO(RUNNING) | TO(GONE),
        [READER_RUNNING] = TO(RUNNING) | TO(WAITING) | TO(QUEUED) | TO(PAUSED) | TO(FINISHED) |
                           TO(FAILED) | TO(GONE),
        [READER_PAUSED] = TO(PAUSED) | TO(WAITING) | TO(QUEUED) | TO(GONE),
        [READER_FINISHED] = TO(GONE),
        [READER_FAILED] = TO(GONE),
    },
};

#undef CELL
#undef ILL
#undef IGN
#undef SAME
#undef SAME1
#undef WAITING0
#undef QUEUED_PUSH
#undef QUEUED1_PUSH
#undef RUNNING_POP
#undef PAUSED_SAME
#undef PAUSED1
#undef FINISHED0
#undef FINI0_CUT
#undef FAILED0
#undef FAILED0_BIG
#undef GONE0
#undef GONE0_REMOVE
#undef ROW
#undef TO

/* What a step answers when the cell names a state that the successor mask forbids. */
static const struct reader_cell reader_forbidden = {.verdict = READER_ILLEGAL};

/* The hint that every state has; reader_check's other half (R-ST-19). */
static const bool reader_hint_of[] = {
    [READER_WAITING] = false, [READER_QUEUED] = true,    [READER_RUNNING] = true,
    [READER_PAUSED] = true,   [READER_FINISHED] = false, [READER_FAILED] = false,
};
_Static_assert(sizeof(reader_hint_of) == READER_STATE_COUNT * sizeof(reader_hint_of[0]),
               "every state has its hint");

void reader_init(struct reader *reader)
{
    *reader = (struct reader){.state = READER_WAITING};
}

/*
 * The only place that writes `state`; false when the mask forbids it. The mask is a second line
 * behind the cells: where they disagree the event is illegal and nothing crashes, so that changed
 * rules can be told from good ones by what they do. A retired reader keeps its last state.
 */
static bool reader_set_state(const struct reader_rules *rules, struct reader *reader, uint8_t next)
{
    if (next > READER_GONE || (rules->successors[reader->state] >> next & 1u) == 0)
        return false;
    if (next != READER_GONE)
        reader->state = next;
    return true;
}

static void reader_set_outcome(struct reader *reader, uint8_t outcome, int error)
{
    if (outcome == READER_END_NONE || reader->outcome != READER_END_NONE)
        return;
    reader->outcome = outcome;
    reader->error = error;
}

static const struct reader_cell *reader_apply(const struct reader_rules *rules,
                                              struct reader *reader, enum reader_event event)
{
    const struct reader_cell *cell;

    assert(reader->state < READER_STATE_COUNT);
    assert((unsigned)event < READER_EVENT_COUNT);

    cell = &rules->cell[reader->state][event];
    if (cell->verdict != READER_STEP)
        return cell;
    if (!reader_set_state(rules, reader, cell->next))
        return &reader_forbidden;
    if (cell->hint != READER_HINT_KEEP)
        reader->hint = cell->hint == READER_HINT_SET;
    reader_set_outcome(reader, cell->outcome, 0);
    return cell;
}

const struct reader_cell *reader_step(const struct reader_rules *rules, struct reader *reader,
                                      enum reader_event event)
{
    assert(event != READER_FATAL); /* an errno belongs to it: reader_fail */
    return reader_apply(rules, reader, event);
}

const struct reader_cell *reader_fail(const struct reader_rules *rules, struct reader *reader,
                                      int error)
{
    const struct reader_cell *cell;

    assert(error > 0);
    cell = reader_apply(rules, reader, READER_FATAL);
    if (cell->verdict == READER_STEP)
        reader_set_outcome(reader, error == ECONNRESET ? READER_END_RESET : READER_END_ERROR,
                           error);
    return cell;
}

bool reader_ended(const struct reader *reader)
{
    return reader->state == READER_FINISHED || reader->state == READER_FAILED;
}

bool reader_check(const struct reader *reader)
{
    return reader->state < READER_STATE_COUNT && reader->hint == reader_hint_of[reader->state];
}

const char *reader_state_name(enum reader_state state)
{
    static const char *const names[] = {
#define X(name) [READER_##name] = #name,
        READER_STATES(X)
#undef X
    };

    assert((unsigned)state < READER_STATE_COUNT);
    return names[state];
}

const char *reader_event_name(enum reader_event event)
{
    static const char *const names[] = {
#define X(name, text) [READER_##name] = text,
        READER_EVENTS(X)
#undef X
    };

    assert((unsigned)event < READER_EVENT_COUNT);
    return names[event];
}

const char *reader_outcome_name(enum reader_outcome outcome)
{
    static const char *const names[] = {
#define X(name, text) [READER_END_##name] = text,
        READER_OUTCOMES(X)
#undef X
    };

    assert((unsigned)outcome < READER_END_COUNT);
    return names[outcome];
}
