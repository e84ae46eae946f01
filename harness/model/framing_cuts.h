/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_FRAMING_CUTS_H
#define EDGEWISE_HARNESS_MODEL_FRAMING_CUTS_H

/*
 * R-F-23: the nine bytes of W6 in all 256 ways to cut them, f of 1 and 2, k of 1, 2 and 5, a
 * consumer that is prompt and one that is late. Always CAT and OK come out, never more than nine
 * bytes are charged, and none in the end.
 */

#include "harness/model/checks.h"
#include "harness/sut/defects.h"

struct framing_cuts {
    uint32_t runs;
    uint64_t rows; /* steps of all of them */
    uint32_t peak; /* the most that was charged in any */
    uint32_t other;   /* runs with other frames */
    uint32_t charged; /* runs that leave something charged */
};

/* Plays all of them, and counts their checks in `checks`. */
void framing_cuts_play(enum defects defect, struct framing_cuts *ret_cuts, struct checks *checks);

#endif
