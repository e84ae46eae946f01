/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/diff.h"
#include "tests/support/story.h"

/* Compares two texts of rows; what is told is `golden`, "" for equal ones. */
static void differ(const struct diff *base, const char *should, const char *is, const char *golden)
{
    struct lines errors = {0}, happened = {0}, told = {0};
    struct expected expected;
    struct diff diff = *base;
    const struct expected_row **rows;
    char *text;
    bool equal;

    assert_int_equal(
        expected_parse("x.events", EXPECTED_EVENTS, should, strlen(should), &expected, &errors), 0);
    lines_split(&happened, is, strlen(is));
    rows = expected_select(&expected, REACTOR_ET, &diff.expected_count);
    diff.expected = rows;
    diff.happened = &happened;
    equal = diff_rows(&diff, &told, NULL);
    text = lines_join(&told, NULL);
    assert_string_equal(text, golden);
    assert_int_equal(equal, *golden == '\0');
    free(text);
    free(rows);
    lines_free(&told);
    lines_free(&happened);
    expected_free(&expected);
}

static const struct diff plain = {.what = "events", .file = "x.events"};

static void equal_ledgers_have_nothing_to_tell(void **state)
{
    (void)state;
    differ(&plain, "", "", "");
    differ(&plain, "a b\nc\n", "a b\nc\n", "");
}

static void layout_is_not_compared_but_payload_is(void **state)
{
    (void)state;
    differ(&plain, "c  stop   x \n", "c stop x\n", "");
    differ(&plain, "c frame 1 \"a  b\"   z\n", "c frame 1 \"a  b\" z\n", "");
    differ(&plain, "c frame 1 \"a  b\"\n", "c frame 1 \"a b\"\n",
           "x.events:1: the events ledger parts here; - expected, + happened\n"
           "  - c frame 1 \"a  b\"\n"
           "  + c frame 1 \"a b\"\n"
           "              ^^^^^\n"
           "  1 row expected, 1 happened; 0 of them are equal\n");
}

static void a_changed_row_is_shown_beside_the_old_one_with_its_words_marked(void **state)
{
    (void)state;
    differ(&plain,
           "c quantum 4\n"
           "c read 1 = 1 54\n"
           "c frame 1 \"CAT\"                              credit=5+0\n"
           "c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=4\n"
           "lt: ctl c -IN -RDHUP\n"
           "c consume 1                                  credit=0+0\n"
           "c quantum 5\n"
           "c read 2 = 2 00 02\n",
           "c quantum 4\n"
           "c read 1 = 1 54\n"
           "c frame 1 \"CAT\"                              credit=5+0\n"
           "c stop frames capacity       QUEUED   hint=1 credit=5+0 queue=[c] unread=4\n"
           "c consume 1                                  credit=0+0\n"
           "c quantum 5\n"
           "c read 2 = 2 00 02\n",
           "x.events:4: the events ledger parts here, after 3 equal rows; - expected, + happened\n"
           "    c quantum 4\n"
           "    c read 1 = 1 54\n"
           "    c frame 1 \"CAT\"                              credit=5+0\n"
           "  - c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=4\n"
           "  + c stop frames capacity       QUEUED   hint=1 credit=5+0 queue=[c] unread=4\n"
           "                                 ^^^^^^                     ^^^^^^^^^\n"
           "    c consume 1                                  credit=0+0\n"
           "    c quantum 5\n"
           "  7 rows expected, 7 happened; 6 of them are equal\n");
}

static void a_word_more_leaves_the_others_unmarked(void **state)
{
    (void)state;
    differ(&plain, "c read 4 = 4 61 62 63 64  credit=0+4\n",
           "c read 4 = 5 61 00 62 63 64 credit=0+4\n",
           "x.events:1: the events ledger parts here; - expected, + happened\n"
           "  - c read 4 = 4 61 62 63 64  credit=0+4\n"
           "  + c read 4 = 5 61 00 62 63 64 credit=0+4\n"
           "               ^    ^^\n"
           "  1 row expected, 1 happened; 0 of them are equal\n");
    differ(&plain, "et: notice c IN again\n", "notice c IN\n",
           "x.events:1: the events ledger parts here; - expected, + happened\n"
           "  - notice c IN again\n"
           "  + notice c IN\n"
           "  1 row expected, 1 happened; 0 of them are equal\n");
}

static void a_row_too_many_and_a_row_too_few_leave_the_rest_aligned(void **state)
{
    (void)state;
    differ(&plain, "a\nb\nc\nd\ne\n", "a\nc\nd\ne\nf\n",
           "x.events:2: the events ledger parts here, after 1 equal row; - expected, + happened\n"
           "    a\n"
           "  - b\n"
           "    c\n"
           "    d\n"
           "  5 rows expected, 5 happened; 4 of them are equal; 1 more difference below\n");
    differ(&plain, "a\nb\nc\n", "a\nx\nb\nc\n",
           "x.events:2: the events ledger parts here, after 1 equal row; - expected, + happened\n"
           "    a\n"
           "  + x\n"
           "    b\n"
           "    c\n"
           "  3 rows expected, 4 happened; 3 of them are equal\n");
}

static void an_end_that_comes_too_early_is_told(void **state)
{
    (void)state;
    differ(&plain, "a\n\nb\nc\n", "a\n",
           "x.events:3: the events ledger parts here, after 1 equal row; - expected, + happened\n"
           "    a\n"
           "  - b\n"
           "  - c\n"
           "  + (nothing more)\n"
           "  3 rows expected, 1 happened; 1 of them are equal\n");
    differ(&plain, "# x\na\n", "a\nb\n",
           "x.events:2: the events ledger parts here, after 1 equal row; - expected, + happened\n"
           "    a\n"
           "  - (nothing more)\n"
           "  + b\n"
           "  1 row expected, 2 happened; 1 of them are equal\n");
    differ(&plain, "", "a\n",
           "x.events:1: the events ledger parts here; - expected, + happened\n"
           "  - (nothing more)\n"
           "  + a\n"
           "  0 rows expected, 1 happened; 0 of them are equal\n");
}

static void a_long_difference_is_cut(void **state)
{
    (void)state;
    differ(&plain, "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\nz\n", "z\n",
           "x.events:1: the events ledger parts here; - expected, + happened\n"
           "  - 1\n  - 2\n  - 3\n  - 4\n  - 5\n  - 6\n  - 7\n  - 8\n"
           "  - .. and 2 more\n"
           "    z\n"
           "  11 rows expected, 1 happened; 1 of them are equal\n");
}

static void a_difference_names_the_statement_of_its_instant(void **state)
{
    static const struct instant at[] = {{0}, {3000000}, {4000000}, {5000000}};
    struct diff diff = {.what = "events", .file = "x.events", .at = at};
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    diff.plan = &story.plan;
    (void)story_does(&story, "c", PLAN_CONNECT, NULL, 0, 0);
    story_at(&story, 3);
    (void)story_does(&story, "c", PLAN_SEND, "T\0\2OK", 5, 0);
    story_at(&story, 4);
    (void)story_says(&story, PLAN_CONSUME, "c");
    /* A row that came: its own instant. */
    differ(&diff, "a\nb\n", "a\nx\n",
           "x.events:2: the events ledger parts here, after 1 equal row; - expected, + happened\n"
           "    a\n"
           "  - b\n"
           "  + x\n"
           "  caused by x.scn:21:  3ms  c send 54 00 02 4f 4b\n"
           "  2 rows expected, 2 happened; 1 of them are equal\n");
    /* One that did not come: the instant of the row before. */
    differ(&diff, "a\nb\nc\nresume\nd\n", "a\nb\nc\nd\n",
           "x.events:4: the events ledger parts here, after 3 equal rows; - expected, + happened\n"
           "    a\n"
           "    b\n"
           "    c\n"
           "  - resume\n"
           "    d\n"
           "  caused by x.scn:22:  4ms  sut consume c\n"
           "  5 rows expected, 4 happened; 4 of them are equal\n");
    story.statements[0].at.ns = 1;
    differ(&diff, "a\n", "b\n",
           "x.events:1: the events ledger parts here; - expected, + happened\n"
           "  - a\n"
           "  + b\n"
           "  before the first statement of x.scn\n"
           "  1 row expected, 1 happened; 0 of them are equal\n");
    story_end(&story);
}

static void a_long_ledger_costs_no_more_than_a_window(void **state)
{
    enum { ROWS = 200000 };
    struct lines happened = {0}, told = {0};
    struct expected_row *rows = calloc(ROWS, sizeof(*rows));
    const struct expected_row **chosen = calloc(ROWS, sizeof(*chosen));
    struct diff diff = plain;
    char text[16];

    (void)state;
    assert_non_null(rows);
    assert_non_null(chosen);
    for (uint32_t i = 0; i < ROWS; i++) {
        (void)snprintf(text, sizeof(text), "e%u", i);
        rows[i] = (struct expected_row){.text = strdup(text), .line = i + 1};
        chosen[i] = &rows[i];
        lines_add(&happened, "%c%u", i < 100 ? 'e' : 'h', i);
    }
    diff.expected = chosen;
    diff.expected_count = ROWS;
    diff.happened = &happened;
    assert_false(diff_rows(&diff, &told, NULL));
    assert_string_equal(told.line[0],
                        "x.events:101: the events ledger parts here, after 100 equal rows; "
                        "- expected, + happened");
    assert_string_equal(told.line[told.count - 1],
                        "  200000 rows expected, 200000 happened; at least 100 of them are equal");
    for (uint32_t i = 0; i < ROWS; i++)
        free(rows[i].text);
    free(rows);
    free(chosen);
    lines_free(&happened);
    lines_free(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_ledgers_have_nothing_to_tell),
        cmocka_unit_test(layout_is_not_compared_but_payload_is),
        cmocka_unit_test(a_changed_row_is_shown_beside_the_old_one_with_its_words_marked),
        cmocka_unit_test(a_word_more_leaves_the_others_unmarked),
        cmocka_unit_test(a_row_too_many_and_a_row_too_few_leave_the_rest_aligned),
        cmocka_unit_test(an_end_that_comes_too_early_is_told),
        cmocka_unit_test(a_long_difference_is_cut),
        cmocka_unit_test(a_difference_names_the_statement_of_its_instant),
        cmocka_unit_test(a_long_ledger_costs_no_more_than_a_window),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
