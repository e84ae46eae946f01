/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/ledger/names.h"
#include "tests/support/story.h"
static void sources_are_numbered_as_the_sut_got_them(void **state)
{
    struct story story;
    struct names names;

    (void)state;
    story_begin(&story, REACTOR_ET, "c d");
    story_row(&story, "l accept = d");
    story_row(&story, "l accept = c");
    story_row(&story, "l accept = EAGAIN");
    story.sources[0] = 1;
    story.sources[1] = 0;
    names_make(&story.happened, &names);
    assert_int_equal(names.count, 2);
    assert_int_equal(names_peer(&names, 0), 1);
    assert_int_equal(names_peer(&names, 1), 0);
    assert_int_equal(names_peer(&names, 2), PLAN_NOBODY);
    assert_int_equal(names_peer(&names, NAMES_NONE), PLAN_NOBODY);
    assert_string_equal(names_text(&names, names.sources[0]), "d");
    assert_string_equal(names_text(&names, names.listener), "l");
    assert_string_equal(names_text(&names, (struct identity){7, 7}), "?");
    assert_int_equal(names_find(&names, names.sources[1]), 1);
    assert_int_equal(names_find(&names, names.listener), NAMES_NONE);
    names_free(&names);
    story_end(&story);
}

static void a_source_that_the_record_does_not_name_is_nobody(void **state)
{
    struct story story;
    struct names names;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    story_row(&story, "c adopt");
    story.happened.source_count = 0;
    names_make(&story.happened, &names);
    assert_int_equal(names_peer(&names, 0), PLAN_NOBODY);
    assert_string_equal(names_text(&names, names.sources[0]), "?");
    names_free(&names);
    story.happened.source_count = 1;
    story.sources[0] = 9;
    names_make(&story.happened, &names);
    assert_int_equal(names_peer(&names, 0), PLAN_NOBODY);
    names_free(&names);
    story_end(&story);
}

static void without_a_journal_there_is_nobody(void **state)
{
    struct story story;
    struct names names;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    story.happened.journal = NULL;
    names_make(&story.happened, &names);
    assert_int_equal(names.count, 0);
    names_free(&names);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_numbered_as_the_sut_got_them),
        cmocka_unit_test(a_source_that_the_record_does_not_name_is_nobody),
        cmocka_unit_test(without_a_journal_there_is_nobody),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
