/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/defects.h"

#include <assert.h>
#include <string.h>

#include "harness/suggest.h"

#define ET (1u << REACTOR_ET)
#define LT (1u << REACTOR_LT)
#define OS (1u << REACTOR_OS)

#define CELL(state_, event_, verdict_, next_, hint_, queue_)                              \
    {                                                                                     \
        .state = READER_##state_, .event = READER_##event_,                               \
        .cell = {.verdict = READER_##verdict_, .next = READER_##next_,                    \
                 .hint = READER_HINT_##hint_, .queue = READER_QUEUE_##queue_},            \
    }

static void defects_lift_attempts(struct reactor_protocol *protocol)
{
    protocol->limits.attempts = UINT32_MAX;
}

static const struct defects_entry defects_entries[] = {
    [DEFECTS_NO_REQUEUE] = {
        .requirements = "R-NEG-01 R-NEG-02",
        .taken = "a source that a budget stops goes back to the ready queue",
        .wrong = "cdef of A stays unread for ever; level-triggered, A is completed by repeated "
                 "notices alone, and nobody sees EAGAIN",
        .scenario = "readiness/six-quanta",
        .triggers = ET | LT | OS,
        .form = DEFECTS_CELL,
        .cells = {CELL(RUNNING, YIELD_ROOM, STEP, WAITING, KEEP, KEEP)},
        .cell_count = 1,
    },
    [DEFECTS_NO_ATTEMPT_LIMIT] = {
        .requirements = "R-NEG-03",
        .taken = "a quantum has a limited number of attempts",
        .wrong = "A's reads are interrupted for ever, the quantum never returns, B gets nothing; "
                 "the limit of calls ends it",
        .scenario = "readiness/eintr-for-ever",
        .triggers = ET | LT | OS,
        .form = DEFECTS_CONFIGURATION,
        .configure = defects_lift_attempts,
    },
    [DEFECTS_COLLECT_WHEN_IDLE] = {
        .requirements = "R-NEG-04",
        .taken = "notices are collected in every round, also while the ready queue has members",
        .wrong = "hot A keeps late B out: B is first served in quantum 202 instead of 6",
        .scenario = "fairness/late-arrival",
        .triggers = ET | LT | OS,
        .form = DEFECTS_DECORATOR,
        .spoiler = SPOILER_COLLECT_WHEN_IDLE,
    },
    [DEFECTS_REQUEUE_ON_EAGAIN] = {
        .requirements = "R-NEG-05",
        .taken = "EAGAIN takes a source out of the ready queue",
        .wrong = "it spins without input: 500 quanta, 496 of them EAGAIN; the limit of rounds "
                 "ends it",
        .scenario = "readiness/eagain-ends-it",
        .triggers = ET | LT | OS,
        .form = DEFECTS_CELL,
        .cells = {CELL(RUNNING, EXHAUSTED, STEP, QUEUED, KEEP, PUSH)},
        .cell_count = 1,
    },
    [DEFECTS_HINT_CLEARED] = {
        .requirements = "R-NEG-06",
        .taken = "the hint survives a stop by a budget",
        .wrong = "cdef of A stays unread for ever; level-triggered and one-shot, A is completed "
                 "by repeated notices alone",
        .scenario = "readiness/six-quanta",
        .triggers = ET | LT | OS,
        .form = DEFECTS_CELL,
        .cells = {CELL(RUNNING, YIELD_ROOM, STEP, WAITING, CLEAR, KEEP)},
        .cell_count = 1,
    },
    [DEFECTS_NO_DEDUP] = {
        .requirements = "R-NEG-07",
        .taken = "a notice for a queued source does not queue it again",
        .wrong = "A would stand in the ready queue twice: the queue's assertion ends the sut",
        .scenario = "readiness/six-quanta",
        .triggers = LT,
        .elsewhere = "one arrival gives one notice, so none finds its source queued",
        .form = DEFECTS_CELL,
        .cells = {CELL(QUEUED, NOTICE_ROOM, STEP, QUEUED, SET, PUSH)},
        .cell_count = 1,
    },
    [DEFECTS_EAGAIN_IS_EOF] = {
        .requirements = "R-NEG-08",
        .taken = "EAGAIN is not the end of a stream",
        .wrong = "the connection ends at the first gap, inside a header; no frame comes",
        .scenario = "framing/one-frame-per-quantum",
        .triggers = ET | LT | OS,
        .form = DEFECTS_DECORATOR,
        .spoiler = SPOILER_EAGAIN_IS_EOF,
    },
    [DEFECTS_HANGUP_IS_EOF] = {
        .requirements = "R-NEG-09",
        .taken = "RDHUP, ERR and HUP are hints to read on",
        .wrong = "the whole tail is lost, and the reset is told as a clean end",
        .scenario = "ends/rst-behind-tail",
        .triggers = ET | LT | OS,
        .form = DEFECTS_DECORATOR,
        .spoiler = SPOILER_HANGUP_IS_EOF,
    },
    [DEFECTS_NO_CAPACITY_EVENT] = {
        .requirements = "R-NEG-10",
        .taken = "room that comes back wakes a paused source",
        .wrong = "OK stays in the source, 4 bytes, paused for ever with the hint set",
        .scenario = "framing/one-frame-per-quantum",
        .triggers = ET | LT | OS,
        .form = DEFECTS_CELL,
        .cells = {CELL(PAUSED, RELEASE_HINT, IGNORE, PAUSED, KEEP, KEEP)},
        .cell_count = 1,
    },
    [DEFECTS_PAUSED_REQUEUES] = {
        .requirements = "R-NEG-11",
        .taken = "a source without room leaves the ready queue",
        .wrong = "it spins with empty quanta; the limit of rounds ends it",
        .scenario = "framing/paused-is-silent",
        .triggers = ET | LT | OS,
        .form = DEFECTS_CELL,
        .cells = {CELL(RUNNING, YIELD_NO_ROOM, STEP, QUEUED, KEEP, PUSH),
                  CELL(RUNNING, NO_GRANT, STEP, QUEUED, KEEP, PUSH)},
        .cell_count = 2,
    },
    [DEFECTS_ROOM_BESIDE_RESERVATION] = {
        .requirements = "R-NEG-12",
        .taken = "the reservation that a half frame holds is the room for it",
        .wrong = "the half frame CA is stranded: paused with nothing used that could be released",
        .scenario = "framing/half-frame-has-room",
        .triggers = ET | LT | OS,
        .form = DEFECTS_MARK,
        .mark = DEFECT_ROOM_BESIDE_RESERVATION,
    },
    [DEFECTS_READ_AHEAD] = {
        .requirements = "R-NEG-13",
        .taken = "no byte is read that has no room in the account",
        .wrong = "OK waits in an array that nobody charges: 0 bytes unread instead of 4 at the "
                 "pause, and nothing else",
        .scenario = "framing/one-frame-per-quantum",
        .triggers = ET | LT | OS,
        .form = DEFECTS_DECORATOR,
        .spoiler = SPOILER_READ_AHEAD,
    },
    [DEFECTS_TOLD_BY_NUMBER] = {
        .requirements = "R-NEG-15",
        .taken = "a notice is for one generation of a slot",
        .wrong = "the late notice for d wakes e, which has its number now",
        .scenario = "ends/number-reused-in-batch",
        .triggers = ET | LT | OS,
        .form = DEFECTS_DECORATOR,
        .spoiler = SPOILER_TOLD_BY_NUMBER,
    },
    [DEFECTS_BATCH_UNCHECKED] = {
        .requirements = "R-NEG-16",
        .taken = "each element of a batch is checked before it is used",
        .wrong = "the late notice for d makes the loop use d, which is gone: an assertion ends "
                 "the sut",
        .scenario = "ends/number-reused-in-batch",
        .triggers = ET | LT | OS,
        .form = DEFECTS_MARK,
        .mark = DEFECT_BATCH_UNCHECKED,
    },
    [DEFECTS_QUEUE_BEFORE_TURN] = {
        .requirements = "R-NEG-39",
        .taken = "every round has a turn for capacity, whatever stands in the ready queue",
        .wrong = "the resumption of c starves while hot A has bytes",
        .scenario = "fairness/paused-beside-hot",
        .triggers = ET | LT | OS,
        .form = DEFECTS_MARK,
        .mark = DEFECT_QUEUE_BEFORE_TURN,
    },
    [DEFECTS_READ_PAST_RESET] = {
        .requirements = "R-NEG-41",
        .taken = "the first fatal errno is final",
        .wrong = "the reset is told as a clean end",
        .scenario = "ends/rst-behind-tail",
        .triggers = ET | LT | OS,
        .form = DEFECTS_DECORATOR,
        .spoiler = SPOILER_READ_PAST_RESET,
    },
    [DEFECTS_PAUSED_UNMASKED] = {
        .requirements = "R-NEG-42",
        .taken = "a pause takes IN and RDHUP out of a level-triggered entry",
        .wrong = "the wait never sleeps while c is paused; the limit of rounds ends it",
        .scenario = "framing/paused-is-silent",
        .triggers = LT,
        .elsewhere = "an edge-triggered entry tells of an arrival once and needs no mask",
        .form = DEFECTS_MARK,
        .mark = DEFECT_PAUSED_UNMASKED,
    },
    [DEFECTS_HANGUP_ENTRY_KEPT] = {
        .requirements = "C41",
        .taken = "a masked entry that reports ERR or HUP is deleted",
        .wrong = "the wait never sleeps after the reset; the limit of rounds ends it",
        .scenario = "ends/rst-while-paused",
        .triggers = LT,
        .elsewhere = "an edge-triggered entry tells of the reset once",
        .form = DEFECTS_MARK,
        .mark = DEFECT_HANGUP_ENTRY_KEPT,
    },
};
_Static_assert(sizeof(defects_entries) / sizeof(*defects_entries) == DEFECTS_COUNT,
               "an entry each");

const struct defects_entry *defects_entry(enum defects which)
{
    assert(which > DEFECTS_NONE && which < DEFECTS_COUNT);
    return &defects_entries[which];
}

const char *defects_form_name(enum defects_form form)
{
    static const char *const names[] = {
#define X(name, text) [DEFECTS_##name] = text,
        DEFECTS_FORMS(X)
#undef X
    };

    assert((unsigned)form < DEFECTS_FORM_COUNT);
    return names[form];
}

static const char *const defects_names[] = {
#define X(name, text) [DEFECTS_##name] = text,
    DEFECTS_LIST(X)
#undef X
};

const char *defects_name(enum defects which)
{
    assert((unsigned)which < DEFECTS_COUNT);
    return defects_names[which];
}

enum defects defects_find(const char *name)
{
    for (int which = DEFECTS_NONE + 1; name && which < DEFECTS_COUNT; which++)
        if (strcmp(defects_names[which], name) == 0)
            return (enum defects)which;
    return DEFECTS_NONE;
}

const char *defects_nearest(const char *typed)
{
    return suggest_nearest(typed, defects_names + 1, DEFECTS_COUNT - 1);
}

bool defects_possible(enum defects which)
{
#ifdef DEFECTS
    (void)which;
    return true;
#else
    return which == DEFECTS_NONE || defects_entries[which].mark == DEFECT_NONE;
#endif
}

void defects_change_rules(enum defects which, struct reader_rules *rules)
{
    const struct defects_entry *entry = &defects_entries[which];

    for (uint32_t i = 0; i < entry->cell_count; i++)
        rules->cell[entry->cells[i].state][entry->cells[i].event] = entry->cells[i].cell;
}

void defects_change_protocol(enum defects which, struct reactor_protocol *protocol)
{
    if (defects_entries[which].configure)
        defects_entries[which].configure(protocol);
}

enum spoiler_kind defects_spoiler(enum defects which)
{
    return defects_entries[which].spoiler;
}

void defects_switch(enum defects which)
{
    assert(defects_possible(which));
#ifdef DEFECTS
    defect_switch(defects_entries[which].mark);
#else
    (void)which;
#endif
}
