/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/ledger/cause.h"
#include "tests/support/story.h"
static void told(int64_t ns, const char *golden)
{
    char text[32];

    cause_time((struct instant){ns}, text, sizeof(text));
    assert_string_equal(text, golden);
}

static void times_have_their_largest_whole_unit(void **state)
{
    (void)state;
    told(0, "0ms");
    told(2000000000, "2s");
    told(1500000000, "1500ms");
    told(200000, "200us");
    told(1, "1ns");
}

static void says(const struct story *story, const struct plan_statement *statement,
                 const char *golden)
{
    char text[CAUSE_TEXT_MAX];

    cause_statement(&story->plan, statement, text);
    assert_string_equal(text, golden);
}

static void statements_read_as_in_the_script(void **state)
{
    struct story story;
    struct plan_statement *statement;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    statement = story_says(&story, PLAN_SEND, "c");
    statement->bytes = (struct plan_bytes){(const uint8_t *)"\0\1\2\3\4\5\6\7\10", 9};
    says(&story, statement, "c send 00 01 02 03 04 05 06 07 .. (9 bytes)");
    statement = story_says(&story, PLAN_SHUTDOWN, "c");
    statement->how = PLAN_HOW_BOTH;
    says(&story, statement, "c shutdown both");
    statement = story_says(&story, PLAN_CONSUME, "c");
    says(&story, statement, "sut consume c");
    statement->count = 3;
    says(&story, statement, "sut consume c 3");
    statement = story_says(&story, PLAN_RUN, NULL);
    statement->rounds = 2;
    says(&story, statement, "sut run rounds=2");
    statement = story_says(&story, PLAN_FAULT, "c");
    statement->fault = (struct plan_fault){PLAN_CALL_READ, PLAN_FAULT_ERRNO, EINTR, 0, 4};
    says(&story, statement, "sut fault read c EINTR x4");
    statement = story_says(&story, PLAN_WAIT_UNTIL, "c");
    statement->condition = PLAN_UNTIL_UNREAD;
    statement->count = 7;
    says(&story, statement, "wait-until c unread 7");
    story_end(&story);
}

static void a_row_belongs_to_the_last_statement_at_or_before_it(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    assert_null(cause_find(&story.plan, (struct instant){5}));
    story_at(&story, 1);
    (void)story_says(&story, PLAN_CONNECT, "c");
    (void)story_says(&story, PLAN_HOLD, NULL);
    story_at(&story, 3);
    (void)story_says(&story, PLAN_GO, NULL);
    assert_null(cause_find(&story.plan, (struct instant){999999}));
    assert_ptr_equal(cause_find(&story.plan, (struct instant){1000000}), &story.statements[1]);
    assert_ptr_equal(cause_find(&story.plan, (struct instant){2999999}), &story.statements[1]);
    assert_ptr_equal(cause_find(&story.plan, (struct instant){9000000}), &story.statements[2]);
    story_end(&story);
}

static void a_row_belongs_to_the_statement_about_its_peer(void **state)
{
    struct story story;
    struct instant at = {1000000};

    (void)state;
    story_begin(&story, REACTOR_ET, "A B");
    (void)story_says(&story, PLAN_CONNECT, "A");
    story_at(&story, 1);
    (void)story_says(&story, PLAN_SEND, "A");
    (void)story_says(&story, PLAN_SEND, "B");
    assert_ptr_equal(cause_of_row(&story.plan, at, "A stop EAGAIN"), &story.statements[1]);
    assert_ptr_equal(cause_of_row(&story.plan, at, "notice A IN"), &story.statements[1]);
    assert_ptr_equal(cause_of_row(&story.plan, at, "ctl B add IN"), &story.statements[2]);
    assert_ptr_equal(cause_of_row(&story.plan, at, "l accept = A"), &story.statements[2]);
    assert_ptr_equal(cause_of_row(&story.plan, at, "stop"), &story.statements[2]);
    assert_ptr_equal(cause_of_row(&story.plan, (struct instant){0}, "B close"),
                     &story.statements[0]);
    story_end(&story);
}

static void spans_are_told_in_a_unit_that_fits(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } spans[] = {{1, "1 ns"}, {9999, "9999 ns"}, {10000, "10 us"}, {9999999, "9999 us"},
                 {203000000, "203 ms"}};
    char text[32];

    (void)state;
    for (size_t i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
        cause_span((struct duration){spans[i].ns}, text, sizeof(text));
        assert_string_equal(text, spans[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_have_their_largest_whole_unit),
        cmocka_unit_test(statements_read_as_in_the_script),
        cmocka_unit_test(a_row_belongs_to_the_last_statement_at_or_before_it),
        cmocka_unit_test(a_row_belongs_to_the_statement_about_its_peer),
        cmocka_unit_test(spans_are_told_in_a_unit_that_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
