/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a ledger is always the same: every scenario many times, half of them while other
 * processes keep both CPUs busy. Under `compare exact` each cell (trigger, family) must have told
 * exactly one events ledger. Exit 1 when one has not, or when a run failed; late runs are counted
 * apart.
 *
 *   bench_repeat [--quick] [--runs N] [NAME...]
 */
#include "tests/bench/busy.h"
#include "tests/bench/figures.h"
#include "tests/bench/stage.h"

#define RUNS 100
#define RUNS_QUICK 2
#define LEDGERS_MAX 8 /* different ones that are told apart */

/* What one cell came to. */
struct account {
    unsigned verdicts[RESULT_VERDICT_COUNT];
    char *ledgers[LEDGERS_MAX];
    unsigned ledger_count;
};

static void note_ledger(struct account *account, const struct lines *rows)
{
    char *ledger = lines_join(rows, NULL);

    for (unsigned i = 0; i < account->ledger_count; i++) {
        if (strcmp(account->ledgers[i], ledger) == 0) {
            free(ledger);
            return;
        }
    }
    if (account->ledger_count == LEDGERS_MAX)
        free(ledger);
    else
        account->ledgers[account->ledger_count++] = ledger;
}

static const char *reason(const struct result *result)
{
    const struct lines *lists[] = {&result->failed, &result->events.diff, &result->wire.diff,
                                   &result->peers.diff, &result->left_over};

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
        if (lists[i]->count > 0)
            return lists[i]->line[0];
    return result->reason ? result->reason : "no reason";
}

static void complain(const struct stage_cell *cell, const struct result *result)
{
    printf("  %s %s %s: %s\n", cell->scene->plan->name, reactor_trigger_name(cell->trigger),
           plan_family_name(cell->family), reason(result));
}

static bool repeat_cell(const struct stage_cell *cell, struct account *account)
{
    struct outcome outcome;
    enum result_verdict verdict;

    if (!stage_run(cell, &outcome))
        return false;
    verdict = outcome.result.verdict;
    account->verdicts[verdict]++;
    if (verdict == RESULT_FAIL || verdict == RESULT_ERROR)
        complain(cell, &outcome.result);
    if (cell->scene->plan->compare == PLAN_EXACT && outcome.recorded)
        note_ledger(account, &outcome.result.events.rows);
    outcome_free(&outcome);
    return true;
}

static bool repeat_all(const struct stage *stage, struct account *accounts, unsigned rounds)
{
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < stage->cell_count; i++)
            if (!repeat_cell(&stage->cells[i], &accounts[i]))
                return false;
    return true;
}

static void repeat(const struct stage *stage, struct account *accounts, unsigned runs)
{
    struct busy busy;

    if (!repeat_all(stage, accounts, runs - runs / 2))
        return;
    busy = busy_start();
    (void)repeat_all(stage, accounts, runs / 2);
    busy_stop(&busy);
}

/* The cells of one scene, summed up; of the ledgers the most that a cell has. */
static struct account sum_up(const struct stage *stage, const struct account *accounts,
                             const struct stage_scene *scene)
{
    struct account sum = {0};

    for (size_t i = 0; i < stage->cell_count; i++) {
        if (stage->cells[i].scene != scene)
            continue;
        for (enum result_verdict v = 0; v < RESULT_VERDICT_COUNT; v++)
            sum.verdicts[v] += accounts[i].verdicts[v];
        if (accounts[i].ledger_count > sum.ledger_count)
            sum.ledger_count = accounts[i].ledger_count;
    }
    return sum;
}

static bool good(const struct account *sum)
{
    return sum->ledger_count <= 1 && sum->verdicts[RESULT_FAIL] + sum->verdicts[RESULT_ERROR] == 0;
}

static void tell_row(const struct plan *plan, const struct account *sum)
{
    printf("%c %-40s %7u %6u %6u ", good(sum) ? ' ' : '!', plan->name, sum->verdicts[RESULT_PASS],
           sum->verdicts[RESULT_LATE],
           sum->verdicts[RESULT_FAIL] + sum->verdicts[RESULT_ERROR]);
    if (plan->compare == PLAN_EXACT)
        printf("%8u\n", sum->ledger_count);
    else
        printf("%8s\n", "-");
}

static int tell(const struct stage *stage, const struct account *accounts)
{
    struct account all = {0};
    bool fine = true;

    printf("\n  %-40s %7s %6s %6s %8s\n", "scenario", "passed", "late", "failed", "ledgers");
    for (size_t i = 0; i < stage->scene_count; i++) {
        struct account sum = sum_up(stage, accounts, &stage->scenes[i]);

        tell_row(stage->scenes[i].plan, &sum);
        for (enum result_verdict v = 0; v < RESULT_VERDICT_COUNT; v++)
            all.verdicts[v] += sum.verdicts[v];
        if (sum.ledger_count > all.ledger_count)
            all.ledger_count = sum.ledger_count;
        fine = fine && good(&sum);
    }
    printf("\n");
    figures_tell("repeat.passed", all.verdicts[RESULT_PASS], "runs");
    figures_tell("repeat.late", all.verdicts[RESULT_LATE], "runs");
    figures_tell("repeat.failed", all.verdicts[RESULT_FAIL] + all.verdicts[RESULT_ERROR], "runs");
    figures_tell("repeat.ledgers_per_cell.max", all.ledger_count, "ledgers");
    return fine ? 0 : STAGE_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    struct stage_options options = stage_read_options(argc, argv);
    unsigned runs = options.runs > 0 ? options.runs : options.quick ? RUNS_QUICK : RUNS;
    static char *few[] = {"framing", NULL};
    bool every = *options.patterns || !options.quick;
    struct account *accounts;
    struct stage stage;
    int status;

    stage_prepare();
    stage_load(every ? options.patterns : few, ~0u, &stage);
    accounts = calloc(stage.cell_count, sizeof(*accounts));
    if (!accounts)
        abort();
    repeat(&stage, accounts, runs);
    status = tell(&stage, accounts);
    for (size_t i = 0; i < stage.cell_count; i++)
        for (unsigned k = 0; k < accounts[i].ledger_count; k++)
            free(accounts[i].ledgers[k]);
    free(accounts);
    stage_free(&stage);
    return stage_exit(status);
}
