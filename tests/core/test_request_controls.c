/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rules of a request that R-NEG-31..38 and 40 take away: each as changed cells or as a changed
 * mask, with what then goes wrong, row by row, and the checks that must notice.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/core/request_checks.h"

static struct request_rules taken;

#define CELL_OF(state, event) (&taken.cell[REQUEST_##state][REQUEST_ON_##event])

static void take_away(void)
{
    taken = request_rules;
}

/* Plays `words` to the changed rules. */
static void go(struct play *p, const char *words)
{
    play_submitted(p, &taken, REQUEST_LEASE_NONE);
    (void)play_all(p, words);
}

static void assert_row(const struct play *p, const char *want)
{
    char row[PLAY_ROW];

    play_row(p, row);
    assert_string_equal(row, want);
}

/* The check of this name notices the changed rules. */
static void assert_killed_by(const char *name)
{
    for (size_t i = 0; i < CHECK_COUNT; i++)
        if (strcmp(checks[i].name, name) == 0) {
            assert_true(checks[i].broken(&taken) > 0);
            return;
        }
    fail_msg("no check is called %s", name);
}

/* Whoever submits next gets the buffer that the played request still believes to have. */
static void assert_given_to_another(struct play *p)
{
    struct identity next;

    assert_int_equal(request_submit(&p->ledger, PLAY_BYTES, REQUEST_LEASE_NONE, &next), 0);
    assert_int_equal(request_at(&p->ledger, next)->buffer, play_record(p)->buffer);
    assert_false(request_check(&p->ledger));
}

static void neg31_a_timeout_returns_what_the_device_writes_to(void **state)
{
    struct play p;

    (void)state;
    take_away();
    CELL_OF(WAITING, DEADLINE)->first = REQUEST_MOVE_DEVICE;
    go(&p, "deadline");
    assert_row(&p, "TIMEOUT/INFLIGHT/PENDING 0,0 RETURNED,retained 0 1 0");
    assert_given_to_another(&p);
    assert_killed_by("the_device_lets_go_with_its_record");
    assert_killed_by("no_timer_moves_a_buffer");
    assert_killed_by("w4_row_by_row");
}

static void neg32_a_device_that_lets_go_first_loses_the_borrowers_buffer(void **state)
{
    struct request_effect effect;
    char moves[PLAY_ROW];
    struct play p;

    (void)state;
    take_away();
    CELL_OF(CANCELING, TARGET_BORROW)->first = REQUEST_MOVE_DEVICE;
    CELL_OF(CANCELING, TARGET_BORROW)->second = REQUEST_MOVE_BORROW;
    go(&p, "deadline");
    effect = play(&p, "target:ok:borrow");
    play_moves(&effect, moves);
    assert_string_equal(moves, "(0,0)(0,1)");
    assert_true(effect.returned);
    assert_row(&p, "TIMEOUT/TERMINAL(ok)/PENDING 0,1 RETURNED,retained 0 1 0");
    assert_int_equal(p.ledger.pool->misused, 1);
    assert_given_to_another(&p);
    assert_killed_by("the_new_borrow_comes_first");
    assert_killed_by("sequences_keep_every_promise");
}

static void neg33_a_second_end_returns_a_lent_buffer(void **state)
{
    struct play p;

    (void)state;
    take_away();
    *CELL_OF(LENT_CANCELING, TARGET_LEASED) = *CELL_OF(CANCELING, TARGET_LEASED);
    go(&p, "deadline target:ok:borrow target:ok");
    assert_row(&p, "TIMEOUT/TERMINAL(ok)/PENDING -1,1 RETURNED,retained 0 1 0");
    (void)play(&p, "release:0"); /* a second return */
    assert_int_equal(p.ledger.pool->misused, 1);
    assert_killed_by("a_second_end_or_answer_is_refused");
    assert_killed_by("every_variant_of_w5");
}

static void neg33_a_second_release_returns_a_lent_buffer(void **state)
{
    struct play p;

    (void)state;
    take_away();
    *CELL_OF(LENT_CANCELING, TOKEN_DEAD) = *CELL_OF(LENT_CANCELING, RELEASE_MORE);
    go(&p, "deadline target:ok:borrow handoff:0 release:0");
    assert_row(&p, "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 0");
    assert_int_equal(play_record(&p)->live, 1u << 1); /* the receiver still reads */
    assert_given_to_another(&p);
    assert_killed_by("only_a_live_token_ends_a_borrow");
    assert_killed_by("every_variant_of_w5");
}

/* A handler that looks writes what it finds into the buffer of its record. */
static uint8_t poison_between_rows_4_and_5(const struct request_rules *rules)
{
    uint8_t bytes[PLAY_SLOTS] = {0};
    const struct request *next;
    struct identity id;
    struct play p;

    play_submitted(&p, rules, REQUEST_LEASE_NONE);
    (void)play_all(&p, "deadline target:ok:borrow release:0");
    assert_int_equal(request_submit(&p.ledger, PLAY_BYTES, REQUEST_LEASE_NONE, &id), 0);
    next = request_at(&p.ledger, id);
    bytes[next->buffer] = 0xA5;
    if (play(&p, "cancel:notfound").looks)
        bytes[play_record(&p)->buffer] = 0;
    return bytes[next->buffer];
}

static void neg34_a_cancel_that_looks_spoils_the_next_owners_bytes(void **state)
{
    (void)state;
    take_away();
    CELL_OF(RETURNED, CANCEL_NOT_FOUND)->looks = 1;
    assert_int_equal(poison_between_rows_4_and_5(&request_rules), 0xA5);
    assert_int_equal(poison_between_rows_4_and_5(&taken), 0);
    assert_killed_by("only_a_borrower_looks_into_the_buffer");
    assert_killed_by("sequences_keep_every_promise");
}

static void neg35_an_answer_taken_for_an_end_returns_early(void **state)
{
    struct play p;

    (void)state;
    take_away();
    CELL_OF(CANCELING, CANCEL_NOT_FOUND)->first = REQUEST_MOVE_DEVICE;
    CELL_OF(CANCELING, CANCEL_ALREADY)->first = REQUEST_MOVE_DEVICE;
    go(&p, "deadline cancel:notfound");
    assert_row(&p, "TIMEOUT/INFLIGHT/DONE(notfound) 0,0 RETURNED,retained 0 1 0");
    assert_given_to_another(&p);
    go(&p, "deadline cancel:already");
    assert_row(&p, "TIMEOUT/INFLIGHT/DONE(already) 0,0 RETURNED,retained 0 1 0");
    assert_killed_by("no_answer_is_evidence_of_an_end");
    assert_killed_by("the_device_lets_go_with_its_record");
    assert_killed_by("every_variant_of_w5");
}

static void neg36_a_queue_that_is_not_drained_holds_everything(void **state)
{
    struct play p;

    (void)state;
    take_away();
    for (unsigned s = 0; s < REQUEST_STATE_COUNT; s++)
        for (unsigned e = REQUEST_ON_TARGET_BORROW; e <= REQUEST_ON_CANCEL_BAD_ID; e++)
            taken.cell[s][e].verdict = REQUEST_IGNORE;
    go(&p, "deadline deliver deliver target:ok cancel:notfound");
    assert_row(&p, "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0");
    assert_int_equal(p.ledger.table->delivered, 2);
    assert_int_equal(p.ledger.table->consumed, 0);
    assert_true(request_check(&p.ledger)); /* safe, and no way to zero */
    assert_killed_by("whatever_is_owed_is_taken");
    assert_killed_by("w4_row_by_row");
}

static void neg37_a_timer_that_ends_a_borrow_returns_what_is_read(void **state)
{
    struct play p;

    (void)state;
    take_away();
    *CELL_OF(LENT, DEADLINE) = *CELL_OF(LENT, RELEASE_MORE);
    go(&p, "deadline target:ok:borrow handoff:0 cancel:notfound deadline");
    assert_row(&p, "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retained 0 1 0");
    assert_int_equal(play_record(&p)->live, 1u << 1); /* the decoder still reads */
    assert_given_to_another(&p);
    assert_killed_by("no_timer_moves_a_buffer");
    assert_killed_by("only_a_live_token_ends_a_borrow");
    assert_killed_by("every_variant_of_w5");
}

static void neg38_an_admission_by_logical_open_passes_the_bound(void **state)
{
    struct play p;

    (void)state;
    take_away();
    taken.places = 1u << REQUEST_WAITING;
    go(&p, "deadline");
    for (size_t i = 0; i < PLAY_ADMITTED; i++) {
        assert_int_equal(request_submit(&p.ledger, PLAY_BYTES, REQUEST_LEASE_NONE, &p.id), 0);
        (void)play(&p, "deadline");
    }
    assert_int_equal(p.ledger.pool->held_bytes, (PLAY_ADMITTED + 1) * PLAY_BYTES);
    assert_false(request_check(&p.ledger));
    assert_killed_by("every_unretired_request_keeps_its_place");
    assert_killed_by("two_places_for_three_requests");
}

static void neg40_a_release_before_the_target_is_refused(void **state)
{
    struct play p;

    (void)state;
    take_away();
    go(&p, "deadline release:0");
    assert_row(&p, "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 1");
    *CELL_OF(CANCELING, TOKEN_DEAD) = *CELL_OF(CANCELING, RELEASE_LAST);
    go(&p, "deadline release:0");
    assert_row(&p, "TIMEOUT/INFLIGHT/PENDING 1,-1 RETURNED,retained 0 1 0");
    assert_given_to_another(&p);
    assert_killed_by("three_orders_under_the_callback_rule");
    assert_killed_by("only_a_live_token_ends_a_borrow");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neg31_a_timeout_returns_what_the_device_writes_to),
        cmocka_unit_test(neg32_a_device_that_lets_go_first_loses_the_borrowers_buffer),
        cmocka_unit_test(neg33_a_second_end_returns_a_lent_buffer),
        cmocka_unit_test(neg33_a_second_release_returns_a_lent_buffer),
        cmocka_unit_test(neg34_a_cancel_that_looks_spoils_the_next_owners_bytes),
        cmocka_unit_test(neg35_an_answer_taken_for_an_end_returns_early),
        cmocka_unit_test(neg36_a_queue_that_is_not_drained_holds_everything),
        cmocka_unit_test(neg37_a_timer_that_ends_a_borrow_returns_what_is_read),
        cmocka_unit_test(neg38_an_admission_by_logical_open_passes_the_bound),
        cmocka_unit_test(neg40_a_release_before_the_target_is_refused),
    };

    return cmocka_run_group_tests(tests, prepare_checks, NULL) != 0;
}
