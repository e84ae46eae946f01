/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_RUNNER_H
#define EDGEWISE_HARNESS_CLI_RUNNER_H

/*
 * Makes all runs of a command line: the schedule says which is next, the pool where there is room,
 * and what came of each is judged, written, told. Scenarios are told in the order of the selection,
 * each once it is done; at the end, and when the runs end early, all that ran.
 */

#include "harness/cli/grid.h"
#include "harness/cli/preparation.h"
#include "harness/cli/progress.h"
#include "harness/cli/reports.h"
#include "harness/runs/pool.h"
#include "harness/runs/schedule.h"

struct runner {
    const struct verbs_call *call;
    const struct options *options;
    struct preparation *preparation;
    struct reports *reports;
    uint64_t seed;
    struct progress progress;
    struct grid grid;
    struct schedule schedule;
    struct pool pool;
    struct score score;
    uint64_t made;  /* runs that have a result */
    size_t told;    /* scenarios that were told */
    bool broken;    /* something could not be written */
    bool given_up;  /* nor anything that comes later: what still comes back is dropped */
    bool refused;   /* something could not be blessed */
};

/* Runs everything and tells it; `runner` starts with its first five fields set, the rest zero. 0
 * or, when no process can be had at all, -errno with a line on standard error. Free with
 * runner_free. */
int runner_run(struct runner *runner);

/* Runs that were asked for and not made; none with --until-fail alone, which asks for no number. */
uint64_t runner_left(const struct runner *runner);

/* Frees what it holds. */
void runner_free(struct runner *runner);

#endif
