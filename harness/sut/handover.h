/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_HANDOVER_H
#define EDGEWISE_HARNESS_SUT_HANDOVER_H

/*
 * Two processes that take turns, by one futex word in memory that they share. What one wrote before
 * it passed the turn, the other sees after it got it. About 5 us a turn on one CPU.
 */

#include <stdatomic.h>
#include <stdint.h>

#include "core/instant.h"

enum handover_side {
    HANDOVER_BENCH,
    HANDOVER_SUT,
};

struct handover {
    _Atomic uint32_t turn; /* enum handover_side */
};

/* The bench has the first turn. */
void handover_init(struct handover *handover);

/* Gives the turn to `side`; the caller has it now. */
void handover_pass(struct handover *handover, enum handover_side side);

/* Sleeps until `side` has the turn, at most for `limit`. 0, or -ETIMEDOUT; -EINTR after a
 * signal. */
int handover_await(struct handover *handover, enum handover_side side, struct duration limit);

#endif
