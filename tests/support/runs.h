/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_RUNS_H
#define EDGEWISE_TESTS_SUPPORT_RUNS_H

/* Runs in place of bench_run that come to a certain end, for jobs and pools. */

#include "harness/runs/job.h"

/* A plan of three statements on lines 11, 12 and 13, for one peer; lock-step. */
extern const struct plan runs_plan;
/* The same at free pace. */
extern const struct plan runs_free_plan;

/* A request for one, with a limit that no test comes near. */
struct job_request runs_request(job_run_fn *run);

job_run_fn runs_well;        /* a record with the note "well" */
job_run_fn runs_and_fails;   /* -EIO, "no link" */
job_run_fn runs_into_a_fault; /* one row in the journal, statement 2 has begun, then SIGSEGV */
job_run_fn runs_away;        /* ends its process with status 7 */
job_run_fn runs_until_told;  /* goes on until it is interrupted */
job_run_fn runs_forever;     /* goes on whatever it is told */

#endif
