/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/ledger/lateness.h"
#include "tests/support/story.h"

static void lateness_is_the_worst_of_all(void **state)
{
    struct story story;
    struct lateness late;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    assert_int_equal(lateness_of(&story.happened).worst.ns, 0);
    (void)story_does(&story, "c", PLAN_CONNECT, NULL, 0, -7);
    assert_int_equal(lateness_of(&story.happened).worst.ns, 0);
    (void)story_does(&story, "c", PLAN_SEND, "a", 1, 900);
    (void)story_does(&story, "c", PLAN_SEND, "b", 1, 300);
    late = lateness_of(&story.happened);
    assert_int_equal(late.worst.ns, 900000);
    assert_int_equal(late.statement, 1);
    story_end(&story);
}

/* `count` connects of one line at 0 ms, each `gap_us` after the one before, then a send at 1 ms. */
static void crowd(struct story *story, uint32_t count, int64_t gap_us)
{
    story_begin(story, REACTOR_ET, "c");
    for (uint32_t i = 0; i < count; i++) {
        (void)story_does(story, "c", PLAN_CONNECT, NULL, 0, gap_us * i);
        story->statements[i].place.line = 15;
    }
    story_at(story, 1);
    (void)story_does(story, "c", PLAN_SEND, "a", 1, gap_us * count - 1000);
    story->statements[count].place.line = 16;
}

static void a_line_that_takes_longer_than_the_script_gives_is_why(void **state)
{
    struct story story;
    struct lateness late;

    (void)state;
    crowd(&story, 10, 400);
    late = lateness_of(&story.happened);
    assert_int_equal(late.worst.ns, 3600000); /* the last connect, due at 0 ms */
    assert_true(late.by_work);
    assert_int_equal(late.busy, 8);
    assert_int_equal(late.work.ns, 3600000);
    story.actions[10].actual.ns += 2000000; /* the instant's end takes its time */
    late = lateness_of(&story.happened);
    assert_int_equal(late.statement, 10);
    assert_true(late.by_work);
    assert_int_equal(late.busy, 9);
    assert_int_equal(late.work.ns, 6000000);
    story_end(&story);
}

static void a_machine_that_stalls_is_not(void **state)
{
    struct story story;

    (void)state;
    crowd(&story, 10, 20);
    story.actions[10].actual.ns = 9000000;
    assert_false(lateness_of(&story.happened).by_work);
    for (int i = 7; i <= 10; i++) /* two stalls */
        story.actions[i].actual.ns += 9000000;
    assert_false(lateness_of(&story.happened).by_work);
    assert_true(lateness_of(&story.happened).worst.ns > 2000000);
    story_end(&story);
    crowd(&story, LATENESS_STRETCH - 2, 4000); /* too few to tell */
    assert_false(lateness_of(&story.happened).by_work);
    story_end(&story);
}

static void a_pause_ends_the_stretch(void **state)
{
    struct story story;

    (void)state;
    crowd(&story, 10, 90);
    story.actions[10].actual.ns = 4000000; /* all connects were over before the send was due */
    assert_false(lateness_of(&story.happened).by_work);
    story_end(&story);
}

static void one_line_that_held_the_bench_is_named(void **state)
{
    struct story story;
    struct lateness late;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    (void)story_does(&story, "c", PLAN_CONNECT, NULL, 0, 0);
    story_at(&story, 1);
    (void)story_does(&story, "c", PLAN_SEND, "a", 1, 10);
    story_at(&story, 2);
    (void)story_does(&story, "c", PLAN_SEND, "b", 1, 203000);
    story.actions[1].free = (struct instant){500000};
    story.actions[2].free = story.actions[2].actual;
    late = lateness_of(&story.happened);
    assert_true(late.held);
    assert_int_equal(late.holder, 1);
    assert_int_equal(late.hold.ns, 203990000);
    /* It slept before the action, and woke up too late: nobody's line. */
    story.actions[2].free = (struct instant){1500000};
    assert_false(lateness_of(&story.happened).held);
    story_end(&story);
}

static void a_statement_of_the_same_instant_can_hold_it_too(void **state)
{
    struct story story;
    struct lateness late;

    (void)state;
    story_begin(&story, REACTOR_ET, "c d");
    (void)story_does(&story, "c", PLAN_CONNECT, NULL, 0, 0);
    (void)story_does(&story, "d", PLAN_CONNECT, NULL, 0, 9000);
    late = lateness_of(&story.happened);
    assert_true(late.held);
    assert_int_equal(late.holder, 0);
    assert_int_equal(late.hold.ns, 9000000);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lateness_is_the_worst_of_all),
        cmocka_unit_test(a_line_that_takes_longer_than_the_script_gives_is_why),
        cmocka_unit_test(a_machine_that_stalls_is_not),
        cmocka_unit_test(a_pause_ends_the_stretch),
        cmocka_unit_test(one_line_that_held_the_bench_is_named),
        cmocka_unit_test(a_statement_of_the_same_instant_can_hold_it_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
