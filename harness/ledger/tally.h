/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_TALLY_H
#define EDGEWISE_HARNESS_LEDGER_TALLY_H

/*
 * What a journal comes to for each source: how many rows of which kind, which bytes and frames, how
 * it ended and what it held last. One pass; nothing is judged here.
 */

#include "harness/ledger/names.h"

/* Bytes gathered from side bytes. `known` is false when a record's own were not kept. */
struct tally_bytes {
    uint8_t *data;
    size_t size;
    size_t room;
    bool known;
};

struct tally_frame {
    size_t at; /* of its payload in `payload` */
    size_t size;
};

struct tally_source {
    uint32_t peer; /* PLAN_NOBODY when the record does not say */
    struct identity id;

    uint64_t notices; /* stale ones included */
    uint64_t stale;
    uint64_t quanta;
    uint64_t reads;
    uint64_t eagain;
    uint64_t eintr;

    uint64_t read_size;      /* bytes of all reads */
    struct tally_bytes read; /* those bytes */
    struct tally_bytes payload;
    struct tally_frame *frames;
    size_t frame_count;
    size_t frame_room;

    uint32_t ends;
    enum reader_outcome outcome; /* of the first end; NONE while there is none */
    int error;                   /* positive errno of ERROR and RESET */
    uint8_t state;               /* enum reader_state, after the last record that says */
    uint32_t used;
    uint32_t reserved;
    uint64_t peak;  /* of used + reserved, the room for a frame that began at a read included */
    int32_t unread; /* at the last stop or end; JOURNAL_UNREAD_UNKNOWN */
    struct instant unread_at; /* when that was; INSTANT_PAST before any */
    struct instant closed_at; /* INSTANT_NEVER when it was not */
    bool closed_early;        /* by the application: before the sut was told to stop */
};

struct tally {
    struct tally_source *sources;
    size_t count;
    bool halted; /* the journal has the sut's stop */
};

/* Adds up `happened`'s journal. Free with tally_free. */
void tally_make(const struct happened *happened, const struct names *names,
                struct tally *ret_tally);
void tally_free(struct tally *tally);

/* The first source of `peer`, NULL when it never became one. */
const struct tally_source *tally_find(const struct tally *tally, uint32_t peer);

#endif
