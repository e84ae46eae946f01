/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_OUTCOME_H
#define EDGEWISE_HARNESS_RUNS_OUTCOME_H

/* From what a job came to, to a verdict: every run has one, whatever became of its process. */

#include "harness/ledger/judge.h"
#include "harness/runs/job.h"

struct outcome {
    struct result result;
    struct happened happened;
    bool recorded; /* `happened` is whole; false after an error */
};

/*
 * Judges what came of `bench`; takes `came` over. What the bench could not do becomes the verdict
 * error with a reason, whatever errno it was: whether a world can be had here is bench_prepare's to
 * say, before. A run whose process died or took too long is an error that shows the last rows; so
 * is one that was interrupted, for that of a program which is told to end is not judged at all.
 * Free with outcome_free.
 */
void outcome_judge(const struct bench_job *bench, struct job_outcome *came,
                   const struct judge_expected *expected, uint32_t attempts,
                   struct outcome *ret_outcome);

/* The error of a run that could not even be started. */
void outcome_blame(const struct bench_job *bench, const struct bench_failure *failure,
                   uint32_t attempts, struct outcome *ret_outcome);

/* The skip of a run whose world cannot be had here, with the reason. */
void outcome_skip(const struct bench_job *bench, const struct bench_failure *why,
                  struct outcome *ret_outcome);

/* Whether the same run may be on time if it is made again. `punctual`: also one that failed and was
 * late, since it shall become an example. */
bool outcome_late(const struct outcome *outcome, bool punctual);

/* Frees the record, keeps the result. */
void outcome_forget(struct outcome *outcome);

/* Frees both. */
void outcome_free(struct outcome *outcome);

#endif
