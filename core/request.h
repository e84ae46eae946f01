/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_REQUEST_H
#define EDGEWISE_CORE_REQUEST_H

/*
 * The account of asynchronous requests (R-A): a buffer is handed to a device, someone waits for the
 * result until a deadline, and a cancel may be on its way. Three moments are kept apart (R-A-03):
 * the wait is decided, the buffer returns to the pool, the record is retired. What each event does
 * is a [state][event] table; pool.h keeps count of who holds the buffer.
 *
 * No clock, no I/O, no allocation: the caller says what happened. The rules are data and are passed
 * in; a test or a negative control changes one cell of a copy.
 *
 * What is not in here: multishot completions, threads, durability (R-A-29, R-A-30), and any promise
 * that the account reaches zero. That rests on a device that ends, a cancel that is answered, a
 * loop that takes the records, and borrowers that give back (R-A-16, R-A-17, R-A-26).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/identity.h"
#include "core/pool.h"

/*
 * A state says who still owes something. The device owes the one record that ends the target; an
 * accepted cancel owes its answer; a borrower owes the buffer. A lease taken with the submission
 * (R-A-24) may be live in the first three states as well.
 *
 * WAITING          the device; someone waits for it.
 * CANCELING        the device and the cancel; nobody waits any more.
 * ABANDONED        the device; the cancel is answered, or could not be submitted.
 * LENT             a borrower.
 * LENT_CANCELING   a borrower and the cancel.
 * RETURNED         the cancel; the buffer may serve others already (R-A-08).
 */
#define REQUEST_STATES(X) \
    X(WAITING)            \
    X(CANCELING)          \
    X(ABANDONED)          \
    X(LENT)               \
    X(LENT_CANCELING)     \
    X(RETURNED)

enum request_state {
#define X(name) REQUEST_##name,
    REQUEST_STATES(X)
#undef X
        REQUEST_STATE_COUNT,
    /* Not a state: nobody owes anything, every later event is for another generation. */
    REQUEST_RETIRED = REQUEST_STATE_COUNT
};

/* The columns of the ledger. How the wait ended (Lg): */
#define REQUEST_LOGICALS(X)                                                           \
    X(WAITING, "WAITING")                                                             \
    X(OK, "OK")           /* decided by the target's record (C23) */                  \
    X(ERROR, "ERROR")     /* the same, for an error and for a cancellation */         \
    X(TIMEOUT, "TIMEOUT") /* final: a later success does not rewrite it (R-A-07) */   \
    X(EXITED, "EXITED")   /* whoever waited left before an answer or the deadline */

/* What the device's record said (Tg): */
#define REQUEST_TARGETS(X)             \
    X(INFLIGHT, "INFLIGHT")            \
    X(OK, "TERMINAL(ok)")              \
    X(ERROR, "TERMINAL(err)")          \
    X(CANCELED, "TERMINAL(canceled)")

/* What became of the cancel (Cx). No answer is evidence that the target ended (R-A-10..12). */
#define REQUEST_CANCELS(X)                                                             \
    X(NONE, "NONE")                                                                    \
    X(PENDING, "PENDING")                                                              \
    X(OK, "DONE(ok)")                                                                  \
    X(NOT_FOUND, "DONE(notfound)")                                                     \
    X(ALREADY, "DONE(already)")      /* not cancellable any more */                    \
    X(BAD_ID, "DONE(badid)")         /* the cancel named another identity */           \
    X(UNSENT, "DONE(submit_failed)") /* never accepted: it owes no answer (C24) */

enum request_logical {
#define X(name, text) REQUEST_LOGICAL_##name,
    REQUEST_LOGICALS(X)
#undef X
        REQUEST_LOGICAL_COUNT
};

enum request_target {
#define X(name, text) REQUEST_TARGET_##name,
    REQUEST_TARGETS(X)
#undef X
        REQUEST_TARGET_COUNT
};

enum request_cancel {
#define X(name, text) REQUEST_CANCEL_##name,
    REQUEST_CANCELS(X)
#undef X
        REQUEST_CANCEL_COUNT
};

/* What can happen to a request. Each carries the identity that it is meant for. */
#define REQUEST_KINDS(X)                                                                  \
    X(DEADLINE, "deadline")                                                               \
    X(EXIT, "logical_exit") /* whoever waited leaves; a leave returns nothing (R-A-03) */ \
    X(DELIVER, "deliver")   /* a record reached the completion queue: no evidence yet */  \
    X(TARGET, "target")     /* the device's record is taken from the queue */             \
    X(CANCEL, "cancel")     /* the cancel's record is taken from the queue */             \
    X(BORROW, "borrow")                                                                   \
    X(RELEASE, "release")                                                                 \
    X(THROW, "throw")       /* a callback failed: its clean-up gives back (R-A-13) */     \
    X(HANDOFF, "handoff")   /* another receiver takes over (R-A-14) */

enum request_kind {
#define X(name, text) REQUEST_KIND_##name,
    REQUEST_KINDS(X)
#undef X
        REQUEST_KIND_COUNT
};

struct request_act {
    uint8_t kind;   /* enum request_kind */
    uint8_t target; /* TARGET: enum request_target, not INFLIGHT */
    uint8_t cancel; /* CANCEL: enum request_cancel, OK .. BAD_ID */
    bool borrow;    /* TARGET: its callback borrows the buffer, in the same step */
    bool unsent;    /* DEADLINE, EXIT: the cancel could not be submitted */
    uint32_t token; /* RELEASE, THROW, HANDOFF: which borrow; others leave it 0 */
};

/*
 * The rows of the table: what happened, told apart by what the account says at that moment. MORE
 * and LAST: other borrows are live, or none. LEASED: nothing is borrowed by the target's callback,
 * but a lease from the submission is live.
 */
#define REQUEST_EVENTS(X)                                                   \
    X(DEADLINE, "deadline, cancel submitted")                               \
    X(DEADLINE_UNSENT, "deadline, cancel not submitted")                    \
    X(EXIT, "logical exit, cancel submitted")                               \
    X(EXIT_UNSENT, "logical exit, cancel not submitted")                    \
    X(DELIVER, "record delivered")                                          \
    X(DELIVER_SURPLUS, "more records delivered than owed")                  \
    X(TARGET_BORROW, "target ended, buffer borrowed")                       \
    X(TARGET_LEASED, "target ended, buffer leased before")                  \
    X(TARGET_CLEAR, "target ended, nobody borrows")                         \
    X(CANCEL_OK, "cancel answered ok")                                      \
    X(CANCEL_NOT_FOUND, "cancel answered not found")                        \
    X(CANCEL_ALREADY, "cancel answered already under way")                  \
    X(CANCEL_BAD_ID, "cancel answered for a wrong identity")                \
    X(BORROW, "borrowed")                                                   \
    X(RELEASE_MORE, "released, others borrow")                              \
    X(RELEASE_LAST, "released, nobody borrows")                             \
    X(THROW_MORE, "callback failed, others borrow")                         \
    X(THROW_LAST, "callback failed, nobody borrows")                        \
    X(HANDOFF, "handed over")                                               \
    X(TOKEN_DEAD, "a token that is not live")                               \
    X(TOKENS_SPENT, "no token left to give")                                \
    X(STALE, "for another generation")

enum request_event {
#define X(name, text) REQUEST_ON_##name,
    REQUEST_EVENTS(X)
#undef X
        REQUEST_EVENT_COUNT
};

enum request_verdict {
    REQUEST_STEP,   /* the cell is carried out */
    REQUEST_IGNORE, /* legal and without effect: a deadline that comes second (R-A-09) */
    REQUEST_REFUSE, /* not legal; nothing changes, and it is counted (R-A-22) */
    REQUEST_VERDICT_COUNT
};

/* What a cell does to the wait, to the completion queue and to the cancel. */
enum request_decision {
    REQUEST_DECIDE_KEEP,
    REQUEST_DECIDE_TIMEOUT,
    REQUEST_DECIDE_EXITED,
    REQUEST_DECIDE_RESULT, /* OK or ERROR, by the target's record */
    REQUEST_DECISION_COUNT
};

enum request_record {
    REQUEST_RECORD_KEEP,
    REQUEST_RECORD_DELIVER,
    REQUEST_RECORD_TARGET, /* the device's is taken, and its result written down */
    REQUEST_RECORD_CANCEL, /* the cancel's is taken, and its answer written down */
    REQUEST_RECORD_COUNT
};

enum request_pursuit {
    REQUEST_PURSUE_KEEP,
    REQUEST_PURSUE_PENDING,
    REQUEST_PURSUE_UNSENT,
    REQUEST_PURSUIT_COUNT
};

/* A move of the buffer. A cell has two, and their order is part of the rule (R-A-04, R-A-14). */
enum request_move {
    REQUEST_MOVE_NONE,
    REQUEST_MOVE_BORROW,  /* b + 1, under a new token */
    REQUEST_MOVE_RELEASE, /* b - 1 */
    REQUEST_MOVE_DEVICE,  /* d - 1: the device is done with the buffer */
    REQUEST_MOVE_COUNT
};

struct request_cell {
    uint8_t verdict;  /* enum request_verdict */
    uint8_t next;     /* enum request_state, or REQUEST_RETIRED */
    uint8_t decision; /* enum request_decision */
    uint8_t record;   /* enum request_record */
    uint8_t pursuit;  /* enum request_pursuit */
    uint8_t first;    /* enum request_move */
    uint8_t second;   /* enum request_move */
    uint8_t looks;    /* 1: whoever handles the event looks into the buffer (R-A-08) */
};

struct request_rules {
    struct request_cell cell[REQUEST_STATE_COUNT][REQUEST_EVENT_COUNT];
    /* Bit mask of states (1 << state, REQUEST_RETIRED included) that may follow each state. */
    uint8_t successors[REQUEST_STATE_COUNT];
    /* Bit mask of the states whose requests keep their place in the admission (R-A-19, R-A-20). */
    uint8_t places;
};

/* The rules of the requirement. */
extern const struct request_rules request_rules;

/* A request gives out tokens 0, 1, 2 ...; the last one is kept for the target's callback. */
#define REQUEST_TOKENS 64

/* The record of one request. It is read through request_at. */
struct request {
    struct identity id; /* of the present request, or of the last one when retired */
    uint64_t live;      /* bit mask of tokens that are not given back */
    uint32_t buffer;    /* index in the pool; not to be followed once `returned` */
    int16_t device;     /* d: 1 until the target has ended, then 0 */
    int16_t borrows;    /* b */
    uint8_t state;      /* enum request_state, or REQUEST_RETIRED */
    uint8_t logical;    /* enum request_logical */
    uint8_t target;     /* enum request_target */
    uint8_t cancel;     /* enum request_cancel */
    uint8_t tokens;     /* given out so far */
    uint8_t delivered;  /* records in the completion queue that nobody has taken */
    uint8_t returned;   /* 1: the buffer is back in the pool */
    uint8_t spare;      /* no padding: the arena is hashed */
};

/* Lives in the arena. */
struct request_table {
    uint32_t count;     /* slots in `record` */
    uint32_t admitted;  /* QREQ, the most places there are */
    uint32_t places;    /* in use */
    uint32_t open;      /* logical open: waits that are not decided */
    uint32_t unretired; /* records that are not retired */
    uint32_t peak;      /* the most unretired ones there ever were */
    uint64_t delivered; /* records that reached the completion queue */
    uint64_t consumed;  /* records that were taken from it */
    uint64_t refused;   /* events and submissions */
    struct request record[];
};

struct request_config {
    uint32_t admitted;   /* QREQ, 1 .. slots */
    uint32_t bytes;      /* MBUF, at least 1 */
    uint32_t slots;      /* records, 1 .. 2^20; more than QREQ are never used by good rules */
    uint32_t buffers;    /* 1 .. 2^20; QREQ are enough */
    uint32_t generation; /* of the first holder of each slot; 0 means 1 */
};

/* A handle; what it points to holds no address and may be copied as one block. */
struct request_ledger {
    const struct request_rules *rules;
    struct identity_table *ids;
    struct request_table *table;
    struct pool *pool;
};

/* Whether the address of the buffer was lent before the device got it (R-A-24). */
enum request_lease {
    REQUEST_LEASE_NONE,  /* only the target's callback borrows: the callback rule (R-A-23) */
    REQUEST_LEASE_EARLY, /* token 0 from the start; no licence to read what the device writes */
};

#define REQUEST_MOVES 2

/* What one event did. */
struct request_effect {
    uint8_t verdict;  /* enum request_verdict */
    uint8_t event;    /* enum request_event, the row that was asked */
    uint8_t returned; /* 1: the buffer went back in this step */
    uint8_t retired;  /* 1: the record was retired in this step */
    uint8_t looks;    /* as in the cell */
    uint8_t moves;    /* in `after` */
    uint16_t spare;
    uint32_t token; /* that was given out, UINT32_MAX when none was */
    struct {
        int16_t device;
        int16_t borrows;
    } after[REQUEST_MOVES]; /* d and b after each move: the sub-steps of a row (C26) */
};

/* Bytes for the whole account; 8-byte aligned. */
size_t request_size(const struct request_config *config);

/* Makes an empty account in `memory` (request_size bytes, 8-byte aligned) and points the handle at
 * it. */
void request_open(struct request_ledger *ret_ledger, const struct request_rules *rules,
                  const struct request_config *config, void *memory);

/*
 * Submits a request of `bytes`: the device has its buffer. 0 and its identity. -EMSGSIZE when
 * `bytes` is 0 or above MBUF; -EAGAIN when all QREQ places are in use; -ENFILE and -ENOBUFS when a
 * slot or a buffer is missing. A failure is counted as refused, and changes nothing else.
 */
int request_submit(struct request_ledger *ledger, uint32_t bytes, enum request_lease lease,
                   struct identity *ret_id);

/*
 * Something happened to `id`. Its record is looked up by slot and generation before anything of it
 * is followed (R-A-15), so any identity is safe: one that is not live is refused as STALE. `act` is
 * the caller's own and well formed; a token may be any number. Returns what was done.
 */
struct request_effect request_apply(struct request_ledger *ledger, struct identity id,
                                    const struct request_act *act);

/* The record of `id`, retired or not, until its slot is used again; else NULL. */
const struct request *request_at(const struct request_ledger *ledger, struct identity id);

/* True when state, columns, tokens and buffer agree, for every record and for the totals. */
bool request_check(const struct request_ledger *ledger);

/* The words that ledgers print. */
const char *request_state_name(enum request_state state); /* "RETIRED", too */
const char *request_event_name(enum request_event event);
const char *request_kind_name(enum request_kind kind);
const char *request_logical_name(enum request_logical logical);
const char *request_target_name(enum request_target target);
const char *request_cancel_name(enum request_cancel cancel);

#endif
