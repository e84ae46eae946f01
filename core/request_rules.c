/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of request.h, state by event. */
#include "core/request.h"

_Static_assert(REQUEST_RETIRED < 8, "a mask holds every state and REQUEST_RETIRED");
_Static_assert(REQUEST_STATE_COUNT == 6, "a row of the table names every state");

/*
 * The words of the table. Each takes the state of its column, so that `next` is the resulting state
 * in every cell, REF and IGN included.
 */
#define CELL(verdict_, next_, ...) \
    {.verdict = REQUEST_##verdict_, .next = REQUEST_##next_, __VA_ARGS__}
#define DECIDE(word)        .decision = REQUEST_DECIDE_##word
#define PURSUE(word)        .pursuit = REQUEST_PURSUE_##word
#define RECORD(word)        .record = REQUEST_RECORD_##word
#define MOVES(one, two)     .first = REQUEST_MOVE_##one, .second = REQUEST_MOVE_##two
#define LOOKS               .looks = 1

#define REF(self)           CELL(REFUSE, self)
#define IGN(self)           CELL(IGNORE, self)

/* The wait ends without the target, and a cancel goes out or does not. */
#define TIMEOUT(self)       CELL(STEP, CANCELING, DECIDE(TIMEOUT), PURSUE(PENDING))
#define TIMEOUT_X(self)     CELL(STEP, ABANDONED, DECIDE(TIMEOUT), PURSUE(UNSENT))
#define EXITED(self)        CELL(STEP, CANCELING, DECIDE(EXITED), PURSUE(PENDING))
#define EXITED_X(self)      CELL(STEP, ABANDONED, DECIDE(EXITED), PURSUE(UNSENT))

#define QUEUE(self)         CELL(STEP, self, RECORD(DELIVER))

/* The target has ended. The borrow comes first: at no instant does nobody hold the buffer. */
#define ENDED(next_, ...)   CELL(STEP, next_, RECORD(TARGET), __VA_ARGS__)
#define BORROW_FIRST        MOVES(BORROW, DEVICE), LOOKS
#define DEVICE_ONLY         MOVES(DEVICE, NONE)
#define RESULT_LENT(self)   ENDED(LENT, DECIDE(RESULT), BORROW_FIRST)
#define RESULT_LEASED(self) ENDED(LENT, DECIDE(RESULT), DEVICE_ONLY)
#define RESULT_CLEAR(self)  ENDED(RETIRED, DECIDE(RESULT), DEVICE_ONLY)
#define LATE_LENT_C(self)   ENDED(LENT_CANCELING, BORROW_FIRST)
#define LATE_LEASED_C(self) ENDED(LENT_CANCELING, DEVICE_ONLY)
#define LATE_CLEAR_C(self)  ENDED(RETURNED, DEVICE_ONLY)
#define LATE_LENT(self)     ENDED(LENT, BORROW_FIRST)
#define LATE_LEASED(self)   ENDED(LENT, DEVICE_ONLY)
#define LATE_CLEAR(self)    ENDED(RETIRED, DEVICE_ONLY)

/* The cancel is answered: a matter of the record alone, whatever the answer. */
#define ANS_DEVICE(self)    CELL(STEP, ABANDONED, RECORD(CANCEL))
#define ANS_LENT(self)      CELL(STEP, LENT, RECORD(CANCEL))
#define ANS_RETIRE(self)    CELL(STEP, RETIRED, RECORD(CANCEL))

#define LEND(self)          CELL(STEP, self, MOVES(BORROW, NONE))
#define GIVE(self)          CELL(STEP, self, MOVES(RELEASE, NONE))
#define GIVE_RETIRE(self)   CELL(STEP, RETIRED, MOVES(RELEASE, NONE))
#define GIVE_RETURN(self)   CELL(STEP, RETURNED, MOVES(RELEASE, NONE))
#define PASS(self)          CELL(STEP, self, MOVES(BORROW, RELEASE))

#define ROW(event, waiting, canceling, abandoned, lent, lent_canceling, returned) \
    [REQUEST_WAITING][REQUEST_ON_##event] = waiting(WAITING),                     \
    [REQUEST_CANCELING][REQUEST_ON_##event] = canceling(CANCELING),               \
    [REQUEST_ABANDONED][REQUEST_ON_##event] = abandoned(ABANDONED),               \
    [REQUEST_LENT][REQUEST_ON_##event] = lent(LENT),                              \
    [REQUEST_LENT_CANCELING][REQUEST_ON_##event] = lent_canceling(LENT_CANCELING), \
    [REQUEST_RETURNED][REQUEST_ON_##event] = returned(RETURNED),

#define TO(state) (1u << REQUEST_##state)

/*
 * A borrow of one's own is refused while the device may write: an early lease comes with the
 * submission, and every other borrow after the target (R-A-23, R-A-24).
 *
 * Some cells cannot be asked, and are written all the same: a second borrower while the device has
 * the buffer; a token, or a leased end, once the buffer is back; an end without borrowers, or a
 * record owed, while it is only lent.
 */
const struct request_rules request_rules = {
    .cell = {
        /* Before: WAITING, CANCELING, ABANDONED, LENT, LENT_CANCELING, RETURNED. */
        ROW(DEADLINE,         TIMEOUT,       IGN,           IGN,         IGN,  IGN,  IGN)
        ROW(DEADLINE_UNSENT,  TIMEOUT_X,     IGN,           IGN,         IGN,  IGN,  IGN)
        ROW(EXIT,             EXITED,        IGN,           IGN,         IGN,  IGN,  IGN)
        ROW(EXIT_UNSENT,      EXITED_X,      IGN,           IGN,         IGN,  IGN,  IGN)
        ROW(DELIVER,          QUEUE,         QUEUE,         QUEUE,       REF,  QUEUE, QUEUE)
        ROW(DELIVER_SURPLUS,  REF,           REF,           REF,         REF,  REF,  REF)
        ROW(TARGET_BORROW,    RESULT_LENT,   LATE_LENT_C,   LATE_LENT,   REF,  REF,  REF)
        ROW(TARGET_LEASED,    RESULT_LEASED, LATE_LEASED_C, LATE_LEASED, REF,  REF,  REF)
        ROW(TARGET_CLEAR,     RESULT_CLEAR,  LATE_CLEAR_C,  LATE_CLEAR,  REF,  REF,  REF)
        ROW(CANCEL_OK,        REF,           ANS_DEVICE,    REF,         REF,  ANS_LENT, ANS_RETIRE)
        ROW(CANCEL_NOT_FOUND, REF,           ANS_DEVICE,    REF,         REF,  ANS_LENT, ANS_RETIRE)
        ROW(CANCEL_ALREADY,   REF,           ANS_DEVICE,    REF,         REF,  ANS_LENT, ANS_RETIRE)
        ROW(CANCEL_BAD_ID,    REF,           ANS_DEVICE,    REF,         REF,  ANS_LENT, ANS_RETIRE)
        ROW(BORROW,           REF,           REF,           REF,         LEND, LEND, REF)
        ROW(RELEASE_MORE,     GIVE,          GIVE,          GIVE,        GIVE, GIVE, REF)
        ROW(RELEASE_LAST,     GIVE,          GIVE,          GIVE, GIVE_RETIRE, GIVE_RETURN, REF)
        ROW(THROW_MORE,       GIVE,          GIVE,          GIVE,        GIVE, GIVE, REF)
        ROW(THROW_LAST,       GIVE,          GIVE,          GIVE, GIVE_RETIRE, GIVE_RETURN, REF)
        ROW(HANDOFF,          PASS,          PASS,          PASS,        PASS, PASS, REF)
        ROW(TOKEN_DEAD,       REF,           REF,           REF,         REF,  REF,  REF)
        ROW(TOKENS_SPENT,     REF,           REF,           REF,         REF,  REF,  REF)
        ROW(STALE,            REF,           REF,           REF,         REF,  REF,  REF)
    },
    .successors = {
        [REQUEST_WAITING] = TO(WAITING) | TO(CANCELING) | TO(ABANDONED) | TO(LENT) | TO(RETIRED),
        [REQUEST_CANCELING] =
            TO(CANCELING) | TO(ABANDONED) | TO(LENT_CANCELING) | TO(RETURNED),
        [REQUEST_ABANDONED] = TO(ABANDONED) | TO(LENT) | TO(RETIRED),
        [REQUEST_LENT] = TO(LENT) | TO(RETIRED),
        [REQUEST_LENT_CANCELING] = TO(LENT_CANCELING) | TO(LENT) | TO(RETURNED),
        [REQUEST_RETURNED] = TO(RETURNED) | TO(RETIRED),
    },
    .places = TO(WAITING) | TO(CANCELING) | TO(ABANDONED) | TO(LENT) | TO(LENT_CANCELING) |
              TO(RETURNED),
};

#undef CELL
#undef DECIDE
#undef PURSUE
#undef RECORD
#undef MOVES
#undef LOOKS
#undef REF
#undef IGN
#undef TIMEOUT
#undef TIMEOUT_X
#undef EXITED
#undef EXITED_X
#undef QUEUE
#undef ENDED
#undef BORROW_FIRST
#undef DEVICE_ONLY
#undef RESULT_LENT
#undef RESULT_LEASED
#undef RESULT_CLEAR
#undef LATE_LENT_C
#undef LATE_LEASED_C
#undef LATE_CLEAR_C
#undef LATE_LENT
#undef LATE_LEASED
#undef LATE_CLEAR
#undef ANS_DEVICE
#undef ANS_LENT
#undef ANS_RETIRE
#undef LEND
#undef GIVE
#undef GIVE_RETIRE
#undef GIVE_RETURN
#undef PASS
#undef ROW
#undef TO
