/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_FRAMING_H
#define EDGEWISE_HARNESS_MODEL_FRAMING_H

/*
 * The second ledger: one connection of length-prefixed frames under a byte budget, step by step
 * (W6, W8). It is played by the real reactor on the simulated kernel; what happens outside of it -
 * bytes that arrive, frames that are given back - is a script of words.
 */

#include "harness/model/framing_script.h"
#include "harness/model/stage.h"

/* What is to be played. */
struct framing {
    struct framing_script script;
    enum reactor_trigger trigger;
    uint32_t capacity;
    uint32_t payload_max;
    uint32_t frames;   /* f, of one quantum */
    uint32_t attempts; /* k */
    uint32_t bytes;    /* q */
    enum defects defect;
};

enum framing_event {
    FRAMING_EDGE,     /* a notice */
    FRAMING_DISPATCH, /* a quantum begins by reserving room */
    FRAMING_RESERVE,  /* a quantum reserves room for one more frame */
    FRAMING_READ,
    FRAMING_FRAME,    /* a frame is complete */
    FRAMING_YIELD,    /* a budget ends the quantum */
    FRAMING_PAUSE,    /* missing room does */
    FRAMING_END,      /* the direction has ended */
    FRAMING_CONSUME,  /* the oldest frames are given back */
    FRAMING_RESUME,   /* a paused direction goes on, without a notice */
    FRAMING_EVENT_COUNT
};

/* One step: what happened, and what the account says then. */
struct framing_row {
    enum framing_event event;
    uint32_t quantum; /* 0 outside of one */
    uint32_t number;  /* FRAME: of the frame; CONSUME: frames */
    uint8_t reasons;  /* YIELD, PAUSE */
    uint8_t outcome;  /* END: enum reader_outcome */
    uint32_t asked;   /* READ */
    int32_t result;   /* READ: bytes or -errno, 0: the end */
    uint32_t at;      /* READ: its bytes in the ledger */
    uint32_t used;
    uint32_t reserved;
    uint8_t state;
    bool hint;
    bool queued;
    uint32_t partial; /* bytes of the unfinished frame, the last ones read so far */
    uint32_t read;    /* bytes read so far */
    uint32_t unread;
    int32_t told;     /* unread, as the reactor's record has it; -1: it has not */
    uint32_t sent;    /* bytes that have arrived so far */
};

struct framing_ledger {
    struct framing_row *rows;
    size_t row_count;
    uint8_t *bytes; /* read, in order */
    size_t byte_count;
    uint8_t *payloads; /* of the frames, in order */
    size_t payload_count;
    uint32_t *sizes; /* of each payload */
    size_t frame_count;

    struct reactor_account account;
    struct reactor_view last; /* the reactor's own account in the end */
    enum stage_end end;
    bool overflow;
    bool sound;
    int error;         /* the errno of a fatal end */
    uint32_t mistaken; /* the word that could not be carried out, from 1; 0: none */
    uint32_t held;     /* frames that were held then */

    size_t row_room;
    size_t byte_room;
    size_t payload_room;
    size_t size_room;
};

/* Plays it. Free the ledger with framing_free. */
void framing_play(const struct framing *framing, struct framing_ledger *ret_ledger);

/* Frees what a ledger holds. */
void framing_free(struct framing_ledger *ledger);

#endif
