/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/core/request_stories.h"
#include "tests/core/request_walk.h"

/* The words that the orders are made of. */
static struct request_act ordinary_acts[4];

static void cancellation_goes_row_by_row(void **state)
{
    (void)state;
    assert_int_equal(w4_row_by_row(&request_rules), 0);
}

static void variants_end_as_they_must(void **state)
{
    (void)state;
    assert_int_equal(every_variant_of_w5(&request_rules), 0);
}

static void three_orders_are_legal_under_the_callback_rule(void **state)
{
    (void)state;
    assert_int_equal(three_orders_under_the_callback_rule(&request_rules), 0);
}

static void six_orders_are_legal_with_an_early_lease(void **state)
{
    (void)state;
    assert_int_equal(six_orders_with_an_early_lease(&request_rules), 0);
}

static void a_place_is_kept_until_retirement(void **state)
{
    (void)state;
    assert_int_equal(two_places_for_three_requests(&request_rules), 0);
}

/* --- Walks --- */

static int ordinary(void **state)
{
    static const char *const words[] = {"deadline", "target:ok:borrow", "release:0",
                                        "cancel:notfound"};

    (void)state;
    for (size_t i = 0; i < 4; i++)
        ordinary_acts[i] = play_act(words[i]);
    stories_aloud = true;
    return 0;
}

static void four_runs_and_nine_rows_from_a_submission(void **state)
{
    static struct walk w;

    (void)state;
    w = (struct walk){.rules = &request_rules, .acts = ordinary_acts, .count = 4, .ask_rows = true};
    walk_all(&w, REQUEST_LEASE_NONE, 6);
    assert_int_equal(w.broken, 0);
    assert_int_equal(w.runs, 4);
    assert_int_equal(w.rows, 9);
}

static void no_sequence_breaks_a_promise(void **state)
{
    struct request_act acts[PLAY_WORD_COUNT];
    static struct walk w;

    (void)state;
    walk_open(&w, &request_rules, acts);
    walk_all(&w, REQUEST_LEASE_NONE, 7);
    walk_all(&w, REQUEST_LEASE_EARLY, 6);
    print_message("%u legal steps, %u retirements\n", w.steps, w.runs);
    assert_int_equal(w.broken, 0);
    assert_int_equal(w.stuck, 0);
    assert_true(w.runs > 0);
}

/* Two requests and whoever comes after them, with the same slots and buffers. */
struct crowd {
    struct play p;
    struct identity id[PLAY_ADMITTED]; /* the present or last one */
    unsigned retired;
    unsigned steps;
};

static bool crowd_submit(struct crowd *c)
{
    struct identity id;
    unsigned which = 0;

    if (request_submit(&c->p.ledger, PLAY_BYTES, REQUEST_LEASE_NONE, &id) < 0)
        return false;
    while (which < PLAY_ADMITTED && identity_valid(c->p.ledger.ids, c->id[which]))
        which++;
    assert_true(which < PLAY_ADMITTED);
    c->id[which] = id;
    return true;
}

/* Nothing happens to a retired one, nor to the other one. */
static bool crowd_act(struct crowd *c, size_t word)
{
    const struct request_act *act = &ordinary_acts[word % 4];
    unsigned which = (unsigned)(word / 4), beside = (which + 1) % PLAY_ADMITTED;
    bool live = identity_valid(c->p.ledger.ids, c->id[which]);
    const struct request *other = request_at(&c->p.ledger, c->id[beside]);
    struct request was = other != NULL ? *other : (struct request){.spare = 0};
    struct request_effect effect = request_apply(&c->p.ledger, c->id[which], act);

    assert_true(live || effect.verdict == REQUEST_REFUSE);
    if (other != NULL)
        assert_memory_equal(other, &was, sizeof(was));
    c->retired += effect.retired;
    c->steps += effect.verdict == REQUEST_STEP;
    return effect.verdict == REQUEST_STEP;
}

static void crowd_walk(struct crowd *c, unsigned depth)
{
    struct play saved = c->p;
    struct identity ids[PLAY_ADMITTED];

    memcpy(ids, c->id, sizeof(ids));
    assert_true(request_check(&c->p.ledger));
    assert_true(c->p.ledger.pool->peak_bytes <= PLAY_ADMITTED * PLAY_BYTES);
    for (size_t word = 0; depth > 0 && word <= 4 * PLAY_ADMITTED; word++) {
        bool done = word < 4 * PLAY_ADMITTED ? crowd_act(c, word) : crowd_submit(c);

        if (done)
            crowd_walk(c, depth - 1);
        c->p = saved;
        memcpy(c->id, ids, sizeof(ids));
    }
}

static void requests_that_share_slots_and_buffers_keep_apart(void **state)
{
    static struct crowd c;

    (void)state;
    play_submitted(&c.p, &request_rules, REQUEST_LEASE_NONE);
    c.id[0] = c.p.id;
    c.id[1] = IDENTITY_NONE;
    crowd_walk(&c, 12);
    print_message("%u steps, %u retirements\n", c.steps, c.retired);
    assert_true(c.retired > 0);
}

/* --- Single rules --- */

static void delivery_is_no_evidence(void **state)
{
    struct play p;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_NONE);
    (void)play_all(&p, "deadline deliver deliver");
    assert_int_equal(p.ledger.table->delivered, 2);
    assert_int_equal(p.ledger.table->consumed, 0);
    assert_int_equal(play_record(&p)->state, REQUEST_CANCELING);
    assert_int_equal(play(&p, "deliver").event, REQUEST_ON_DELIVER_SURPLUS);
    (void)play_all(&p, "target:ok cancel:ok");
    assert_int_equal(p.ledger.table->delivered, 2);
    assert_int_equal(p.ledger.table->consumed, 2);
}

/* R-A-08. */
static void a_returned_buffer_serves_others_while_the_cancel_is_owed(void **state)
{
    struct identity second;
    uint32_t buffer;
    struct play p;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_NONE);
    (void)play_all(&p, "deadline target:ok");
    buffer = play_record(&p)->buffer;
    assert_int_equal(request_submit(&p.ledger, 100, REQUEST_LEASE_NONE, &second), 0);
    assert_int_equal(request_at(&p.ledger, second)->buffer, buffer);
    assert_true(pool_owns(p.ledger.pool, buffer, second));
    assert_true(play(&p, "cancel:notfound").retired);
    assert_true(pool_owns(p.ledger.pool, buffer, second));
    assert_int_equal(p.ledger.pool->held_bytes, 100);
}

static void a_slot_counts_its_holders(void **state)
{
    struct play p;
    struct identity first;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_NONE);
    first = p.id;
    assert_int_equal(first.generation, 7);
    (void)play(&p, "target:ok");
    assert_int_equal(request_submit(&p.ledger, 1, REQUEST_LEASE_NONE, &p.id), 0);
    assert_int_equal(p.id.slot, first.slot);
    assert_int_equal(p.id.generation, 8);
    assert_null(request_at(&p.ledger, first));
    assert_int_equal(play(&p, "target:ok@7").event, REQUEST_ON_STALE);
    assert_int_equal(play_record(&p)->state, REQUEST_WAITING);
}

static void any_identity_is_safe_to_name(void **state)
{
    static const struct identity ids[] = {{0, 0},  {0, 6}, {3, 7}, {PLAY_SLOTS, 7},
                                          {UINT32_MAX, 0}, {UINT32_MAX, UINT32_MAX}};
    struct play p;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_NONE);
    for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
        p.id = ids[i];
        for (size_t word = 0; word < PLAY_WORD_COUNT; word++)
            assert_int_equal(play(&p, play_words[word].text).verdict, REQUEST_REFUSE);
    }
    assert_int_equal(p.ledger.table->refused, sizeof(ids) / sizeof(*ids) * PLAY_WORD_COUNT);
    assert_true(request_check(&p.ledger));
}

static void submissions_that_cannot_be_are_refused(void **state)
{
    static const struct {
        uint32_t bytes;
        int error;
    } cases[] = {{0, -EMSGSIZE}, {PLAY_BYTES + 1, -EMSGSIZE}, {UINT32_MAX, -EMSGSIZE}};
    struct identity id = IDENTITY_NONE;
    struct play p;

    (void)state;
    play_open(&p, &request_rules);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(request_submit(&p.ledger, cases[i].bytes, REQUEST_LEASE_NONE, &id),
                         cases[i].error);
    assert_true(identity_equal(id, IDENTITY_NONE));
    assert_int_equal(p.ledger.table->refused, 3);
    assert_int_equal(p.ledger.pool->taken, 0);
    assert_true(request_check(&p.ledger));
}

/* Slots and buffers may be fewer than the places that rules give away. */
static void missing_buffers_and_slots_are_told(void **state)
{
    struct request_config few = {.admitted = 2, .bytes = 8, .slots = 2, .buffers = 1};
    struct identity id = IDENTITY_NONE;
    uint64_t memory[64];
    struct request_act end = play_act("target:ok");
    struct request_ledger ledger;

    (void)state;
    assert_true(request_size(&few) <= sizeof(memory));
    request_open(&ledger, &request_rules, &few, memory);
    assert_int_equal(request_submit(&ledger, 8, REQUEST_LEASE_NONE, &id), 0);
    assert_int_equal(id.generation, 1);
    assert_int_equal(request_submit(&ledger, 8, REQUEST_LEASE_NONE, &id), -ENOBUFS);

    few = (struct request_config){
        .admitted = 1, .bytes = 8, .slots = 1, .buffers = 2, .generation = UINT32_MAX};
    request_open(&ledger, &request_rules, &few, memory);
    assert_int_equal(request_submit(&ledger, 8, REQUEST_LEASE_NONE, &id), 0);
    assert_true(request_apply(&ledger, id, &end).retired);
    /* The slot has had its last generation. */
    assert_int_equal(request_submit(&ledger, 8, REQUEST_LEASE_NONE, &id), -ENFILE);
    assert_true(request_check(&ledger));
}

static void the_last_token_is_the_targets(void **state)
{
    struct request_act pass = {.kind = REQUEST_KIND_HANDOFF};
    struct request_effect effect;
    struct play p;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_EARLY);
    for (; pass.token < REQUEST_TOKENS - 2; pass.token++) {
        effect = request_apply(&p.ledger, p.id, &pass);
        assert_int_equal(effect.verdict, REQUEST_STEP);
        assert_int_equal(effect.token, pass.token + 1);
    }
    effect = request_apply(&p.ledger, p.id, &pass);
    assert_int_equal(effect.verdict, REQUEST_REFUSE);
    assert_int_equal(effect.event, REQUEST_ON_TOKENS_SPENT);
    assert_int_equal(effect.token, UINT32_MAX);
    assert_int_equal(play(&p, "target:ok:borrow").token, REQUEST_TOKENS - 1);
    assert_int_equal(play(&p, "borrow").event, REQUEST_ON_TOKENS_SPENT);
    assert_int_equal(play_record(&p)->borrows, 2);
    assert_true(request_check(&p.ledger));
}

/* Every column against the state, and every total against the records. */
static void a_broken_account_is_noticed(void **state)
{
    struct request *request;
    struct request_table *table;
    struct play p;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_NONE);
    (void)play_all(&p, "deadline target:ok:borrow");
    table = p.ledger.table;
    request = &table->record[p.id.slot];
    assert_true(request_check(&p.ledger));
#define BREAK(field, step)                      \
    do {                                        \
        field += (step);                        \
        assert_false(request_check(&p.ledger)); \
        field -= (step);                        \
    } while (0)
    BREAK(request->state, 1);
    BREAK(request->logical, (uint8_t)-REQUEST_LOGICAL_TIMEOUT);
    BREAK(request->target, (uint8_t)-REQUEST_TARGET_OK);
    BREAK(request->cancel, 1);
    BREAK(request->device, 1);
    BREAK(request->borrows, 1);
    BREAK(request->live, 1);
    BREAK(request->tokens, (uint8_t)-1);
    BREAK(request->returned, 1);
    BREAK(request->delivered, 2);
    BREAK(request->buffer, 1);
    BREAK(request->id.generation, 1);
    BREAK(table->open, 1);
    BREAK(table->places, 1);
    BREAK(table->unretired, 1);
    BREAK(table->consumed, 1);
    BREAK(p.ledger.pool->misused, 1);
    BREAK(p.ledger.pool->buffer[request->buffer].holders, 1);
#undef BREAK
    assert_true(request_check(&p.ledger));
}

static void a_copy_of_the_memory_goes_on_the_same(void **state)
{
    struct play p, copy;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_NONE);
    (void)play_all(&p, "deadline target:ok:borrow");
    play_open(&copy, &request_rules);
    memcpy(copy.memory, p.memory, sizeof(copy.memory));
    copy.id = p.id;
    (void)play_all(&p, "handoff:0 cancel:ok release:1");
    (void)play_all(&copy, "handoff:0 cancel:ok release:1");
    assert_memory_equal(p.memory, copy.memory, sizeof(p.memory));
    assert_int_equal(play_record(&copy)->state, REQUEST_RETIRED);
}

static void every_value_has_a_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i <= REQUEST_RETIRED; i++)
        assert_true(request_state_name(i)[0] != '\0');
    for (unsigned i = 0; i < REQUEST_EVENT_COUNT; i++)
        assert_true(request_event_name(i)[0] != '\0');
    for (unsigned i = 0; i < REQUEST_KIND_COUNT; i++)
        assert_true(request_kind_name(i)[0] != '\0');
    assert_string_equal(request_kind_name(REQUEST_KIND_EXIT), "logical_exit");
    assert_string_equal(request_state_name(REQUEST_RETIRED), "RETIRED");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancellation_goes_row_by_row),
        cmocka_unit_test(variants_end_as_they_must),
        cmocka_unit_test(three_orders_are_legal_under_the_callback_rule),
        cmocka_unit_test(six_orders_are_legal_with_an_early_lease),
        cmocka_unit_test(a_place_is_kept_until_retirement),
        cmocka_unit_test(four_runs_and_nine_rows_from_a_submission),
        cmocka_unit_test(no_sequence_breaks_a_promise),
        cmocka_unit_test(requests_that_share_slots_and_buffers_keep_apart),
        cmocka_unit_test(delivery_is_no_evidence),
        cmocka_unit_test(a_returned_buffer_serves_others_while_the_cancel_is_owed),
        cmocka_unit_test(a_slot_counts_its_holders),
        cmocka_unit_test(any_identity_is_safe_to_name),
        cmocka_unit_test(submissions_that_cannot_be_are_refused),
        cmocka_unit_test(missing_buffers_and_slots_are_told),
        cmocka_unit_test(the_last_token_is_the_targets),
        cmocka_unit_test(a_broken_account_is_noticed),
        cmocka_unit_test(a_copy_of_the_memory_goes_on_the_same),
        cmocka_unit_test(every_value_has_a_name),
    };

    return cmocka_run_group_tests(tests, ordinary, NULL) != 0;
}
