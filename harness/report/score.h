/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_SCORE_H
#define EDGEWISE_HARNESS_REPORT_SCORE_H

/* How many runs came to which verdict, and what the program exits with for it. */

#include "harness/cli/status.h"
#include "harness/result.h"

struct score {
    uint32_t count[RESULT_VERDICT_COUNT];
};

/* Counts one run in. */
void score_add(struct score *score, enum result_verdict verdict);

/* Runs counted so far. */
uint32_t score_total(const struct score *score);

/* BROKEN before FAILED before LATE before OK; CANNOT when there are skips and nothing else.
 * Without any run: USAGE, since a filter that lets nothing through is no success. */
enum status score_status(const struct score *score);

#endif
