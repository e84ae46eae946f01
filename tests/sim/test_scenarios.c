/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/catalog.h"
#include "harness/conduct/bench.h"
#include "harness/ledger/judge.h"
#include "harness/report/cell.h"
#include "harness/script/parser.h"

/* Every scenario passes in the simulated world, for each trigger and family, by the same files that
 * the real kernel is held to, and no peer is ever late. All of it in this one process. */

static unsigned runs;

static void run(const struct plan *plan, const struct judge_expected *expected,
                enum reactor_trigger trigger, enum plan_family family)
{
    const struct bench_job job = {
        .plan = plan, .world = RESULT_WORLD_SIM, .trigger = trigger, .family = family};
    struct result result = {.world = job.world};
    struct bench_failure failure = {0};
    struct happened happened;

    if (bench_run(&job, &happened, &failure) < 0)
        fail_msg("%s: %s", plan->name, failure.text);
    judge_run(&happened, expected, &result);
    if (result.verdict != RESULT_PASS)
        fail_msg("%s %s: %s", plan->name, cell_name(&result).text,
                 cell_verdict_word(result.verdict));
    assert_int_equal(result.worst_late.ns, 0);
    assert_int_equal(result.wire.rows.count, 0);
    result_free(&result);
    happened_free(&happened);
    runs++;
}

static void run_all(const struct plan *plan, const struct judge_expected *expected)
{
    for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++)
        for (unsigned family = 0; family < PLAN_FAMILY_COUNT; family++)
            if (plan->triggers >> trigger & 1 && plan->families >> family & 1)
                run(plan, expected, (enum reactor_trigger)trigger, (enum plan_family)family);
}

static void every_scenario_passes_by_the_same_files(void **state)
{
    struct catalog_error error;
    struct catalog catalog;

    (void)state;
    assert_int_equal(catalog_open("scenarios", &catalog, &error), 0);
    for (size_t i = 0; i < catalog.count; i++) {
        struct mistakes mistakes = {0};
        struct lines errors = {0};
        struct judge_expected expected;
        struct plan *plan;

        assert_int_equal(parser_load(catalog.entries[i].path, NULL, 0, &plan, &mistakes), 0);
        assert_int_equal(judge_expected_read(plan, &expected, &errors), 0);
        run_all(plan, &expected);
        judge_expected_free(&expected);
        plan_free(plan);
    }
    catalog_free(&catalog);
    assert_true(runs >= 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_passes_by_the_same_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
