/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is anybody watching the table of requests? Every field of every cell gets every other value it
 * can have, every successor and every place is allowed or forbidden the other way round, one at a
 * time. Each mutant must be killed by a check that has a name; a survivor fails, and is told. A
 * change that the account would show must be noticed by what it does, too, and not only by laying
 * the table beside the requirement's.
 *
 *     EDGEWISE_MUTANTS=1 build/tests/core/test_request_mutants     lists each mutant's killers
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/core/request_checks.h"

/* Bit mask of the checks that notice. */
static unsigned killers_of(const struct request_rules *rules)
{
    unsigned killers = 0;

    for (size_t i = 0; i < CHECK_COUNT; i++)
        if (checks[i].broken(rules) != 0)
            killers |= 1u << i;
    return killers;
}

static bool behaviour_notices(unsigned killers)
{
    for (size_t i = 0; i < CHECK_COUNT; i++)
        if ((killers & 1u << i) && checks[i].behaviour)
            return true;
    return false;
}

struct tally {
    unsigned mutants;
    unsigned survivors;
    unsigned by_behaviour; /* noticed by what the account does, not only by a look at the table */
    unsigned unnoticed;    /* not noticed by it, though it could be */
    unsigned kills[CHECK_COUNT];
    bool aloud;
};

/* `name` is what was changed: "WAITING DEADLINE: next LENT". `visible`: the account would do
 * something else. */
static void try_mutant(struct tally *tally, const struct request_rules *mutant, const char *name,
                       bool visible)
{
    unsigned killers = killers_of(mutant);

    if (visible && !behaviour_notices(killers)) {
        tally->unnoticed++;
        print_error("no behaviour notices: %s\n", name);
    }

    tally->mutants++;
    tally->survivors += killers == 0;
    tally->by_behaviour += behaviour_notices(killers);
    if (killers == 0)
        print_error("survives: %s\n", name);
    if (tally->aloud)
        print_message("%s:", name);
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        if (!(killers & 1u << i))
            continue;
        tally->kills[i]++;
        if (tally->aloud)
            print_message(" %s", checks[i].name);
    }
    if (tally->aloud)
        print_message("\n");
}

/*
 * Nobody can see a change in a cell that is never asked, in what a cell would do that is not
 * carried out, or of a pending cancel to pending.
 */
static bool is_visible(unsigned state, unsigned event, const struct request_cell *cell,
                       const uint8_t *field)
{
    bool again = field == &cell->pursuit && *field == REQUEST_PURSUE_PENDING &&
                 cancel_is_owed(state) && !ANSWERS;

    return asked[state][event] && (field == &cell->verdict || steps(cell)) && !again;
}

/* Gives `field` of the cell every other value that has a word. */
static void mutate(struct tally *tally, struct request_rules *mutant, unsigned state,
                   unsigned event, const char *title, uint8_t *field, const char *const *words,
                   unsigned count)
{
    const struct request_cell *cell = &mutant->cell[state][event];
    uint8_t was = *field;

    for (unsigned value = 0; value < count; value++) {
        char name[128];

        if (value == was)
            continue;
        *field = (uint8_t)value;
        (void)snprintf(name, sizeof(name), "%s %s: %s %s", state_words[state], event_words[event],
                       title, words[value]);
        try_mutant(tally, mutant, name, is_visible(state, event, cell, field));
    }
    *field = was;
}

static void mutate_cell(struct tally *tally, struct request_rules *mutant, unsigned state,
                        unsigned event)
{
#define MUTATE(field, words)                                                              \
    mutate(tally, mutant, state, event, #field, &mutant->cell[state][event].field, words, \
           WORD_COUNT(words))
    MUTATE(verdict, verdict_words);
    MUTATE(next, state_words);
    MUTATE(decision, decision_words);
    MUTATE(record, record_words);
    MUTATE(pursuit, pursuit_words);
    MUTATE(first, move_words);
    MUTATE(second, move_words);
    MUTATE(looks, looks_words);
#undef MUTATE
}

static void conclude(const struct tally *tally)
{
    print_message("%u mutants, %u survive; %u of them are noticed by behaviour, too\n",
                  tally->mutants, tally->survivors, tally->by_behaviour);
    for (size_t i = 0; i < CHECK_COUNT; i++)
        print_message("  %5u killed by %s\n", tally->kills[i], checks[i].name);
    assert_int_equal(tally->survivors, 0);
    assert_int_equal(tally->unnoticed, 0);
    assert_true(tally->by_behaviour > 0);
}

static void every_changed_cell_is_killed_by_a_named_check(void **state)
{
    struct request_rules mutant = request_rules;
    struct tally tally = {.aloud = getenv("EDGEWISE_MUTANTS") != NULL};
    size_t each = WORD_COUNT(verdict_words) + WORD_COUNT(state_words) +
                  WORD_COUNT(decision_words) + WORD_COUNT(record_words) +
                  WORD_COUNT(pursuit_words) + 2 * WORD_COUNT(move_words) +
                  WORD_COUNT(looks_words) - sizeof(struct request_cell);

    (void)state;
    EACH_CELL(s, e)
        mutate_cell(&tally, &mutant, s, e);
    assert_int_equal(tally.mutants, REQUEST_STATE_COUNT * REQUEST_EVENT_COUNT * each);
    assert_memory_equal(&mutant, &request_rules, sizeof(mutant));
    conclude(&tally);
}

static void flip(struct tally *tally, const struct request_rules *mutant, uint8_t *mask,
                 const char *what)
{
    for (unsigned to = 0; to <= REQUEST_RETIRED; to++) {
        uint8_t bit = (uint8_t)(1u << to);
        char name[96];

        *mask ^= bit;
        (void)snprintf(name, sizeof(name), "%s %s: %s", what, state_words[to],
                       *mask & bit ? "allowed" : "forbidden");
        try_mutant(tally, mutant, name, false);
        *mask ^= bit;
    }
}

static void every_changed_mask_is_killed_by_a_named_check(void **state)
{
    struct request_rules mutant = request_rules;
    struct tally tally = {.aloud = getenv("EDGEWISE_MUTANTS") != NULL};

    (void)state;
    for (size_t from = 0; from < REQUEST_STATE_COUNT; from++)
        flip(&tally, &mutant, &mutant.successors[from], state_words[from]);
    flip(&tally, &mutant, &mutant.places, "a place in");
    assert_int_equal(tally.mutants, (REQUEST_STATE_COUNT + 1) * (REQUEST_RETIRED + 1));
    conclude(&tally);
}

/* Else every mutant would look killed. */
static void the_good_rules_pass_every_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHECK_COUNT; i++)
        if (checks[i].broken(&request_rules) != 0)
            fail_msg("%s", checks[i].name);
}

static void note_asked(struct play *p, bool (*seen)[REQUEST_EVENT_COUNT], unsigned depth)
{
    for (size_t word = 0; depth > 0 && word < 2 * PLAY_WORD_COUNT; word++) {
        struct play saved = *p;
        struct identity id = p->id;
        unsigned before = play_record(p)->state;
        struct request_effect effect;

        id.generation += word % 2;
        effect = request_apply(&p->ledger, id, &play_words[word / 2].act);
        if (before < REQUEST_STATE_COUNT)
            seen[before][effect.event] = true;
        if (effect.verdict == REQUEST_STEP)
            note_asked(p, seen, depth - 1);
        *p = saved;
    }
}

/* Else a change that matters could pass for one that nobody can see. */
static void the_probes_ask_every_cell_that_a_walk_asks(void **state)
{
    bool seen[REQUEST_STATE_COUNT][REQUEST_EVENT_COUNT] = {{false}};
    unsigned cells = 0;
    struct play p;

    (void)state;
    play_submitted(&p, &request_rules, REQUEST_LEASE_NONE);
    note_asked(&p, seen, 5);
    play_submitted(&p, &request_rules, REQUEST_LEASE_EARLY);
    note_asked(&p, seen, 4);
    EACH_CELL(s, e) {
        cells += asked[s][e];
        if (seen[s][e] && !asked[s][e])
            fail_msg("%s %s", state_words[s], event_words[e]);
    }
    print_message("%u of %d cells can be asked\n", cells,
                  REQUEST_STATE_COUNT * REQUEST_EVENT_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_good_rules_pass_every_check),
        cmocka_unit_test(the_probes_ask_every_cell_that_a_walk_asks),
        cmocka_unit_test(every_changed_cell_is_killed_by_a_named_check),
        cmocka_unit_test(every_changed_mask_is_killed_by_a_named_check),
    };

    return cmocka_run_group_tests(tests, prepare_checks, NULL) != 0;
}
