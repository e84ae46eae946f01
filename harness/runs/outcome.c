/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/outcome.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

static void outcome_begin(const struct bench_job *bench, uint32_t attempts, struct result *result)
{
    *result = (struct result){
        .world = bench->world,
        .attempts = attempts,
        .defect = defects_name(bench->defect),
    };
}

static void outcome_because(struct result *result, enum result_verdict verdict,
                            const struct bench_failure *failure)
{
    result->verdict = verdict;
    free(result->reason);
    result->reason = memory_text(failure->text, strnlen(failure->text, sizeof(failure->text)));
}

/* One that was not made. */
static void outcome_unmade(const struct bench_job *bench, enum result_verdict verdict,
                           const struct bench_failure *why, uint32_t attempts,
                           struct outcome *ret_outcome)
{
    struct outcome outcome = {.recorded = false};

    outcome_begin(bench, attempts, &outcome.result);
    outcome.result.plan = bench->plan;
    outcome.result.trigger = bench->trigger;
    outcome.result.family = bench->family;
    outcome_because(&outcome.result, verdict, why);
    outcome.result.runs[verdict] = 1;
    *ret_outcome = outcome;
}

void outcome_blame(const struct bench_job *bench, const struct bench_failure *failure,
                   uint32_t attempts, struct outcome *ret_outcome)
{
    outcome_unmade(bench, RESULT_ERROR, failure, attempts, ret_outcome);
}

void outcome_skip(const struct bench_job *bench, const struct bench_failure *why,
                  struct outcome *ret_outcome)
{
    outcome_unmade(bench, RESULT_SKIP, why, 1, ret_outcome);
}

void outcome_judge(const struct bench_job *bench, struct job_outcome *came,
                   const struct judge_expected *expected, uint32_t attempts,
                   struct outcome *ret_outcome)
{
    struct outcome outcome = {.recorded = came->end == JOB_HAPPENED};

    if (came->end == JOB_INTERRUPTED)
        (void)snprintf(came->failure.text, sizeof(came->failure.text),
                       "somebody told this run alone to end, by a signal to its process");
    if (came->end == JOB_FAILED || came->end == JOB_INTERRUPTED) {
        outcome_blame(bench, &came->failure, attempts, &outcome);
    } else {
        outcome_begin(bench, attempts, &outcome.result);
        judge_run(&came->happened, expected, &outcome.result);
        if (!outcome.recorded)
            outcome_because(&outcome.result, RESULT_ERROR, &came->failure);
        outcome.result.runs[outcome.result.verdict] = 1;
    }
    outcome.result.wall = came->wall;
    if (outcome.recorded)
        outcome.happened = came->happened;
    else
        job_forget(came);
    *ret_outcome = outcome;
}

bool outcome_late(const struct outcome *outcome, bool punctual)
{
    const struct result *result = &outcome->result;

    if (result->late_by_work)
        return false;
    if (result->verdict == RESULT_LATE)
        return true;
    return punctual && result->verdict == RESULT_FAIL &&
           result->worst_late.ns > result->plan->tolerance.ns;
}

void outcome_forget(struct outcome *outcome)
{
    if (outcome->recorded)
        happened_free(&outcome->happened);
    outcome->recorded = false;
}

void outcome_free(struct outcome *outcome)
{
    outcome_forget(outcome);
    result_free(&outcome->result);
}
