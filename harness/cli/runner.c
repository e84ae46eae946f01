/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/runner.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/blessing.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/version.h"
#include "harness/memory.h"
#include "harness/report/cell.h"

/* Beyond the script's last instant, unless --timeout says how long a run may take. */
#define RUNNER_PATIENCE DURATION_MS(60000)

static void __attribute__((format(printf, 2, 3)))
complain(const struct runner *runner, const char *format, ...)
{
    va_list args;

    progress_clear(&runner->progress);
    fprintf(stderr, "%s: ", VERSION_TOOL);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    putc('\n', stderr);
}

static void print_lines(const struct runner *runner, const struct lines *lines)
{
    FILE *out = reports_for_people(runner->options) ? runner->call->out : stderr;

    for (size_t i = 0; i < lines->count; i++)
        fprintf(out, "%s\n", lines->line[i]);
    if (lines->count > 0 && out != stderr)
        putc('\n', out);
}

uint64_t runner_left(const struct runner *runner)
{
    /* Until one fails is as many as it takes. */
    if (runner->options->until_fail && runner->options->repeat == 0)
        return 0;
    return schedule_total(&runner->schedule) - runner->made;
}

/* Telling. */

static void tell_run(struct runner *runner, const struct result *result)
{
    score_add(&runner->score, result->verdict);
    reports_run(runner->reports, result);
}

static void bless(struct runner *runner, size_t item, struct outcome *outcomes, size_t count,
                  struct lines *said)
{
    const struct selection_item *chosen = &runner->preparation->selection.items[item];
    struct blessing blessing;

    if (blessing_make(chosen->plan, &chosen->expected, outcomes, count, &blessing, said) < 0) {
        runner->refused = true;
        return;
    }
    runner->broken |= blessing_write(&blessing, &runner->preparation->person, said) < 0;
    blessing_free(&blessing);
}

/* The cells of an item that have been run at all, side by side; their number. */
static size_t gather(const struct runner *runner, size_t item, struct outcome *outcomes)
{
    const struct grid *grid = &runner->grid;
    size_t count = 0;

    for (size_t i = grid->first[item]; i < grid->first[item + 1]; i++)
        if (grid->standings[i].count > 0)
            outcomes[count++] = grid->standings[i].kept;
    return count;
}

/* All of a scenario's runs are judged again by what is blessed: then only they are told. */
static void bless_item(struct runner *runner, size_t item, struct outcome *outcomes, size_t count,
                       struct lines *said)
{
    size_t first = runner->grid.first[item];

    if (runner->grid.left[item] == 0) {
        bless(runner, item, outcomes, count, said);
        for (size_t i = 0; i < count; i++)
            runner->grid.standings[first + i].kept = outcomes[i];
    }
    for (size_t i = 0; i < count; i++)
        tell_run(runner, &outcomes[i].result);
}

static void tell_item(struct runner *runner, size_t item)
{
    size_t cells = runner->grid.first[item + 1] - runner->grid.first[item];
    struct outcome *outcomes = memory_zeroed(cells, sizeof(*outcomes));
    struct result *results = memory_zeroed(cells, sizeof(*results));
    size_t count = gather(runner, item, outcomes);
    struct lines said = {0};

    if (runner->options->bless)
        bless_item(runner, item, outcomes, count, &said);
    for (size_t i = 0; i < count; i++)
        results[i] = outcomes[i].result;
    progress_clear(&runner->progress);
    if (count > 0)
        reports_scenario(runner->reports, results, count);
    print_lines(runner, &said);
    lines_free(&said);
    free(results);
    free(outcomes);
    /* Told results are not needed again. */
    for (size_t i = runner->grid.first[item]; i < runner->grid.first[item + 1]; i++)
        standing_free(&runner->grid.standings[i]);
}

/* What is done, as far as everything before it is; at the `end` whatever there is. */
static void tell(struct runner *runner, bool end)
{
    while (runner->told < runner->preparation->selection.count &&
           (end || runner->grid.left[runner->told] == 0))
        tell_item(runner, runner->told++);
}

/* One run. */

/* Nothing more is run: where one result cannot be written the next cannot either. */
static void give_up(struct runner *runner, const struct folder_error *error)
{
    uint64_t left = runner_left(runner);

    runner->broken = true;
    runner->given_up = true;
    schedule_stop(&runner->schedule);
    pool_stop(&runner->pool);
    complain(runner, "cannot write artefacts: %s; %llu run%s not made", error->text,
             (unsigned long long)left, left == 1 ? " was" : "s were");
}

/* In the folder of a cell is what is told of it. */
static void write_artefacts(struct runner *runner, size_t cell, const struct outcome *outcome)
{
    const struct packet_list *packets = outcome->recorded ? outcome->happened.packets : NULL;
    struct folder_error error;

    if (!standing_would_keep(&runner->grid.standings[cell], outcome->result.verdict))
        return;
    if (artefacts_write(&runner->preparation->artefacts, &outcome->result, packets, &error) < 0)
        give_up(runner, &error);
}

static void take_outcome(struct runner *runner, size_t cell, struct outcome *outcome)
{
    enum result_verdict verdict = outcome->result.verdict;

    runner->made++;
    write_artefacts(runner, cell, outcome);
    /* Blessing judges all of them again. */
    if (!runner->options->bless) {
        outcome_forget(outcome);
        tell_run(runner, &outcome->result);
    }
    grid_add(&runner->grid, cell, outcome);
    if ((verdict == RESULT_FAIL || verdict == RESULT_ERROR) &&
        (runner->options->fail_fast || runner->options->until_fail))
        schedule_stop(&runner->schedule);
    tell(runner, false);
}

static struct bench_job bench_of(const struct runner *runner, size_t cell)
{
    const struct grid_cell *chosen = &runner->grid.cells[cell];

    return (struct bench_job){
        .plan = chosen->item->plan,
        .world = chosen->world,
        .trigger = chosen->trigger,
        .family = chosen->family,
        .defect = defects_find(runner->options->defect),
    };
}

static void take(struct runner *runner, const struct schedule_ticket *ticket,
                 struct job_outcome *came)
{
    struct bench_job bench = bench_of(runner, ticket->cell);
    struct outcome outcome;

    if (runner->given_up || (came->end == JOB_INTERRUPTED && interrupt_signal())) {
        job_forget(came);
        return;
    }
    outcome_judge(&bench, came, &runner->grid.cells[ticket->cell].item->expected, ticket->attempt,
                  &outcome);
    if (outcome_late(&outcome, runner->options->bless) &&
        ticket->attempt <= runner->options->retries && !interrupt_signal() &&
        schedule_again(&runner->schedule, ticket))
        outcome_free(&outcome);
    else
        take_outcome(runner, ticket->cell, &outcome);
}

static struct duration limit_of(const struct runner *runner, const struct plan *plan)
{
    struct instant last = {0};

    if (runner->options->timeout.ns > 0)
        return runner->options->timeout;
    if (plan->statement_count > 0)
        last = plan->statements[plan->statement_count - 1].at;
    return instant_since(instant_add(last, RUNNER_PATIENCE), (struct instant){0});
}

/* True when the world of this cell cannot be had. */
static bool skip(struct runner *runner, size_t cell)
{
    const struct preparation *preparation = runner->preparation;
    struct bench_job bench = bench_of(runner, cell);
    struct outcome outcome;

    if (!(preparation->missing & 1u << bench.world))
        return false;
    outcome_skip(&bench, &preparation->why, &outcome);
    take_outcome(runner, cell, &outcome);
    return true;
}

static void start(struct runner *runner, const struct schedule_ticket *ticket)
{
    struct job_request request = {.bench = bench_of(runner, ticket->cell)};
    struct result place = {
        .world = request.bench.world,
        .trigger = request.bench.trigger,
        .family = request.bench.family,
    };
    struct schedule_ticket *tag = memory_zeroed(1, sizeof(*tag));
    struct bench_failure failure = {0};
    struct outcome outcome;

    *tag = *ticket;
    request.limit = limit_of(runner, request.bench.plan);
    if (ticket->attempt == 1)
        progress_step(&runner->progress, request.bench.plan->name, cell_name(&place).text);
    if (pool_start(&runner->pool, &request, tag, &failure) == 0)
        return;
    free(tag);
    outcome_blame(&request.bench, &failure, ticket->attempt, &outcome);
    take_outcome(runner, ticket->cell, &outcome);
}

/* All of them. */

static void fill(struct runner *runner)
{
    struct schedule_ticket ticket;

    while (!interrupt_signal() && pool_free(&runner->pool, false) &&
           schedule_next(&runner->schedule, !pool_free(&runner->pool, true), &ticket))
        if (!skip(runner, ticket.cell))
            start(runner, &ticket);
}

static void run_all(struct runner *runner)
{
    struct job_outcome came;
    void *tag;

    for (;;) {
        fill(runner);
        if (runner->pool.count == 0)
            return;
        if (pool_await(&runner->pool, &came, &tag) == 0)
            continue;
        take(runner, tag, &came);
        free(tag);
    }
}

static uint32_t rounds_of(const struct options *options)
{
    if (options->repeat > 0)
        return options->repeat;
    return options->until_fail ? OPTIONS_REPEAT_MAX : 1;
}

int runner_run(struct runner *runner)
{
    struct schedule_options plan = {
        .rounds = rounds_of(runner->options),
        .shuffle = runner->options->shuffle,
        .seed = runner->seed,
    };
    int rc = pool_open(&runner->pool, runner->options->jobs);

    if (rc < 0) {
        complain(runner, "no processes for runs: %s", strerror(-rc));
        return rc;
    }
    grid_make(&runner->grid, &runner->preparation->selection, runner->preparation->worlds,
              plan.rounds);
    plan.cells = runner->grid.count;
    plan.exact = runner->grid.exact;
    schedule_open(&runner->schedule, &plan);
    progress_begin(&runner->progress, !runner->options->quiet,
                   (size_t)schedule_total(&runner->schedule));
    reports_begin(runner->reports, runner->seed, schedule_total(&runner->schedule));
    run_all(runner);
    pool_close(&runner->pool);
    tell(runner, true);
    progress_clear(&runner->progress);
    return 0;
}

void runner_free(struct runner *runner)
{
    schedule_close(&runner->schedule);
    grid_free(&runner->grid);
}
