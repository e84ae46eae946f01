/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_JOURNAL_H
#define EDGEWISE_CORE_JOURNAL_H

/*
 * What the reactor did, record by record. One writer; a record is one cache line. Bytes - those of
 * a read, the slots of the ready queue - go to a bounded side log, and the record holds their
 * place. The whole journal is one block without addresses, so that it can lie in memory shared with
 * the process that judges it and survive a crash of the writer. A full journal or side log sets
 * `overflow` and is a verdict of its own, never a silent loss.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/identity.h"
#include "core/instant.h"

#define JOURNAL_KINDS(X)                                                                       \
    X(NOTICE)  /* subject, events, again or stale */                                           \
    X(READY)   /* subject, state, hint, credit, queue: put into service by its notice */       \
    X(QUANTUM) /* subject, number: its quantum begins; numbers count over all sources */       \
    X(READ)    /* subject, asked, result (bytes or -errno), credit, side bytes */              \
    X(FRAME)   /* subject, number (per source), result (payload bytes), credit, side bytes */  \
    X(STOP)    /* subject, reasons, state, hint, credit, queue, unread */                      \
    X(END)     /* subject, outcome, result (-errno), state, hint, credit, queue, unread */     \
    X(CONSUME) /* subject, number (frames given back), credit */                               \
    X(RESUME)  /* subject, state, hint, credit, queue */                                       \
    X(CTL)     /* subject, op, events (the mask now), was (the mask before), result */         \
    X(ACCEPT)  /* subject (listener), result (0 or -errno), object (the new source) */         \
    X(ADOPT)   /* subject: a descriptor handed in by the application */                        \
    X(HALT)    /* the reactor begins to stop */                                                \
    X(CLOSE)   /* subject */                                                                   \
    X(ILLEGAL) /* subject, state, number (enum reader_event): an internal error (R-ST-21) */

enum journal_kind {
#define X(name) JOURNAL_##name,
    JOURNAL_KINDS(X)
#undef X
        JOURNAL_KIND_COUNT
};

/* Reasons of a stop: the bits 1 << enum budget_kind, then these; printed in bit order. */
#define JOURNAL_REASON_CAPACITY (1u << 5)
#define JOURNAL_REASON_EAGAIN (1u << 6)

/* The ready queue in a READY, STOP, END or RESUME record: the side bytes are its first identities,
 * packed (identity_pack), at most this many; `number` is its whole length. */
#define JOURNAL_QUEUE_MAX 32

#define JOURNAL_FLAG_HINT (1u << 0)
#define JOURNAL_FLAG_AGAIN (1u << 1) /* a notice while hint was already 1 */
#define JOURNAL_FLAG_STALE (1u << 2) /* a notice for a retired generation */

/* `unread` when nobody could tell. */
#define JOURNAL_UNREAD_UNKNOWN (-1)

struct journal_record {
    uint8_t kind; /* enum journal_kind */
    uint8_t state;
    uint8_t flags;
    uint8_t reasons;
    uint8_t outcome;
    uint8_t op;
    uint16_t events; /* enum os_event_bit */
    uint16_t was;
    uint32_t side_length; /* bytes in the side log */
    uint64_t side_at;     /* their place there */
    struct identity subject;
    union {
        struct identity object;
        struct {
            uint32_t used;
            uint32_t reserved;
        } credit;
    };
    uint32_t number;
    uint32_t asked;
    int32_t result;
    int32_t unread;
    struct instant at;
};

_Static_assert(sizeof(struct journal_record) == 64, "a record is one cache line");

/* One block: this header, the records, the side log. */
struct journal {
    _Atomic uint64_t count; /* records written; a reader sees every record below it */
    uint64_t capacity;
    _Atomic uint64_t side_used;
    uint64_t side_capacity;
    _Atomic bool overflow;
};

/* Bytes of a journal for `records` (1 .. 2^24) and `side` bytes (0 .. 2^32); 0 when out of
 * range. */
size_t journal_size(uint64_t records, uint64_t side);

/* Makes an empty journal in `block` of journal_size bytes, 64-byte aligned. */
struct journal *journal_init(void *block, uint64_t records, uint64_t side);

/* Appends one record. A full journal keeps what it has and sets `overflow`. `journal` may be NULL:
 * off. */
void journal_write(struct journal *journal, const struct journal_record *record);

/* Appends `size` bytes to the side log; sets `overflow` when they do not fit. NULL: off. */
void journal_side(struct journal *journal, const void *bytes, size_t size);

/* The place of the next side byte, to be kept before a call whose bytes a decorator logs. 0 when
 * off. */
uint64_t journal_side_mark(const struct journal *journal);

/* The i-th record, i below the count. Valid as long as the block. */
const struct journal_record *journal_at(const struct journal *journal, uint64_t i);

/* The side bytes of a record; `ret_size` is their number, 0 when there are none. */
const uint8_t *journal_bytes(const struct journal *journal, const struct journal_record *record,
                             size_t *ret_size);

#endif
