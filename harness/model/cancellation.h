/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CANCELLATION_H
#define EDGEWISE_HARNESS_MODEL_CANCELLATION_H

/*
 * The third ledger: what becomes of a request whose wait ends before the device does (W4, W5). It
 * is kept by the real account, core/request; there is no device and no clock behind it, only the
 * words of a script.
 */

#include "core/request.h"
#include "harness/model/cancellation_script.h"

/* The worked example: QREQ, MBUF and the generation of the first request. */
#define CANCELLATION_ADMITTED 2
#define CANCELLATION_BYTES 4096
#define CANCELLATION_GENERATION 7
#define CANCELLATION_SLOTS 4

/* What is to be played. */
struct cancellation {
    struct cancellation_script script;
    bool early_lease;                  /* every submission lends its address before (R-A-24) */
    const struct request_rules *rules; /* NULL: request_rules */
};

/* One event: what it did, and what the account says then. */
struct cancellation_row {
    const struct cancellation_script_word *word;
    struct request_effect effect; /* of a submission only `verdict` */
    bool stale;                   /* it was for no request that is live */
    struct request before;        /* the record of the request, before and after */
    struct request after;
    uint32_t open, unretired, peak;
    uint64_t refused, delivered, consumed;
    uint64_t held_bytes;
    bool unchanged; /* nothing but the count of refusals is another than before */
    bool sound;     /* request_check */
};

struct cancellation_ledger {
    struct cancellation_row rows[CANCELLATION_SCRIPT_WORDS_MAX];
    uint32_t row_count;
    uint32_t submitted, retired, returned, ignored;
    uint64_t peak_bytes;
};

/* Plays it; the words of the rows are those of `cancellation`. Nothing is to be freed. */
void cancellation_play(const struct cancellation *cancellation,
                       struct cancellation_ledger *ret_ledger);

#endif
