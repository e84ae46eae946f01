/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CORE_READER_TABLE_H
#define EDGEWISE_TESTS_CORE_READER_TABLE_H

/*
 * The read direction's table, transcribed from the requirement's, typed apart from the reader's and
 * in the requirement's words, so that a person can lay the two side by side; and the walks that
 * compare rules with it.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/reader.h"

/* Next state, hint, queue action, +outcome. = is unchanged, ign is ignored, ILL is illegal. */
static const char *const requirement[] = {
    /* event              | WAITING       | QUEUED        | RUNNING       | PAUSED   | FIN | FAIL */
    "NOTICE_ROOM          | QUEUED,1,push | =,1,none      | =,1,none      | =,1,none | ign | ign",
    "NOTICE_NO_ROOM       | PAUSED,1,none | =,1,none      | =,1,none      | =,1,none | ign | ign",
    "NOTICE_STALE         | ign           | ign           | ign           | ign      | ign | ign",
    "DISPATCH             | ILL           | RUNNING,=,pop | ILL           | ILL      | ILL | ILL",
    "PROGRESS             | ILL           | ILL           | =,=,none      | ILL      | ILL | ILL",
    "INTERRUPTED          | ILL           | ILL           | =,=,none      | ILL      | ILL | ILL",
    "EXHAUSTED            | ILL           | ILL           | WAITING,0,none | ILL     | ILL | ILL",
    "YIELD_ROOM           | ILL           | ILL           | QUEUED,=,push | ILL      | ILL | ILL",
    "YIELD_NO_ROOM        | ILL           | ILL           | PAUSED,=,none | ILL      | ILL | ILL",
    "NO_GRANT             | ILL           | ILL           | PAUSED,=,none | ILL      | ILL | ILL",
    "RELEASE_HINT         | ign           | ign           | ign     | QUEUED,1,push  | ign | ign",
    "RELEASE_NO_HINT      | ign           | ILL           | ILL     | WAITING,0,none | ign | ign",
    "RELEASE_TOO_LITTLE   | ign           | ign           | ign           | ign      | ign | ign",
    "EOF_CLEAN            | ILL | ILL | FINISHED,0,none+CLEAN              | ILL      | ILL | ILL",
    "EOF_TRUNCATED        | ILL | ILL | FINISHED,0,none+TRUNCATED          | ILL      | ILL | ILL",
    "FATAL                | ILL | ILL | FAILED,0,none                      | ILL      | ILL | ILL",
    "OVERSIZE             | ILL | ILL | FAILED,0,none+OVERSIZE             | ILL      | ILL | ILL",
    "CLOSE | gone,0,none | gone,0,remove | gone,0,none | gone,0,none | gone,0,none | gone,0,none",
    "HANGUP_ROOM          | QUEUED,1,push | =,1,none      | =,1,none      | =,1,none | ign | ign",
    "HANGUP_NO_ROOM       | PAUSED,1,none | =,1,none      | =,1,none      | =,1,none | ign | ign",
};
_Static_assert(sizeof(requirement) / sizeof(requirement[0]) == READER_EVENT_COUNT,
               "the requirement has a row for every event");

static const char *const state_words[] = {
#define X(name) #name,
    READER_STATES(X)
#undef X
    "gone",
};

static const char *const event_words[] = {
#define X(name, text) #name,
    READER_EVENTS(X)
#undef X
};

static const char *const outcome_words[] = {
#define X(name, text) #name,
    READER_OUTCOMES(X)
#undef X
};

static const char *const hint_words[] = {
    [READER_HINT_KEEP] = "=", [READER_HINT_SET] = "1", [READER_HINT_CLEAR] = "0"};
static const char *const queue_words[] = {[READER_QUEUE_KEEP] = "none",
                                          [READER_QUEUE_PUSH] = "push",
                                          [READER_QUEUE_POP] = "pop",
                                          [READER_QUEUE_REMOVE] = "remove"};

#define WORD_COUNT(words) (sizeof(words) / sizeof((words)[0]))
#define INDEX_OF(words, word) index_of(words, WORD_COUNT(words), word)

static uint8_t index_of(const char *const *words, size_t count, const char *word)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return (uint8_t)i;
    fail_msg("no such word: %s", word);
    return 0;
}

/* Filled from `requirement` by the group's setup. */
static struct reader_cell expected[READER_STATE_COUNT][READER_EVENT_COUNT];

static struct reader_cell parse_cell(const char *text, unsigned state)
{
    const uint8_t self = (uint8_t)state;
    char next[16], hint[16], queue[16], outcome[16] = "NONE";

    if (strcmp(text, "ign") == 0)
        return (struct reader_cell){.verdict = READER_IGNORE, .next = self};
    if (strcmp(text, "ILL") == 0)
        return (struct reader_cell){.verdict = READER_ILLEGAL, .next = self};
    if (sscanf(text, "%15[^,],%15[^,],%15[^+]+%15s", next, hint, queue, outcome) < 3)
        fail_msg("not a cell: %s", text);
    return (struct reader_cell){
        .verdict = READER_STEP,
        .next = strcmp(next, "=") == 0 ? self : INDEX_OF(state_words, next),
        .hint = INDEX_OF(hint_words, hint),
        .queue = INDEX_OF(queue_words, queue),
        .outcome = INDEX_OF(outcome_words, outcome),
    };
}

static int parse_requirement(void **context)
{
    (void)context;
    for (size_t row = 0; row < READER_EVENT_COUNT; row++) {
        char event[32], cell[READER_STATE_COUNT][40];
        int fields = sscanf(requirement[row], "%31s | %39s | %39s | %39s | %39s | %39s | %39s",
                            event, cell[0], cell[1], cell[2], cell[3], cell[4], cell[5]);

        assert_int_equal(fields, 1 + READER_STATE_COUNT);
        for (unsigned state = 0; state < READER_STATE_COUNT; state++)
            expected[state][INDEX_OF(event_words, event)] = parse_cell(cell[state], state);
    }
    return 0;
}

static struct reader reader_in(unsigned state, bool hint)
{
    return (struct reader){.state = (uint8_t)state, .hint = hint};
}

static const struct reader_cell *apply(const struct reader_rules *rules, struct reader *reader,
                                       enum reader_event event)
{
    return event == READER_FATAL ? reader_fail(rules, reader, EIO)
                                 : reader_step(rules, reader, event);
}

/* What `event` must make of a reader in (state, hint). */
static struct reader expect_reader(unsigned state, bool hint, unsigned event)
{
    const struct reader_cell *want = &expected[state][event];
    struct reader after = reader_in(state, hint);

    if (want->verdict != READER_STEP)
        return after;
    if (want->next != READER_GONE)
        after.state = want->next;
    if (want->hint != READER_HINT_KEEP)
        after.hint = want->hint == READER_HINT_SET;
    after.outcome = want->outcome;
    if (event == READER_FATAL) {
        after.outcome = READER_END_ERROR;
        after.error = EIO;
    }
    return after;
}

static bool cell_equal(const struct reader_cell *a, const struct reader_cell *b)
{
    return a->verdict == b->verdict && a->next == b->next && a->hint == b->hint &&
           a->queue == b->queue && a->outcome == b->outcome;
}

static bool reader_equal(const struct reader *a, const struct reader *b)
{
    return a->state == b->state && a->hint == b->hint && a->outcome == b->outcome &&
           a->error == b->error;
}

static unsigned walk_cells(const struct reader_rules *rules)
{
    unsigned differences = 0;

    for (unsigned state = 0; state < READER_STATE_COUNT; state++)
        for (unsigned event = 0; event < READER_EVENT_COUNT; event++)
            for (int hint = 0; hint < 2; hint++) {
                struct reader reader = reader_in(state, hint != 0);
                struct reader after = expect_reader(state, hint != 0, event);
                const struct reader_cell *cell = apply(rules, &reader, event);

                /* The cell itself too: one that only the mask stops is wrong all the same. */
                differences += !cell_equal(&rules->cell[state][event], &expected[state][event]) ||
                               !cell_equal(cell, &expected[state][event]) ||
                               !reader_equal(&reader, &after);
            }
    return differences;
}

/* True when some legal cell of the requirement leads from `state` to `next`. */
static bool expect_successor(unsigned state, unsigned next)
{
    for (size_t event = 0; event < READER_EVENT_COUNT; event++)
        if (expected[state][event].verdict == READER_STEP && expected[state][event].next == next)
            return true;
    return false;
}

/* Asks the mask by doing: a cell that leads to each state in turn. */
static unsigned walk_successors(const struct reader_rules *rules)
{
    unsigned differences = 0;

    for (unsigned state = 0; state < READER_STATE_COUNT; state++)
        for (unsigned next = 0; next <= READER_GONE; next++) {
            struct reader_rules probe = *rules;
            struct reader reader = reader_in(state, false);
            bool stepped;

            probe.cell[state][READER_NOTICE_STALE] =
                (struct reader_cell){.verdict = READER_STEP, .next = (uint8_t)next};
            stepped = reader_step(&probe, &reader, READER_NOTICE_STALE)->verdict == READER_STEP;
            differences += stepped != expect_successor(state, next);
        }
    return differences;
}

/* RELEASE events say what the hint is; every other event is independent of it. */
static bool may_happen(const struct reader *reader, unsigned event)
{
    if (event == READER_RELEASE_HINT)
        return reader->hint;
    if (event == READER_RELEASE_NO_HINT)
        return !reader->hint;
    return true;
}

#endif
