/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_LATENCY_H
#define EDGEWISE_HARNESS_MODEL_LATENCY_H

/*
 * W9, in virtual time: a callback takes 100 us for each item, so 32 items make a quantum of 3.2 ms
 * and 8 one of 0.8 ms. Whoever is queued behind another waits for that one's quantum, H + (N - 1)
 * TQ; here H, the rest of the round before the first quantum, takes no time (R-FA-02, R-FA-06).
 */

#include <jansson.h>

#include "harness/model/checks.h"
#include "harness/sut/defects.h"

#define LATENCY_ROWS 4

struct latency {
    struct {
        uint32_t sources; /* N */
        uint32_t items;   /* of a quantum */
        int64_t quantum_us; /* the longest */
        int64_t waited_us;  /* the longest from being queued first to the first quantum */
    } rows[LATENCY_ROWS];
};

/* Plays one and two sources, with 32 and with 8 items, and counts their checks in `checks`. */
void latency_play(enum defects defect, struct latency *ret_latency, struct checks *checks);

/* Sets "input", "rows", "totals", "peaks" and "outcome" of `object`. */
void latency_value_put(json_t *object, const struct latency *latency);

#endif
