/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/scenario.h"

#include <string.h>
#include <sys/random.h>

#include "harness/cli/interrupt.h"
#include "harness/cli/preparation.h"
#include "harness/cli/reports.h"
#include "harness/cli/runner.h"
#include "harness/cli/variant.h"
#include "harness/cli/version.h"
#include "harness/sys_linux.h"

static uint64_t choose_seed(const struct options *options)
{
    uint64_t seed = 0;

    if (options->seed_given)
        return options->seed;
    if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) != sizeof(seed))
        seed = (uint64_t)sys_linux_now().ns;
    return seed;
}

static int final_status(const struct runner *runner)
{
    enum status status = score_status(&runner->score);

    if (interrupt_signal())
        return STATUS_SIGNAL + interrupt_signal();
    if (runner->broken || status == STATUS_BROKEN)
        return STATUS_BROKEN;
    if (runner->refused)
        return STATUS_FAILED;
    return status == STATUS_CANNOT ? runner->options->skip_code : (int)status;
}

static int run_all(const struct verbs_call *call, struct preparation *preparation,
                   struct reports *reports)
{
    struct runner runner = {
        .call = call,
        .options = call->options,
        .preparation = preparation,
        .reports = reports,
        .seed = choose_seed(call->options),
    };
    struct instant started = sys_linux_now();
    struct sink_finish finish = {.score = &runner.score};
    int status;

    interrupt_watch();
    if (runner_run(&runner) < 0)
        return STATUS_BROKEN;
    status = final_status(&runner);
    finish.wall = instant_since(sys_linux_now(), started);
    finish.left = (size_t)runner_left(&runner);
    finish.exit_status = status;
    if (reports_end(reports, &finish) < 0 && status < STATUS_SIGNAL)
        status = STATUS_BROKEN;
    if (interrupt_signal())
        fprintf(stderr, "%s: interrupted by SIG%s; what ran is above\n", VERSION_TOOL,
                sigabbrev_np(interrupt_signal()));
    runner_free(&runner);
    return status;
}

int scenario_run(const struct verbs_call *call)
{
    struct preparation preparation = {0};
    struct reports reports = {.folder = {.fd = -1}};
    struct lines said = {0};
    int status = variant_become(call, &said);

    if (status == STATUS_OK)
        status = (int)preparation_make(&preparation, call, &said);
    if (status == STATUS_OK)
        status = (int)reports_open(&reports, call, &preparation, &said);
    if (status == STATUS_OK)
        status = run_all(call, &preparation, &reports);
    else
        status = reports_refuse(call, (enum status)status, &said);
    lines_free(&said);
    reports_close(&reports);
    preparation_free(&preparation);
    return status;
}
