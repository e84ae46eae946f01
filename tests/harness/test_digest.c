/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/report/digest.h"
#include "harness/report/json.h"
#include "tests/harness/sample.h"

static void the_headline_is_the_reason_or_the_first_difference(void **state)
{
    struct result fail = sample_fail(REACTOR_ET, PLAN_IPV4);
    struct result late = sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_LATE, "c was late");
    struct result pass = sample_pass(REACTOR_ET, PLAN_IPV4, 1);

    (void)state;
    assert_string_equal(digest_headline(&fail),
                        "scenarios/framing/one.events:7: the events part here");
    lines_free(&fail.events.diff);
    assert_string_equal(digest_headline(&fail),
                        "scenarios/framing/one.scn:24:3: c frames: expected 2, got 1");
    lines_free(&fail.failed);
    assert_string_equal(digest_headline(&fail), "c unread 4");
    assert_string_equal(digest_headline(&late), "c was late");
    assert_null(digest_headline(&pass));
    result_free(&fail);
    result_free(&late);
    result_free(&pass);
}

static void the_details_have_a_title_for_each_list_that_is_not_empty(void **state)
{
    struct result fail = sample_fail(REACTOR_ET, PLAN_IPV4);
    struct lines lines = {0};
    char *text;

    (void)state;
    digest_details(&lines, &fail);
    text = lines_join(&lines, NULL);
    assert_string_equal(text, "events differ from what is expected:\n"
                              "  scenarios/framing/one.events:7: the events part here\n"
                              "      ctl c add IN RDHUP ET\n"
                              "    - c quantum 3\n"
                              "    + stop\n"
                              "expectations that do not hold:\n"
                              "  scenarios/framing/one.scn:24:3: c frames: expected 2, got 1\n"
                              "left over:\n"
                              "  c unread 4\n"
                              "notes:\n"
                              "  c rcvbuf 131072\n");
    free(text);
    lines_free(&lines);
    result_free(&fail);
}

static void every_ledger_and_the_times_are_told(void **state)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 0);
    struct lines lines = {0};
    char *text;

    (void)state;
    lines_add(&result.wire.diff, "w");
    lines_add(&result.peers.diff, "p");
    digest_details(&lines, &result);
    text = lines_join(&lines, NULL);
    assert_string_equal(text, "wire differs from what is expected:\n  w\n"
                              "peers differ from what is expected:\n  p\n");
    free(text);
    result.runs[RESULT_PASS] = 3;
    result.runs[RESULT_LATE] = 1;
    text = digest_figures(&result);
    assert_string_equal(text, "pass, wall 12.4 ms, set-up 2.1 ms, timeline 6.25 ms, "
                              "at most 41 us late, runs: 3 pass, 1 late");
    free(text);
    lines_free(&lines);
    result_free(&result);
}

static void a_list_without_end_is_counted(void **state)
{
    struct lines from = {0};
    struct lines lines = {0};

    (void)state;
    for (int i = 0; i < JSON_LINES_MAX; i++)
        lines_add(&from, "c%d", i);
    digest_add(&lines, "  ", &from);
    assert_int_equal(lines.count, JSON_LINES_MAX);
    assert_string_equal(lines.line[JSON_LINES_MAX - 1], "  c499");
    lines_free(&lines);
    lines_add(&from, "one more");
    digest_add(&lines, "  ", &from);
    assert_int_equal(lines.count, JSON_LINES_MAX);
    assert_string_equal(lines.line[JSON_LINES_MAX - 1], "  ... and 2 more lines");
    lines_free(&lines);
    lines_free(&from);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_headline_is_the_reason_or_the_first_difference),
        cmocka_unit_test(the_details_have_a_title_for_each_list_that_is_not_empty),
        cmocka_unit_test(every_ledger_and_the_times_are_told),
        cmocka_unit_test(a_list_without_end_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
