/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CORE_REQUEST_CHECKS_H
#define EDGEWISE_TESTS_CORE_REQUEST_CHECKS_H

/*
 * Everything that can be held against the rules of a request, each by a name: looks at the table,
 * and then what the account does. A check counts how often the rules break it.
 */

#include "tests/core/request_probes.h"
#include "tests/core/request_stories.h"
#include "tests/core/request_table.h"
#include "tests/core/request_walk.h"

#define ROWS(first, last) (event >= REQUEST_ON_##first && event <= REQUEST_ON_##last)
#define ENDS_TARGET       ROWS(TARGET_BORROW, TARGET_CLEAR)
#define ANSWERS           ROWS(CANCEL_OK, CANCEL_BAD_ID)
#define GIVES_BACK        (ROWS(RELEASE_MORE, THROW_LAST) || event == REQUEST_ON_HANDOFF)
#define OF_TIMERS         (event <= REQUEST_ON_EXIT_UNSENT)

static bool steps(const struct request_cell *cell)
{
    return cell->verdict == REQUEST_STEP;
}

static bool in_flight(unsigned state)
{
    return state <= REQUEST_ABANDONED;
}

static bool cancel_is_owed(unsigned state)
{
    return state == REQUEST_CANCELING || state == REQUEST_LENT_CANCELING ||
           state == REQUEST_RETURNED;
}

static bool has_move(const struct request_cell *cell, unsigned move)
{
    return cell->first == move || cell->second == move;
}

/* --- Checks of the table alone: how many cells break each --- */

/* A cell that is not carried out would do nothing, whatever it says; it says nothing. */
#define EACH_STEP(state, event, cell)                                                   \
    EACH_CELL(state, event)                                                             \
        for (const struct request_cell *cell = &rules->cell[state][event];              \
             cell != NULL && steps(cell); cell = NULL)

/* R-NEG-31, R-NEG-35: the device holds the buffer until its own record is taken. */
static unsigned the_device_lets_go_with_its_record(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_STEP(state, event, cell)
        broken += has_move(cell, REQUEST_MOVE_DEVICE) != (ENDS_TARGET && in_flight(state));
    return broken;
}

/* R-A-04, R-A-14, R-NEG-32. */
static unsigned the_new_borrow_comes_first(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_STEP(state, event, cell)
        broken += cell->second == REQUEST_MOVE_BORROW ||
                  (cell->second != REQUEST_MOVE_NONE && cell->first != REQUEST_MOVE_BORROW);
    return broken;
}

/* R-A-22, R-NEG-33. */
static unsigned a_second_end_or_answer_is_refused(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_CELL(state, event) {
        bool first = (ENDS_TARGET && in_flight(state)) || (ANSWERS && cancel_is_owed(state));

        if ((ENDS_TARGET || ANSWERS) && !first)
            broken += rules->cell[state][event].verdict != REQUEST_REFUSE;
    }
    return broken;
}

/* R-A-05, R-A-18, R-NEG-33, R-NEG-37, R-NEG-40. */
static unsigned only_a_live_token_ends_a_borrow(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_STEP(state, event, cell)
        broken += has_move(cell, REQUEST_MOVE_RELEASE) != GIVES_BACK ||
                  event == REQUEST_ON_TOKEN_DEAD;
    return broken;
}

/* R-A-08, R-NEG-34. */
static unsigned only_a_borrower_looks_into_the_buffer(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_STEP(state, event, cell)
        broken += cell->looks != (event == REQUEST_ON_TARGET_BORROW);
    return broken;
}

/* R-A-10..12, R-NEG-35. */
static unsigned no_answer_is_evidence_of_an_end(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_STEP(state, event, cell)
        broken += ANSWERS && (in_flight(cell->next) != in_flight(state) ||
                              cell->first != REQUEST_MOVE_NONE ||
                              cell->second != REQUEST_MOVE_NONE ||
                              cell->record != REQUEST_RECORD_CANCEL);
    return broken;
}

/* R-A-16, R-NEG-36. */
static unsigned whatever_is_owed_is_taken(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_CELL(state, event)
        if ((ENDS_TARGET && in_flight(state)) || (ANSWERS && cancel_is_owed(state)))
            broken += !steps(&rules->cell[state][event]);
    return broken;
}

/* R-A-18, R-NEG-31, R-NEG-37. */
static unsigned no_timer_moves_a_buffer(const struct request_rules *rules)
{
    unsigned broken = 0;

    EACH_STEP(state, event, cell)
        broken += OF_TIMERS && (cell->first != REQUEST_MOVE_NONE ||
                                cell->second != REQUEST_MOVE_NONE || state != REQUEST_WAITING);
    return broken;
}

/* Short enough for thousands of mutants. */
static unsigned sequences_keep_every_promise(const struct request_rules *rules)
{
    struct request_act acts[PLAY_WORD_COUNT];
    static struct walk w;

    walk_open(&w, rules, acts);
    walk_all(&w, REQUEST_LEASE_NONE, 3);
    walk_all(&w, REQUEST_LEASE_EARLY, 2);
    return w.broken + w.stuck;
}

static const struct check {
    const char *name;
    unsigned (*broken)(const struct request_rules *rules);
    bool behaviour; /* what the account does, not what the table says */
} checks[] = {
#define LOOK(name) {#name, name, false}
#define DOES(name) {#name, name, true}
    {"every_cell_is_the_requirements", walk_cells, false},
    {"every_successor_is_the_requirements", walk_successors, false},
    {"every_unretired_request_keeps_its_place", walk_places, false},
    LOOK(the_device_lets_go_with_its_record),
    LOOK(the_new_borrow_comes_first),
    LOOK(a_second_end_or_answer_is_refused),
    LOOK(only_a_live_token_ends_a_borrow),
    LOOK(only_a_borrower_looks_into_the_buffer),
    LOOK(no_answer_is_evidence_of_an_end),
    LOOK(whatever_is_owed_is_taken),
    LOOK(no_timer_moves_a_buffer),
    DOES(w4_row_by_row),
    DOES(every_variant_of_w5),
    DOES(three_orders_under_the_callback_rule),
    DOES(six_orders_with_an_early_lease),
    DOES(two_places_for_three_requests),
    DOES(sequences_keep_every_promise),
    DOES(every_word_does_what_it_did),
#undef LOOK
#undef DOES
};

#define CHECK_COUNT (sizeof(checks) / sizeof(*checks))

/* The group's setup of whoever uses the checks. */
static int prepare_checks(void **state)
{
    probe_good_rules();
    return parse_requirement(state);
}

#endif
