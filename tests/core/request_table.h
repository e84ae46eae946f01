/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CORE_REQUEST_TABLE_H
#define EDGEWISE_TESTS_CORE_REQUEST_TABLE_H

/*
 * The table of a request, derived from R-A and typed apart from the rules, in words, so that a
 * person can lay the two side by side; and the walks that compare rules with it.
 *
 * A cell: ign, REF, or the next state (= unchanged), then what is done: timeout, exited or result
 * decide the wait; deliver, took-target, took-cancel are about a record; pending, unsent about the
 * cancel; b+, b-, d- move the buffer, in this order; looks: the handler sees the bytes.
 */

#include <stdio.h>
#include <string.h>

#include "core/request.h"

#define ENDS(next) next " took-target d-"
#define ENDS_LENT(next) next " took-target b+ d- looks"
#define ANSWERED(next) next " took-cancel"

/* Columns: WAITING | CANCELING | ABANDONED | LENT | LENT_CANCELING | RETURNED. */
static const char *const requirement[] = {
    "DEADLINE | CANCELING timeout pending | ign | ign | ign | ign | ign",
    "DEADLINE_UNSENT | ABANDONED timeout unsent | ign | ign | ign | ign | ign",
    "EXIT | CANCELING exited pending | ign | ign | ign | ign | ign",
    "EXIT_UNSENT | ABANDONED exited unsent | ign | ign | ign | ign | ign",
    "DELIVER | = deliver | = deliver | = deliver | REF | = deliver | = deliver",
    "DELIVER_SURPLUS | REF | REF | REF | REF | REF | REF",
    "TARGET_BORROW | " ENDS_LENT("LENT result") " | " ENDS_LENT("LENT_CANCELING") " | "
        ENDS_LENT("LENT") " | REF | REF | REF",
    "TARGET_LEASED | " ENDS("LENT result") " | " ENDS("LENT_CANCELING") " | "
        ENDS("LENT") " | REF | REF | REF",
    "TARGET_CLEAR | " ENDS("RETIRED result") " | " ENDS("RETURNED") " | "
        ENDS("RETIRED") " | REF | REF | REF",
#define ANSWER(name)                                                                     \
    name " | REF | " ANSWERED("ABANDONED") " | REF | REF | " ANSWERED("LENT") " | "      \
         ANSWERED("RETIRED")
    ANSWER("CANCEL_OK"),
    ANSWER("CANCEL_NOT_FOUND"),
    ANSWER("CANCEL_ALREADY"),
    ANSWER("CANCEL_BAD_ID"),
#undef ANSWER
    "BORROW | REF | REF | REF | = b+ | = b+ | REF",
    "RELEASE_MORE | = b- | = b- | = b- | = b- | = b- | REF",
    "RELEASE_LAST | = b- | = b- | = b- | RETIRED b- | RETURNED b- | REF",
    "THROW_MORE | = b- | = b- | = b- | = b- | = b- | REF",
    "THROW_LAST | = b- | = b- | = b- | RETIRED b- | RETURNED b- | REF",
    "HANDOFF | = b+ b- | = b+ b- | = b+ b- | = b+ b- | = b+ b- | REF",
    "TOKEN_DEAD | REF | REF | REF | REF | REF | REF",
    "TOKENS_SPENT | REF | REF | REF | REF | REF | REF",
    "STALE | REF | REF | REF | REF | REF | REF",
};
_Static_assert(sizeof(requirement) / sizeof(requirement[0]) == REQUEST_EVENT_COUNT,
               "the requirement has a row for every event");

static const char *const state_words[] = {
#define X(name) #name,
    REQUEST_STATES(X)
#undef X
    "RETIRED",
};

static const char *const event_words[] = {
#define X(name, text) #name,
    REQUEST_EVENTS(X)
#undef X
};

static const char *const verdict_words[] = {"step", "ign", "REF"};
static const char *const decision_words[] = {"-", "timeout", "exited", "result"};
static const char *const record_words[] = {"-", "deliver", "took-target", "took-cancel"};
static const char *const pursuit_words[] = {"-", "pending", "unsent"};
static const char *const move_words[] = {"-", "b+", "b-", "d-"};
static const char *const looks_words[] = {"-", "looks"};

#define WORD_COUNT(words) (sizeof(words) / sizeof((words)[0]))

_Static_assert(WORD_COUNT(verdict_words) == REQUEST_VERDICT_COUNT, "a word for each verdict");
_Static_assert(WORD_COUNT(decision_words) == REQUEST_DECISION_COUNT, "a word for each decision");
_Static_assert(WORD_COUNT(record_words) == REQUEST_RECORD_COUNT, "a word for each record");
_Static_assert(WORD_COUNT(pursuit_words) == REQUEST_PURSUIT_COUNT, "a word for each pursuit");
_Static_assert(WORD_COUNT(move_words) == REQUEST_MOVE_COUNT, "a word for each move");

/* Filled from `requirement` by the group's setup. */
static struct request_cell expected[REQUEST_STATE_COUNT][REQUEST_EVENT_COUNT];

/* The index of `word`, or `count`. */
static uint8_t index_of(const char *const *words, size_t count, const char *word)
{
    uint8_t at = 0;

    while (at < count && strcmp(words[at], word) != 0)
        at++;
    return at;
}

/* Writes the index of `word` into `field`, if it is one of these words and the field is unset. */
static bool parse_word(uint8_t *field, const char *const *words, size_t count, const char *word)
{
    uint8_t at = index_of(words, count, word);

    if (at == count || *field != 0)
        return false;
    *field = at;
    return true;
}

#define PARSE(field, words) parse_word(&cell->field, words, WORD_COUNT(words), word)

static void parse_effect(struct request_cell *cell, const char *word)
{
    if (!PARSE(decision, decision_words) && !PARSE(record, record_words) &&
        !PARSE(pursuit, pursuit_words) && !PARSE(first, move_words) &&
        !PARSE(second, move_words) && !PARSE(looks, looks_words))
        fail_msg("not a word of a cell: %s", word);
}

#undef PARSE

static struct request_cell parse_cell(char *text, unsigned state)
{
    struct request_cell cell = {.next = (uint8_t)state};
    char *rest, *word = strtok_r(text, " ", &rest);
    uint8_t verdict = index_of(verdict_words, WORD_COUNT(verdict_words), word);

    if (verdict < WORD_COUNT(verdict_words)) {
        cell.verdict = verdict;
        return cell;
    }
    if (strcmp(word, "=") != 0)
        cell.next = index_of(state_words, WORD_COUNT(state_words), word);
    assert_true(cell.next <= REQUEST_RETIRED);
    while ((word = strtok_r(NULL, " ", &rest)) != NULL)
        parse_effect(&cell, word);
    return cell;
}

static int parse_requirement(void **context)
{
    (void)context;
    for (size_t row = 0; row < REQUEST_EVENT_COUNT; row++) {
        char line[256], *rest, *field;
        uint8_t event;

        (void)snprintf(line, sizeof(line), "%s", requirement[row]);
        field = strtok_r(line, "| ", &rest);
        event = index_of(event_words, REQUEST_EVENT_COUNT, field);
        assert_true(event < REQUEST_EVENT_COUNT);
        for (unsigned state = 0; state < REQUEST_STATE_COUNT; state++) {
            field = strtok_r(NULL, "|", &rest);
            assert_non_null(field);
            expected[state][event] = parse_cell(field, state);
        }
        assert_null(strtok_r(NULL, "|", &rest));
    }
    return 0;
}

#define EACH_CELL(state, event)                                     \
    for (unsigned state = 0; state < REQUEST_STATE_COUNT; state++)  \
        for (unsigned event = 0; event < REQUEST_EVENT_COUNT; event++)

/* How many cells differ from the requirement's. */
static unsigned walk_cells(const struct request_rules *rules)
{
    unsigned differences = 0;

    EACH_CELL(state, event)
        differences += memcmp(&rules->cell[state][event], &expected[state][event],
                              sizeof(struct request_cell)) != 0;
    return differences;
}

/* True when some legal cell of the requirement leads from `state` to `next`. */
static bool expect_successor(unsigned state, unsigned next)
{
    for (size_t event = 0; event < REQUEST_EVENT_COUNT; event++)
        if (expected[state][event].verdict == REQUEST_STEP && expected[state][event].next == next)
            return true;
    return false;
}

static unsigned walk_successors(const struct request_rules *rules)
{
    unsigned differences = 0;

    for (unsigned state = 0; state < REQUEST_STATE_COUNT; state++)
        for (unsigned next = 0; next <= REQUEST_RETIRED; next++)
            differences += (rules->successors[state] >> next & 1u) != expect_successor(state, next);
    return differences;
}

/* R-A-19, R-A-20: every record that is not retired keeps its place. */
static unsigned walk_places(const struct request_rules *rules)
{
    unsigned differences = 0;

    for (unsigned state = 0; state <= REQUEST_RETIRED; state++)
        differences += (rules->places >> state & 1u) != (state != REQUEST_RETIRED);
    return differences;
}

#endif
