/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/runner.h"

#include <errno.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/sys_linux.h"

struct instant runner_now(void)
{
    struct sys_linux kernel;

    return sys_now(sys_linux_open(&kernel, NULL));
}

static void start_result(const struct bench_job *job, uint32_t attempts, struct result *result)
{
    *result = (struct result){.world = job->world, .attempts = attempts,
                               .defect = defects_name(job->defect)};
}

/* A run that the bench could not carry out has a verdict, too. It is never a skip: bench_prepare
 * has said that this can run here, so whatever was refused later is a fault to be mended. */
static void blame(const struct bench_job *job, const struct bench_failure *failure,
                  struct result *result)
{
    result->plan = job->plan;
    result->trigger = job->trigger;
    result->family = job->family;
    result->verdict = RESULT_ERROR;
    result->reason = memory_text(failure->text, strnlen(failure->text, sizeof(failure->text)));
}

static int run_once(const struct bench_job *job, const struct judge_expected *expected,
                    uint32_t attempts, struct runner_outcome *outcome)
{
    struct bench_failure failure = {0};
    struct instant start = runner_now();
    int status = bench_run(job, &outcome->happened, &failure);

    if (status == -EINTR)
        return status;
    start_result(job, attempts, &outcome->result);
    outcome->recorded = status == 0;
    if (outcome->recorded)
        judge_run(&outcome->happened, expected, &outcome->result);
    else
        blame(job, &failure, &outcome->result);
    outcome->result.wall = instant_since(runner_now(), start);
    return 0;
}

static bool too_late(const struct result *result, bool punctual)
{
    if (result->late_by_work)
        return false;
    if (result->verdict == RESULT_LATE)
        return true;
    return punctual && result->verdict == RESULT_FAIL &&
           result->worst_late.ns > result->plan->tolerance.ns;
}

int runner_run(const struct bench_job *job, const struct judge_expected *expected,
               struct runner_patience patience, struct runner_outcome *ret_outcome)
{
    for (uint32_t attempts = 1;; attempts++) {
        struct runner_outcome outcome = {0};
        int status = run_once(job, expected, attempts, &outcome);

        if (status < 0)
            return status;
        if (!too_late(&outcome.result, patience.punctual) || attempts > patience.retries) {
            *ret_outcome = outcome;
            return 0;
        }
        runner_free(&outcome);
    }
}

void runner_forget(struct runner_outcome *outcome)
{
    if (outcome->recorded)
        happened_free(&outcome->happened);
    outcome->recorded = false;
}

void runner_free(struct runner_outcome *outcome)
{
    runner_forget(outcome);
    result_free(&outcome->result);
}
