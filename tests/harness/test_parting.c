/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/parting.h"
#include "tests/support/story.h"
static struct parting part(const struct story *story)
{
    struct names names;
    struct tally tally;
    struct parting parting;

    names_make(&story->happened, &names);
    tally_make(&story->happened, &names, &tally);
    parting = parting_of(&story->happened, &story->got[0], tally_find(&tally, 0));
    tally_free(&tally);
    names_free(&names);
    return parting;
}

static void must(const struct story *story, const char *golden)
{
    struct parting parting = part(story);

    assert_string_equal(parting_text(&parting), golden);
}

/* A peer that sent 2 bytes at 1ms, of which the sut read some at 1ms. */
static void reads(struct story *story, const char *row)
{
    story_begin(story, REACTOR_ET, "c");
    story_row(story, "l accept = c");
    story_at(story, 1);
    (void)story_does(story, "c", PLAN_SEND, "ab", 2, 0);
    story_row(story, row);
}

static void all_read_is_a_fin(void **state)
{
    struct story story;

    (void)state;
    reads(&story, "c read 2 = 2 61 62");
    must(&story, "fin");
    story_row(&story, "c close");
    must(&story, "fin");
    story_end(&story);
}

static void bytes_left_at_the_stop_are_a_reset(void **state)
{
    struct story story;

    (void)state;
    reads(&story, "c read 1 = 1 61");
    must(&story, "reset");
    (void)story_does(&story, "c", PLAN_SHUTDOWN, NULL, 0, 0);
    story.statements[1].how = PLAN_HOW_WRITE;
    must(&story, "reset");
    story_row(&story, "c end error EIO FAILED hint=0 credit=0+0 queue=[] unread=1");
    must(&story, "reset");
    story.plan.pace = PLAN_FREE;
    must(&story, "fin or reset");
    story_end(&story);
}

static void bytes_that_were_there_before_an_early_close_are_a_reset(void **state)
{
    struct story story;

    (void)state;
    reads(&story, "c read 1 = 1 61");
    story_at(&story, 2);
    story_row(&story, "c close");
    must(&story, "reset");
    story.plan.pace = PLAN_FREE;
    must(&story, "fin or reset");
    story_end(&story);
}

static void bytes_of_the_close_s_own_time_may_have_come_behind_it(void **state)
{
    struct story story;

    (void)state;
    reads(&story, "c read 1 = 1 61");
    story_row(&story, "c close");
    must(&story, "fin or reset");
    story_end(&story);
}

static void a_clock_that_callbacks_move_proves_nothing(void **state)
{
    static const struct plan_reaction takes = {.action = PLAN_DO_TAKES};
    struct story story;

    (void)state;
    reads(&story, "c read 1 = 1 61");
    story_at(&story, 2);
    story_row(&story, "c close");
    story.plan.reactions = &takes;
    story.plan.reaction_count = 1;
    must(&story, "fin or reset");
    story_end(&story);
}

static void a_peer_that_went_first_saw_nothing(void **state)
{
    static const enum plan_verb verbs[] = {PLAN_CLOSE, PLAN_RESET};
    struct story story;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        reads(&story, "c read 2 = 2 61 62");
        (void)story_does(&story, "c", verbs[i], NULL, 0, 0);
        must(&story, "nothing");
        story.actions[0].bytes = 1;
        must(&story, "anything");
        story_end(&story);
    }
}

static void a_pipe_and_a_peer_without_connection_see_nothing(void **state)
{
    struct story story;

    (void)state;
    reads(&story, "c read 2 = 2 61 62");
    story.got[0].connected = false;
    must(&story, "nothing");
    story.got[0].connected = true;
    story.happened.family = PLAN_PIPE;
    must(&story, "nothing");
    story_end(&story);
}

static void what_cannot_be_derived_is_not_demanded(void **state)
{
    struct story story;

    (void)state;
    reads(&story, "c read 2 = 2 61 62");
    (void)story_does(&story, "c", PLAN_SHUTDOWN, NULL, 0, 0);
    story.statements[1].how = PLAN_HOW_READ;
    must(&story, "anything");
    story_end(&story);
    story_begin(&story, REACTOR_ET, "c");
    must(&story, "anything");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_read_is_a_fin),
        cmocka_unit_test(bytes_left_at_the_stop_are_a_reset),
        cmocka_unit_test(bytes_that_were_there_before_an_early_close_are_a_reset),
        cmocka_unit_test(bytes_of_the_close_s_own_time_may_have_come_behind_it),
        cmocka_unit_test(a_clock_that_callbacks_move_proves_nothing),
        cmocka_unit_test(a_peer_that_went_first_saw_nothing),
        cmocka_unit_test(a_pipe_and_a_peer_without_connection_see_nothing),
        cmocka_unit_test(what_cannot_be_derived_is_not_demanded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
