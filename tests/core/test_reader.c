/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The read direction's table against a transcription of the requirement's, typed apart from it and
 * in the requirement's words, so that a person can lay the two side by side. What the walk over
 * every cell is worth is shown by mutants: each change of one field of one cell must be noticed.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

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

static unsigned walk(const struct reader_rules *rules)
{
    return walk_cells(rules) + walk_successors(rules);
}

static void every_cell_is_the_requirements(void **context)
{
    (void)context;
    assert_int_equal(walk_cells(&reader_rules), 0);
    assert_int_equal(walk_successors(&reader_rules), 0);
}

struct tally {
    unsigned mutants;
    unsigned killed;
};

/* Gives `field`, which lies in `mutant`, every other value below `values`. */
static void mutate(struct tally *tally, const struct reader_rules *mutant, uint8_t *field,
                   unsigned values)
{
    uint8_t good = *field;

    for (unsigned value = 0; value < values; value++) {
        if (value == good)
            continue;
        *field = (uint8_t)value;
        tally->mutants++;
        tally->killed += walk(mutant) != 0;
    }
    *field = good;
}

static void every_changed_cell_is_noticed(void **context)
{
    struct reader_rules mutant = reader_rules;
    struct tally tally = {0};
    /* Other values of verdict, next, hint, queue and outcome. */
    unsigned each = READER_ILLEGAL + READER_GONE + READER_HINT_CLEAR + READER_QUEUE_REMOVE +
                    READER_END_COUNT - 1;

    (void)context;
    for (size_t state = 0; state < READER_STATE_COUNT; state++)
        for (size_t event = 0; event < READER_EVENT_COUNT; event++) {
            struct reader_cell *cell = &mutant.cell[state][event];

            mutate(&tally, &mutant, &cell->verdict, READER_ILLEGAL + 1);
            mutate(&tally, &mutant, &cell->next, READER_GONE + 1);
            mutate(&tally, &mutant, &cell->hint, READER_HINT_CLEAR + 1);
            mutate(&tally, &mutant, &cell->queue, READER_QUEUE_REMOVE + 1);
            mutate(&tally, &mutant, &cell->outcome, READER_END_COUNT);
        }
    assert_int_equal(tally.mutants, READER_STATE_COUNT * READER_EVENT_COUNT * each);
    assert_int_equal(tally.killed, tally.mutants);
    assert_int_equal(walk(&mutant), 0);
}

static void every_changed_successor_is_noticed(void **context)
{
    struct reader_rules mutant = reader_rules;
    struct tally tally = {0};

    (void)context;
    for (size_t state = 0; state < READER_STATE_COUNT; state++)
        for (unsigned next = 0; next <= READER_GONE; next++) {
            mutant.successors[state] ^= (uint8_t)(1u << next);
            tally.mutants++;
            tally.killed += walk(&mutant) != 0;
            mutant.successors[state] ^= (uint8_t)(1u << next);
        }
    assert_int_equal(tally.mutants, READER_STATE_COUNT * (READER_GONE + 1));
    assert_int_equal(tally.killed, tally.mutants);
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

static void exactly_six_pairs_are_reachable(void **context)
{
    bool seen[READER_STATE_COUNT][2] = {{false}};
    struct reader open[2 * READER_STATE_COUNT];
    size_t head = 0, tail = 0;

    (void)context;
    reader_init(&open[tail++]);
    seen[open[0].state][open[0].hint] = true;
    for (; head < tail; head++)
        for (unsigned event = 0; event < READER_EVENT_COUNT; event++) {
            struct reader reader = open[head];
            const struct reader_cell *cell;

            if (!may_happen(&reader, event))
                continue;
            cell = apply(&reader_rules, &reader, event);
            if (cell->verdict != READER_STEP || cell->next == READER_GONE)
                continue;
            assert_true(reader_check(&reader));
            if (!seen[reader.state][reader.hint])
                open[tail++] = reader;
            seen[reader.state][reader.hint] = true;
        }
    assert_int_equal(tail, 6);
    assert_true(seen[READER_WAITING][0] && seen[READER_QUEUED][1] && seen[READER_RUNNING][1]);
    assert_true(seen[READER_PAUSED][1] && seen[READER_FINISHED][0] && seen[READER_FAILED][0]);
}

static void only_the_six_pairs_pass_the_check(void **context)
{
    unsigned good = 0;

    (void)context;
    for (unsigned state = 0; state <= READER_STATE_COUNT; state++)
        for (int hint = 0; hint < 2; hint++) {
            struct reader reader = reader_in(state, hint != 0);

            good += reader_check(&reader);
        }
    assert_int_equal(good, 6);
}

/* No sequence of events leads to PAUSED without a hint, so it is set up by hand (R-ST-19). */
static void room_without_a_hint_waits_for_a_notice(void **context)
{
    struct reader reader = {.state = READER_PAUSED, .hint = false};

    (void)context;
    assert_int_equal(reader_step(&reader_rules, &reader, READER_RELEASE_NO_HINT)->queue,
                     READER_QUEUE_KEEP);
    assert_int_equal(reader.state, READER_WAITING);
    assert_false(reader.hint);
}

static void a_forbidden_successor_is_illegal_and_changes_nothing(void **context)
{
    struct reader_rules rules = reader_rules;
    struct reader reader = {.state = READER_FINISHED, .outcome = READER_END_CLEAN};
    const struct reader before = reader;
    static const uint8_t nexts[] = {READER_QUEUED, READER_GONE + 1, 8, 255};

    (void)context;
    for (size_t i = 0; i < sizeof(nexts); i++) {
        rules.cell[READER_FINISHED][READER_NOTICE_ROOM] =
            (struct reader_cell){.next = nexts[i],
                                 .hint = READER_HINT_SET,
                                 .queue = READER_QUEUE_PUSH,
                                 .outcome = READER_END_ERROR};
        const struct reader_cell *cell = reader_step(&rules, &reader, READER_NOTICE_ROOM);

        assert_int_equal(cell->verdict, READER_ILLEGAL);
        assert_int_equal(cell->queue, READER_QUEUE_KEEP);
        assert_true(reader_equal(&reader, &before));
    }
}

static void the_first_errno_is_final(void **context)
{
    struct reader reader = {.state = READER_RUNNING, .hint = true};

    (void)context;
    assert_int_equal(reader_fail(&reader_rules, &reader, ECONNRESET)->verdict, READER_STEP);
    assert_int_equal(reader.state, READER_FAILED);
    assert_int_equal(reader.outcome, READER_END_RESET);
    assert_int_equal(reader.error, ECONNRESET);

    assert_int_equal(reader_fail(&reader_rules, &reader, EIO)->verdict, READER_ILLEGAL);
    assert_int_equal(reader_step(&reader_rules, &reader, READER_EOF_CLEAN)->verdict,
                     READER_ILLEGAL);
    assert_int_equal(reader.outcome, READER_END_RESET);
    assert_int_equal(reader.error, ECONNRESET);
}

/* Even rules that read on after a reset cannot turn it into a clean end (R-ST-20). */
static void the_outcome_is_set_only_once(void **context)
{
    struct reader_rules rules = reader_rules;
    struct reader reader = {.state = READER_RUNNING, .hint = true};

    (void)context;
    rules.cell[READER_RUNNING][READER_FATAL].next = READER_RUNNING;
    assert_int_equal(reader_fail(&rules, &reader, ECONNRESET)->verdict, READER_STEP);
    assert_int_equal(reader.state, READER_RUNNING);
    assert_int_equal(reader_step(&rules, &reader, READER_EOF_CLEAN)->verdict, READER_STEP);
    assert_int_equal(reader.state, READER_FINISHED);
    assert_int_equal(reader.outcome, READER_END_RESET);
    assert_int_equal(reader.error, ECONNRESET);
}

static void only_the_two_final_states_have_ended(void **context)
{
    (void)context;
    for (unsigned state = 0; state < READER_STATE_COUNT; state++) {
        struct reader reader = reader_in(state, false);

        assert_int_equal(reader_ended(&reader),
                         state == READER_FINISHED || state == READER_FAILED);
    }
}

static void every_name_is_there_and_unlike_the_others(void **context)
{
    (void)context;
    assert_string_equal(reader_state_name(READER_WAITING), "WAITING");
    assert_string_equal(reader_state_name(READER_FAILED), "FAILED");
    assert_string_equal(reader_event_name(READER_EXHAUSTED), "EAGAIN");
    assert_string_equal(reader_outcome_name(READER_END_TRUNCATED), "truncated");
    for (unsigned a = 0; a < READER_EVENT_COUNT; a++)
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(reader_event_name(a), reader_event_name(b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_is_the_requirements),
        cmocka_unit_test(every_changed_cell_is_noticed),
        cmocka_unit_test(every_changed_successor_is_noticed),
        cmocka_unit_test(exactly_six_pairs_are_reachable),
        cmocka_unit_test(only_the_six_pairs_pass_the_check),
        cmocka_unit_test(room_without_a_hint_waits_for_a_notice),
        cmocka_unit_test(a_forbidden_successor_is_illegal_and_changes_nothing),
        cmocka_unit_test(the_first_errno_is_final),
        cmocka_unit_test(the_outcome_is_set_only_once),
        cmocka_unit_test(only_the_two_final_states_have_ended),
        cmocka_unit_test(every_name_is_there_and_unlike_the_others),
    };

    return cmocka_run_group_tests(tests, parse_requirement, NULL) != 0;
}
