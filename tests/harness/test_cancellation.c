/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/model/cancellation_checks.h"
#include "harness/model/cancellation_examples.h"
#include "harness/model/cancellation_orders.h"

/* Plays every example and every order with `rules`; how many checks fail. `aloud` tells them. */
static uint32_t failures(const struct request_rules *rules, bool aloud)
{
    static struct cancellation_ledger ledger;
    static struct cancellation cancellation;
    struct cancellation_orders orders;
    struct checks checks = {0};
    uint32_t failed;

    for (size_t i = 0; i < cancellation_examples_count(); i++) {
        const struct cancellation_example *example = cancellation_examples_at(i);

        cancellation_examples_play(example, &cancellation);
        cancellation.rules = rules;
        cancellation_play(&cancellation, &ledger);
        cancellation_checks(&ledger, &checks);
        cancellation_examples_check(example, &ledger, &checks);
    }
    cancellation_orders_play(false, rules, &orders, &checks);
    cancellation_orders_play(true, rules, &orders, &checks);
    for (size_t line = 0; aloud && line < checks.told.count; line++)
        print_error("%s\n", checks.told.line[line]);
    failed = checks.failed;
    checks_free(&checks);
    return failed;
}

static void examples_and_orders_come_out_as_they_are_stated(void **state)
{
    (void)state;
    assert_int_equal(failures(NULL, true), 0);
}

/* R-NEG-31: the buffer goes back with the timeout. */
static void return_at_deadline(struct request_rules *rules)
{
    rules->cell[REQUEST_WAITING][REQUEST_ON_DEADLINE].first = REQUEST_MOVE_DEVICE;
}

/* R-NEG-32: the device lets go before the borrow is there. */
static void device_before_borrow(struct request_rules *rules)
{
    struct request_cell *cell = &rules->cell[REQUEST_CANCELING][REQUEST_ON_TARGET_BORROW];

    cell->first = REQUEST_MOVE_DEVICE;
    cell->second = REQUEST_MOVE_BORROW;
}

/* R-NEG-33: a second release counts. */
static void release_twice(struct request_rules *rules)
{
    rules->cell[REQUEST_RETURNED][REQUEST_ON_TOKEN_DEAD] = (struct request_cell){
        .verdict = REQUEST_STEP, .next = REQUEST_RETURNED, .first = REQUEST_MOVE_RELEASE};
}

/* R-NEG-34: the answer to the cancel looks into the old buffer. */
static void look_into_the_buffer(struct request_rules *rules)
{
    rules->cell[REQUEST_RETURNED][REQUEST_ON_CANCEL_NOT_FOUND].looks = 1;
}

/* R-NEG-35: "already" is taken for an end. */
static void answer_is_an_end(struct request_rules *rules)
{
    rules->cell[REQUEST_CANCELING][REQUEST_ON_CANCEL_ALREADY].first = REQUEST_MOVE_DEVICE;
}

/* R-NEG-37: a timer ends the borrow. */
static void timer_ends_the_borrow(struct request_rules *rules)
{
    rules->cell[REQUEST_LENT][REQUEST_ON_DEADLINE] = (struct request_cell){
        .verdict = REQUEST_STEP, .next = REQUEST_LENT, .first = REQUEST_MOVE_RELEASE};
}

/* R-NEG-38: only who waits has a place. */
static void places_of_waits_only(struct request_rules *rules)
{
    rules->places = 1u << REQUEST_WAITING;
}

/* R-NEG-40: a release before the target counts. */
static void release_before_the_target(struct request_rules *rules)
{
    rules->cell[REQUEST_CANCELING][REQUEST_ON_TOKEN_DEAD] = (struct request_cell){
        .verdict = REQUEST_STEP, .next = REQUEST_CANCELING, .first = REQUEST_MOVE_RELEASE};
}

static void no_rule_can_be_taken_away_unseen(void **state)
{
    static void (*const taken[])(struct request_rules *rules) = {
        return_at_deadline, device_before_borrow, release_twice, look_into_the_buffer,
        answer_is_an_end, timer_ends_the_borrow, places_of_waits_only, release_before_the_target,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++) {
        struct request_rules rules = request_rules;

        taken[i](&rules);
        if (failures(&rules, false) == 0)
            fail_msg("rule %zu is taken away, and no check fails", i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_and_orders_come_out_as_they_are_stated),
        cmocka_unit_test(no_rule_can_be_taken_away_unseen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
