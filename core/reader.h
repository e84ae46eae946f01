/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_READER_H
#define EDGEWISE_CORE_READER_H

/*
 * The read direction of one source as a [state][event] table: what each event does to the state, to
 * `hint` and to the ready queue (R-ST, the full table). No I/O, no clock, no queue in here: the
 * caller asks the table, and carries out the queue action that the cell names.
 *
 * The rules are data and are passed in. The reactor uses reader_rules; a test or a negative control
 * changes one cell of a copy.
 */

#include <stdbool.h>
#include <stdint.h>

/*
 * WAITING   nothing known to be readable; the kernel owes a notice. hint 0.
 * QUEUED    in Q exactly once, waiting for its quantum. hint 1.
 * RUNNING   the one direction whose quantum it is; not in Q. hint 1.
 * PAUSED    readable as far as known, but downstream has no room; not in Q. hint 1.
 * FINISHED  a read returned 0: orderly end. Final. hint 0.
 * FAILED    a fatal error or a frame above the limit. Final. hint 0.
 */
#define READER_STATES(X) \
    X(WAITING)           \
    X(QUEUED)            \
    X(RUNNING)           \
    X(PAUSED)            \
    X(FINISHED)          \
    X(FAILED)

enum reader_state {
#define X(name) READER_##name,
    READER_STATES(X)
#undef X
        READER_STATE_COUNT,
    /* Not a state: the identity is retired and the reader must not be used again (e17). */
    READER_GONE = READER_STATE_COUNT
};

/*
 * The numbers are those of the requirement's table. ROOM and NO_ROOM are the capacity predicate
 * (R-ST-18) at the moment of the event.
 */
#define READER_EVENTS(X)                                                              \
    X(NOTICE_ROOM, "notice, room")                       /* e1 */                     \
    X(NOTICE_NO_ROOM, "notice, no room")                 /* e2 */                     \
    X(NOTICE_STALE, "notice for another generation")     /* e3 */                     \
    X(DISPATCH, "head of the queue")                     /* e4 */                     \
    X(PROGRESS, "read n > 0")                            /* e5 */                     \
    X(INTERRUPTED, "EINTR")                              /* e6 */                     \
    X(EXHAUSTED, "EAGAIN")                               /* e7 */                     \
    X(YIELD_ROOM, "budget used up, room")                /* e8 */                     \
    X(YIELD_NO_ROOM, "budget used up, no room")          /* e9 */                     \
    X(NO_GRANT, "next grant impossible")                 /* e10 */                    \
    X(RELEASE_HINT, "room again, hint 1")                /* e11 */                    \
    X(RELEASE_NO_HINT, "room again, hint 0")             /* e11' */                   \
    X(RELEASE_TOO_LITTLE, "room still missing")          /* e12 */                    \
    X(EOF_CLEAN, "read 0 at a boundary")                 /* e13 */                    \
    X(EOF_TRUNCATED, "read 0 inside a frame")            /* e14 */                    \
    X(FATAL, "fatal errno")                              /* e15 */                    \
    X(OVERSIZE, "declared length above the maximum")     /* e16 */                    \
    X(CLOSE, "closed or replaced")                       /* e17 */                    \
    X(HANGUP_ROOM, "notice of RDHUP, ERR, HUP only, room")       /* e18 as e1 */      \
    X(HANGUP_NO_ROOM, "notice of RDHUP, ERR, HUP only, no room") /* e18 as e2 */

enum reader_event {
#define X(name, text) READER_##name,
    READER_EVENTS(X)
#undef X
        READER_EVENT_COUNT
};

/* How a read direction ended. NONE while it has not. */
#define READER_OUTCOMES(X)                                                      \
    X(NONE, "none")                                                             \
    X(CLEAN, "clean")         /* read 0 at a frame boundary */                  \
    X(TRUNCATED, "truncated") /* read 0 inside a frame; state FINISHED (C10) */ \
    X(OVERSIZE, "oversize")   /* a declared length above the limit (R-F-16) */  \
    X(RESET, "reset")         /* ECONNRESET */                                  \
    X(ERROR, "error")         /* any other fatal errno */

enum reader_outcome {
#define X(name, text) READER_END_##name,
    READER_OUTCOMES(X)
#undef X
        READER_END_COUNT
};

/* What a cell says about the event as a whole. */
enum reader_verdict {
    READER_STEP,    /* carry out the cell */
    READER_IGNORE,  /* legal and without effect */
    READER_ILLEGAL, /* an internal error: report it, change nothing (R-ST-21) */
};

enum reader_hint {
    READER_HINT_KEEP,
    READER_HINT_SET,
    READER_HINT_CLEAR,
};

enum reader_queue {
    READER_QUEUE_KEEP,
    READER_QUEUE_PUSH,   /* at the tail, never ahead of another (R-Q-05) */
    READER_QUEUE_POP,    /* the caller has just taken it as the head */
    READER_QUEUE_REMOVE, /* wherever it stands */
};

struct reader_cell {
    uint8_t verdict; /* enum reader_verdict */
    uint8_t next;    /* enum reader_state, or READER_GONE */
    uint8_t hint;    /* enum reader_hint */
    uint8_t queue;   /* enum reader_queue */
    uint8_t outcome; /* enum reader_outcome; FATAL leaves RESET or ERROR to the caller's errno */
};

struct reader_rules {
    struct reader_cell cell[READER_STATE_COUNT][READER_EVENT_COUNT];
    /* Bit mask of states (1 << state, READER_GONE included) that may follow each state. */
    uint8_t successors[READER_STATE_COUNT];
};

/* The rules of the requirement's table. */
extern const struct reader_rules reader_rules;

/* Lives in the reactor's arena. */
struct reader {
    uint8_t state; /* enum reader_state */
    bool hint;     /* "not yet shown that this continuation is exhausted" (R-ST-02) */
    uint8_t outcome;
    uint8_t spare; /* no padding: the arena is hashed */
    int32_t error; /* the first fatal errno, positive and final (R-ST-20); 0 while there is none */
};

/* A reader that waits for its first notice. */
void reader_init(struct reader *reader);

/*
 * Applies `event`: state, hint and outcome change as the cell says, by reader_set_state alone.
 * Returns the cell; the caller then carries out cell->queue. With READER_IGNORE and READER_ILLEGAL
 * nothing changed. For READER_FATAL use reader_fail.
 */
const struct reader_cell *reader_step(const struct reader_rules *rules, struct reader *reader,
                                      enum reader_event event);

/* reader_step with READER_FATAL; `error` (a positive errno) is recorded, ECONNRESET as outcome
 * RESET. */
const struct reader_cell *reader_fail(const struct reader_rules *rules, struct reader *reader,
                                      int error);

/* True for FINISHED and FAILED. */
bool reader_ended(const struct reader *reader);

/* True when (state, hint) is one of the pairs that R-ST-19 allows. */
bool reader_check(const struct reader *reader);

/* The names that ledgers print: "WAITING", an event's text, an outcome's word. */
const char *reader_state_name(enum reader_state state);
const char *reader_event_name(enum reader_event event);
const char *reader_outcome_name(enum reader_outcome outcome);

#endif
