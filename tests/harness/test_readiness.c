/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/model/readiness_checks.h"
#include "harness/model/readiness_examples.h"
#include "harness/model/readiness_value.h"

static void examples_come_out_as_they_are_stated(void **state)
{
    (void)state;
    for (size_t i = 0; i < readiness_examples_count(); i++) {
        const struct readiness_example *example = readiness_examples_at(i);
        struct readiness_ledger ledger;
        struct checks checks = {0};

        readiness_play(&example->play, &ledger);
        readiness_checks(&example->play, &ledger, &checks);
        readiness_examples_check(example, &ledger, &checks);
        assert_true(checks.run > 40);
        for (size_t line = 0; line < checks.told.count; line++)
            print_error("%s: %s\n", example->name, checks.told.line[line]);
        assert_int_equal(checks.failed, 0);
        checks_free(&checks);
        readiness_free(&ledger);
    }
}

/* The example of that name, with a rule taken away. */
static struct readiness defective(const char *name, enum defects defect)
{
    for (size_t i = 0; i < readiness_examples_count(); i++)
        if (strcmp(readiness_examples_at(i)->name, name) == 0) {
            struct readiness readiness = readiness_examples_at(i)->play;

            readiness.defect = defect;
            return readiness;
        }
    fail_msg("no example %s", name);
    return (struct readiness){0};
}

/* R-NEG-04, R-NEG-05. */
static void defects_lose_what_they_must(void **state)
{
    struct readiness late = defective("late-arrival", DEFECTS_COLLECT_WHEN_IDLE);
    struct readiness spinning = defective("six-quanta", DEFECTS_REQUEUE_ON_EAGAIN);
    struct readiness_ledger ledger;

    (void)state;
    readiness_play(&late, &ledger);
    for (size_t i = 0; i < 201; i++)
        assert_int_equal(ledger.rows[i].head, 0);
    assert_int_equal(ledger.rows[201].head, 1);
    assert_int_equal(ledger.rows[201].quantum, 202);
    readiness_free(&ledger);
    readiness_play(&spinning, &ledger);
    assert_int_equal(ledger.end, STAGE_ON);
    assert_int_equal(ledger.account.quanta, 500);
    assert_int_equal(ledger.account.reads_eagain, 496);
    readiness_free(&ledger);
}

/* Every pair of small budgets, triggers and orders: rows of any ledger hold, not only stated
 * ones. */
static void any_ledger_holds(void **state)
{
    struct readiness readiness = readiness_examples_at(0)->play;
    struct checks checks = {0};

    (void)state;
    readiness.count = 3;
    readiness.sources[1].finish = READINESS_EOF;
    readiness.sources[1].eintr = 3;
    readiness.sources[2] = (struct readiness_source){
        .name = "C", .bytes = (const uint8_t *)"0123456789", .size = 10, .round = 4,
        .finish = READINESS_FATAL};
    for (uint32_t way = 0; way < 8 * 5 * 3 * 2; way++) {
        struct readiness_ledger ledger;

        readiness.quantum = 1 + way % 8;
        readiness.attempts = 1 + way / 8 % 5;
        readiness.collect = 1 + way / 40 % 3;
        readiness.trigger = way / 120 ? REACTOR_LT : REACTOR_ET;
        readiness_play(&readiness, &ledger);
        readiness_checks(&readiness, &ledger, &checks);
        readiness_free(&ledger);
    }
    for (size_t line = 0; line < checks.told.count && line < 5; line++)
        print_error("%s\n", checks.told.line[line]);
    assert_int_equal(checks.failed, 0);
    checks_free(&checks);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_come_out_as_they_are_stated),
        cmocka_unit_test(defects_lose_what_they_must),
        cmocka_unit_test(any_ledger_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
