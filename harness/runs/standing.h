/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_STANDING_H
#define EDGEWISE_HARNESS_RUNS_STANDING_H

/*
 * What a cell has come to so far, of any number of runs: how many came to which verdict, and the
 * first of the gravest in full. Its memory does not grow with the runs.
 */

#include "harness/runs/outcome.h"

struct standing {
    uint64_t count; /* runs so far; 0: nothing is kept */
    struct outcome kept; /* its result counts all runs */
};

/* Whether an outcome of this verdict would be the one that is kept. */
bool standing_would_keep(const struct standing *standing, enum result_verdict verdict);

/* Counts a run in, and takes its outcome over. */
void standing_add(struct standing *standing, struct outcome *outcome);

/* Frees what is kept. */
void standing_free(struct standing *standing);

#endif
