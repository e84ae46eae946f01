/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_READINESS_H
#define EDGEWISE_HARNESS_MODEL_READINESS_H

/*
 * The first ledger: several sources in one queue, two bytes or one read at a time (W1, W2, W3). It
 * is played by the real reactor on the simulated kernel: every source is connected and filled, then
 * all are put into service in order, and the reactor runs until it would sleep.
 */

#include "harness/model/stage.h"

#define READINESS_NAME_MAX 8
#define READINESS_FOR_EVER UINT32_MAX /* interruptions without an end */
#define READINESS_QUANTA 500          /* a run that does not end by itself ends here at the least */
#define READINESS_READS 100000        /* nor can it make more reads than this without progress */

enum readiness_finish {
    READINESS_OPEN,
    READINESS_EOF,   /* the end of the stream behind the bytes */
    READINESS_FATAL, /* a reset behind the bytes */
};

struct readiness_source {
    char name[READINESS_NAME_MAX + 1];
    const uint8_t *bytes; /* borrowed */
    uint32_t size;
    uint32_t eintr; /* its first reads are interrupted; READINESS_FOR_EVER: all of them */
    uint32_t round; /* its bytes arrive before this round; 0 and 1: before the first */
    enum readiness_finish finish;
};

/* What is to be played. */
struct readiness {
    struct readiness_source sources[STAGE_SOURCES_MAX];
    uint32_t count; /* of sources, at least 1 */
    enum reactor_trigger trigger;
    uint32_t collect;  /* h */
    uint32_t quantum;  /* q */
    uint32_t attempts; /* k */
    bool no_requeue;
    uint32_t limit; /* quanta; 0: as many as any run needs that ends, at least READINESS_QUANTA */
    enum defects defect;
};

struct readiness_read {
    uint32_t asked;
    int32_t result; /* bytes or -errno; 0: the end */
    uint32_t at;    /* its bytes in the ledger */
};

/* One quantum. */
struct readiness_row {
    uint64_t round;
    uint32_t quantum;
    uint32_t read_at; /* its first read in the ledger */
    uint32_t reads;
    uint32_t unread[STAGE_SOURCES_MAX]; /* afterwards */
    uint32_t unread_head;               /* as the reactor's own record has it */
    uint8_t head;                       /* a source */
    uint8_t reasons;                    /* of the stop; 0 when the direction ended */
    uint8_t outcome;                    /* enum reader_outcome */
    uint8_t state;
    bool hint;
    uint8_t before[STAGE_SOURCES_MAX]; /* Q when the head was taken, the head first */
    uint8_t before_count;
    uint8_t queue[STAGE_SOURCES_MAX]; /* Q afterwards */
    uint8_t queue_count;
};

struct readiness_ledger {
    struct readiness_row *rows;
    size_t row_count;
    struct readiness_read *reads;
    size_t read_count;
    uint8_t *bytes; /* of all reads */
    size_t byte_count;

    struct reactor_account account;
    enum stage_end end; /* STAGE_ON: by the limit */
    bool overflow;      /* a round did more than its journal could hold */
    bool sound;         /* reactor_check, after every round */
    struct {
        enum reader_state state;
        bool hint;
        enum reader_outcome outcome;
        int error;
        bool closed;
        uint32_t unread;
    } last[STAGE_SOURCES_MAX]; /* of each source */

    size_t row_room;
    size_t read_room;
    size_t byte_room;
};

/* Plays it. Free the ledger with readiness_free. */
void readiness_play(const struct readiness *readiness, struct readiness_ledger *ret_ledger);
void readiness_free(struct readiness_ledger *ledger);

#endif
