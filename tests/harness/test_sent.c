/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/sent.h"
#include "tests/support/story.h"
static void bytes_come_in_order_as_far_as_they_were_taken(void **state)
{
    struct story story;
    struct sent sent;

    (void)state;
    story_begin(&story, REACTOR_ET, "c d");
    (void)story_does(&story, "c", PLAN_SEND, "ab", 2, 0);
    (void)story_does(&story, "d", PLAN_SEND, "xx", 2, 0);
    story_at(&story, 4);
    story_does(&story, "c", PLAN_SEND, "cdef", 4, 0)->bytes = 3;
    sent_make(&story.happened, 0, &sent);
    assert_int_equal(sent.size, 5);
    assert_memory_equal(sent.data, "abcde", 5);
    assert_int_equal(sent.last.ns, 4000000);
    assert_false(sent.ended);
    sent_free(&sent);
    assert_int_equal(sent_before(&story.happened, 0, (struct instant){4000000}), 2);
    assert_int_equal(sent_before(&story.happened, 0, (struct instant){4000001}), 5);
    story_end(&story);
}

static void ends(enum plan_verb verb, enum plan_how how, int error, bool ended, bool reset)
{
    struct story story;
    struct sent sent;

    story_begin(&story, REACTOR_ET, "c");
    story_does(&story, "c", verb, NULL, 0, 0)->error = error;
    story.statements[0].how = how;
    sent_make(&story.happened, 0, &sent);
    assert_int_equal(sent.ended, ended);
    assert_int_equal(sent.reset, reset);
    assert_int_equal(sent.last.ns, INSTANT_PAST.ns);
    sent_free(&sent);
    story_end(&story);
}

static void whatever_closes_the_write_direction_ends_it(void **state)
{
    (void)state;
    ends(PLAN_SHUTDOWN, PLAN_HOW_WRITE, 0, true, false);
    ends(PLAN_SHUTDOWN, PLAN_HOW_BOTH, 0, true, false);
    ends(PLAN_SHUTDOWN, PLAN_HOW_READ, 0, false, false);
    ends(PLAN_SHUTDOWN, PLAN_HOW_WRITE, ENOTCONN, false, false);
    ends(PLAN_CLOSE, PLAN_HOW_WRITE, 0, true, false);
    ends(PLAN_RESET, PLAN_HOW_WRITE, 0, true, true);
    ends(PLAN_CONNECT, PLAN_HOW_WRITE, 0, false, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_come_in_order_as_far_as_they_were_taken),
        cmocka_unit_test(whatever_closes_the_write_direction_ends_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
