/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/runs.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/interrupted.h"
#include "harness/sut/block.h"

static const struct plan_peer peers[] = {{.name = "c"}};
static const struct plan_statement statements[] = {
    {.place = {.line = 11}, .verb = PLAN_CONNECT},
    {.place = {.line = 12}, .verb = PLAN_CLOSE},
    {.place = {.line = 13}, .verb = PLAN_CLOSE},
};

const struct plan runs_plan = {
    .file = "t/run.scn",
    .name = "t/run",
    .peers = peers,
    .peer_count = 1,
    .statements = statements,
    .statement_count = 3,
};

const struct plan runs_free_plan = {
    .file = "t/free.scn",
    .name = "t/free",
    .pace = PLAN_FREE,
    .peers = peers,
    .peer_count = 1,
    .statements = statements,
    .statement_count = 3,
};

struct job_request runs_request(job_run_fn *run)
{
    return (struct job_request){
        .bench = {.plan = &runs_plan, .trigger = REACTOR_LT, .family = PLAN_UNIX},
        .limit = DURATION_MS(50000),
        .run = run,
    };
}

int runs_well(const struct bench_job *job, struct happened *ret_happened,
              struct bench_failure *failure)
{
    (void)failure;
    *ret_happened = (struct happened){
        .plan = job->plan, .trigger = job->trigger, .family = job->family};
    lines_add(&ret_happened->notes, "well");
    return 0;
}

int runs_and_fails(const struct bench_job *job, struct happened *ret_happened,
                   struct bench_failure *failure)
{
    (void)job;
    (void)ret_happened;
    failure->code = EIO;
    (void)snprintf(failure->text, sizeof(failure->text), "no link");
    return -EIO;
}

int runs_into_a_fault(const struct bench_job *job, struct happened *ret_happened,
                      struct bench_failure *failure)
{
    const struct journal_record record = {.kind = JOURNAL_HALT};

    (void)ret_happened;
    (void)failure;
    trail_enter(job->trail, TRAIL_TIMELINE);
    trail_begin(job->trail, 1);
    block_source(job->block, 0);
    journal_write(block_journal(job->block), &record);
    (void)signal(SIGSEGV, SIG_DFL);
    (void)raise(SIGSEGV);
    return 0;
}

int runs_away(const struct bench_job *job, struct happened *ret_happened,
              struct bench_failure *failure)
{
    (void)job;
    (void)ret_happened;
    (void)failure;
    _exit(7);
}

int runs_until_told(const struct bench_job *job, struct happened *ret_happened,
                    struct bench_failure *failure)
{
    (void)job;
    (void)ret_happened;
    (void)failure;
    while (!interrupted())
        (void)poll(NULL, 0, 10);
    return -EINTR;
}

int runs_forever(const struct bench_job *job, struct happened *ret_happened,
                 struct bench_failure *failure)
{
    (void)job;
    (void)ret_happened;
    (void)failure;
    for (;;)
        (void)poll(NULL, 0, 1000);
}
