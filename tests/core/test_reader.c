/* SPDX-License-Identifier: BSD-2-Clause */
/* The read direction's table against the requirement's. What the walk over every cell is worth is
 * shown by test_mutants.c: each change of one field of one cell must be noticed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/reader.h"
#include "tests/core/reader_table.h"

static void every_cell_is_the_requirements(void **context)
{
    (void)context;
    assert_int_equal(walk_cells(&reader_rules), 0);
    assert_int_equal(walk_successors(&reader_rules), 0);
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
