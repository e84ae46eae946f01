/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/tally.h"
#include "tests/support/story.h"
static void tally(const struct story *story, struct names *names, struct tally *ret_tally)
{
    names_make(&story->happened, names);
    tally_make(&story->happened, names, ret_tally);
}

static void rows_add_up_for_each_source(void **state)
{
    struct story story;
    struct names names;
    struct tally sum;
    const struct tally_source *c;

    (void)state;
    story_begin(&story, REACTOR_ET, "c d");
    story_row(&story, "l accept = c");
    story_row(&story, "l accept = d");
    story_row(&story, "notice c IN");
    story_row(&story, "c ready QUEUED hint=1 credit=0+0 queue=[c]");
    story_row(&story, "c quantum 1");
    story_row(&story, "c read 2 = 2 00 01");
    story_row(&story, "c read 1 = 1 58");
    story_row(&story, "c frame 1 \"X\"");
    story_row(&story, "c read 2 = EINTR");
    story_row(&story, "c read 2 = EAGAIN");
    story_row(&story, "c stop EAGAIN WAITING hint=0 credit=1+0 queue=[] unread=0");
    tally(&story, &names, &sum);
    assert_int_equal(sum.count, 2);
    assert_false(sum.halted);
    c = tally_find(&sum, 0);
    assert_non_null(c);
    assert_int_equal(c->notices, 1);
    assert_int_equal(c->quanta, 1);
    assert_int_equal(c->reads, 4);
    assert_int_equal(c->eagain, 1);
    assert_int_equal(c->eintr, 1);
    assert_int_equal(c->read_size, 3);
    assert_memory_equal(c->read.data, "\0\1X", 3);
    assert_int_equal(c->frame_count, 1);
    assert_int_equal(c->used, 1);
    assert_int_equal(c->state, READER_WAITING);
    assert_int_equal(c->peak, 5);
    assert_int_equal(tally_find(&sum, 1)->reads, 0);
    assert_null(tally_find(&sum, 2));
    tally_free(&sum);
    names_free(&names);
    story_end(&story);
}

static void a_close_before_the_stop_is_the_applications(void **state)
{
    struct story story;
    struct names names;
    struct tally sum;

    (void)state;
    story_begin(&story, REACTOR_ET, "c d e");
    story_row(&story, "l accept = c");
    story_row(&story, "l accept = d");
    story_row(&story, "l accept = e");
    story_at(&story, 3);
    story_row(&story, "c close");
    story_at(&story, 4);
    story_row(&story, "stop");
    story_row(&story, "d close");
    tally(&story, &names, &sum);
    assert_true(sum.halted);
    assert_true(sum.sources[0].closed_early);
    assert_int_equal(sum.sources[0].closed_at.ns, 3000000);
    assert_false(sum.sources[1].closed_early);
    assert_int_equal(sum.sources[1].closed_at.ns, 4000000);
    assert_int_equal(sum.sources[2].closed_at.ns, INSTANT_NEVER.ns);
    tally_free(&sum);
    names_free(&names);
    story_end(&story);
}

static void the_first_end_counts(void **state)
{
    struct story story;
    struct names names;
    struct tally sum;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    story_row(&story, "l accept = c");
    story_row(&story, "c end error EIO FAILED hint=0 credit=0+0 queue=[] unread=2");
    story_row(&story, "c end clean FINISHED hint=0 credit=0+0 queue=[] unread=0");
    tally(&story, &names, &sum);
    assert_int_equal(sum.sources[0].ends, 2);
    assert_int_equal(sum.sources[0].outcome, READER_END_ERROR);
    assert_int_equal(sum.sources[0].error, EIO);
    tally_free(&sum);
    names_free(&names);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_add_up_for_each_source),
        cmocka_unit_test(a_close_before_the_stop_is_the_applications),
        cmocka_unit_test(the_first_end_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
