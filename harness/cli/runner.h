/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_RUNNER_H
#define EDGEWISE_HARNESS_CLI_RUNNER_H

/* One cell of a scenario's table: run, judged, and repeated while it is late. */

#include "harness/conduct/bench.h"
#include "harness/ledger/judge.h"

/* What became of a cell. */
struct runner_outcome {
    struct result result;
    struct happened happened;
    bool recorded; /* `happened` holds something; false after an error or a skip */
};

/* How often a late run is repeated, unless its script leaves itself too little time. */
struct runner_patience {
    unsigned retries;
    bool punctual; /* also repeat what failed and was late: the run shall become an example */
};

/*
 * Runs `job` and judges it, again while it is late and patience lasts. 0, or -EINTR when it was
 * interrupted and there is no outcome. What the bench could not do becomes the verdict error with a
 * reason, whatever errno it was: whether a world can be had here is bench_prepare's to say, before.
 * Free with runner_free.
 */
int runner_run(const struct bench_job *job, const struct judge_expected *expected,
               struct runner_patience patience, struct runner_outcome *ret_outcome);

/* Frees the record, keeps the result. */
void runner_forget(struct runner_outcome *outcome);

/* Frees both. */
void runner_free(struct runner_outcome *outcome);

/* The monotonic clock. */
struct instant runner_now(void);

#endif
