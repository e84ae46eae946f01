/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/json.h"
#include "harness/report/junit.h"
#include "tests/harness/sample_sink.h"

static const struct junit_origin origin = {.host = "a<b", .seconds = 951782400};

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
#define SUITE(id, tests, failures, errors, skipped, time)                                     \
    "  <testsuite name=\"framing/one\" package=\"framing\" id=\"" id "\""                     \
    " timestamp=\"2000-02-29T00:00:00\" hostname=\"a&lt;b\" tests=\"" tests "\" failures=\""  \
    failures "\" errors=\"" errors "\" skipped=\"" skipped "\" time=\"" time "\">\n"
#define PROPERTIES                                                            \
    "      <property name=\"tool\" value=\"edgewise\"/>\n"                    \
    "      <property name=\"version\" value=\"1.2.3\"/>\n"                    \
    "      <property name=\"seed\" value=\"0x1f\"/>\n"                        \
    "      <property name=\"replay\" value=\"" SAMPLE_REPLAY "\"/>\n"
#define ALL_PROPERTIES "    <properties>\n" PROPERTIES "    </properties>\n"
#define CASE(cell) \
    "    <testcase classname=\"framing.one\" name=\"" cell "\" time=\"0.012400\""
#define FIGURES(cell, verdict)                                                          \
    cell " " verdict ", wall 12.4 ms, set-up 2.1 ms, timeline 6.25 ms, at most 41 us " \
         "late, runs: 1 " verdict "\n"
#define OUTPUT(text) "    <system-out>" text "</system-out>\n    <system-err/>\n"
#define FOOT "  </testsuite>\n</testsuites>\n"
#define NEXT "next: ./run scenario framing/one --trigger et --family ipv4 --set a=1 -v\n"

/* The document of one scenario; frees its results. */
static char *document_of(struct result *results, size_t count)
{
    struct sample_stream stream;
    struct junit junit;
    struct sink sink;

    sample_open(&stream);
    sink = junit_sink(&junit, origin, sample_words, stream.out);
    sample_begin(sink, 6);
    if (count > 0)
        sample_tell(sink, results, count);
    assert_int_equal(sample_end(sink, 0, 0), 0);
    for (size_t i = 0; i < count; i++)
        result_free(&results[i]);
    return sample_text(&stream);
}

static void one_is(struct result result, const char *expected)
{
    char *text = document_of(&result, 1);

    assert_string_equal(text, expected);
    free(text);
}

static void a_pass_is_an_empty_case(void **state)
{
    (void)state;
    one_is(sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1)),
           HEAD SUITE("0", "1", "0", "0", "0", "0.012400") ALL_PROPERTIES CASE("veth-et-ipv4")
               "/>\n" OUTPUT(FIGURES("veth-et-ipv4", "pass")) FOOT);
}

static void a_fail_is_a_failure_with_what_differs(void **state)
{
    (void)state;
    one_is(sample_once(sample_fail(REACTOR_ET, PLAN_IPV4)),
           HEAD SUITE("0", "1", "1", "0", "0", "0.012400") ALL_PROPERTIES CASE("veth-et-ipv4")
               ">\n      <failure type=\"fail\" message=\"scenarios/framing/one.events:7: the "
               "events part here\">events differ from what is expected:\n"
               "  scenarios/framing/one.events:7: the events part here\n"
               "      ctl c add IN RDHUP ET\n"
               "    - c quantum 3\n"
               "    + stop\n"
               "expectations that do not hold:\n"
               "  scenarios/framing/one.scn:24:3: c frames: expected 2, got 1\n"
               "left over:\n"
               "  c unread 4\n"
               "notes:\n"
               "  c rcvbuf 131072\n" NEXT "</failure>\n    </testcase>\n"
               OUTPUT(FIGURES("veth-et-ipv4", "fail")) FOOT);
}

static void an_error_is_an_error(void **state)
{
    (void)state;
    one_is(sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_ERROR, "no \"veth\"")),
           HEAD SUITE("0", "1", "0", "1", "0", "0.012400") ALL_PROPERTIES CASE("veth-et-ipv4")
               ">\n      <error type=\"error\" message=\"no &quot;veth&quot;\">no \"veth\"\n" NEXT
               "</error>\n    </testcase>\n" OUTPUT(FIGURES("veth-et-ipv4", "error")) FOOT);
}

static void a_skip_is_skipped(void **state)
{
    (void)state;
    one_is(sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_SKIP, "no\nIPv6")),
           HEAD SUITE("0", "1", "0", "0", "1", "0.012400") ALL_PROPERTIES CASE("veth-et-ipv4")
               ">\n      <skipped message=\"no&#10;IPv6\"/>\n    </testcase>\n"
               OUTPUT(FIGURES("veth-et-ipv4", "skip")) FOOT);
}

static void late_is_a_property_and_no_failure(void **state)
{
    (void)state;
    one_is(sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_LATE, "c came late")),
           HEAD SUITE("0", "1", "0", "0", "0", "0.012400") "    <properties>\n" PROPERTIES
               "      <property name=\"late.veth-et-ipv4\" value=\"c came late\"/>\n"
               "    </properties>\n" CASE("veth-et-ipv4") "/>\n"
               OUTPUT(FIGURES("veth-et-ipv4", "late") "  c came late\n") FOOT);
}

static void a_suite_counts_its_cells(void **state)
{
    struct result results[] = {
        sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1)),
        sample_once(sample_fail(REACTOR_LT, PLAN_IPV4)),
        sample_once(sample_with_reason(REACTOR_OS, PLAN_IPV4, RESULT_LATE, "l")),
        sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV6, RESULT_ERROR, "e")),
        sample_once(sample_with_reason(REACTOR_LT, PLAN_IPV6, RESULT_SKIP, "s")),
        sample_once(sample_with_reason(REACTOR_OS, PLAN_IPV6, RESULT_SKIP, "s")),
    };
    char *text;

    (void)state;
    results[0].runs[RESULT_PASS] = 19;
    results[0].runs[RESULT_LATE] = 1;
    text = document_of(results, 6);
    assert_non_null(strstr(text, SUITE("0", "6", "1", "1", "2", "0.074400")));
    assert_non_null(strstr(text, "late, runs: 19 pass, 1 late\n"));
    free(text);
}

static void suites_are_numbered(void **state)
{
    struct result result = sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1));
    struct sample_stream stream;
    struct junit junit;
    struct sink sink;
    char *text;

    (void)state;
    sample_open(&stream);
    sink = junit_sink(&junit, origin, sample_words, stream.out);
    sample_begin(sink, 2);
    sample_tell(sink, &result, 1);
    sample_tell(sink, &result, 1);
    sample_end(sink, 0, 0);
    text = sample_text(&stream);
    assert_non_null(strstr(text, " id=\"0\""));
    assert_non_null(strstr(text, " id=\"1\""));
    free(text);
    result_free(&result);
}

static void nothing_told_is_a_whole_document(void **state)
{
    char *text = document_of(NULL, 0);

    (void)state;
    assert_string_equal(text, HEAD "</testsuites>\n");
    free(text);
}

/* The last suite when 4 runs were not made. */
static void left_is(int exit_status, const char *counts, const char *element)
{
    struct sample_stream stream;
    struct junit junit;
    struct sink sink;
    char expected[1000];
    char *text;

    sample_open(&stream);
    sink = junit_sink(&junit, origin, sample_words, stream.out);
    sample_begin(sink, 4);
    sample_end(sink, 4, exit_status);
    text = sample_text(&stream);
    snprintf(expected, sizeof(expected),
             HEAD "  <testsuite name=\"edgewise\" package=\"edgewise\" id=\"0\""
                  " timestamp=\"2000-02-29T00:00:00\" hostname=\"a&lt;b\" tests=\"1\""
                  " failures=\"0\" %s time=\"0.000000\">\n    <properties/>\n"
                  "    <testcase classname=\"edgewise\" name=\"run\" time=\"0.000000\">\n"
                  "      <%s message=\"runs not made: 4; exit %d\"/>\n    </testcase>\n"
                  "    <system-out/>\n    <system-err></system-err>\n" FOOT,
             counts, element, exit_status);
    assert_string_equal(text, expected);
    free(text);
}

static void runs_that_are_not_made_are_told(void **state)
{
    (void)state;
    left_is(STATUS_BROKEN, "errors=\"1\" skipped=\"0\"", "error type=\"run\"");
    left_is(STATUS_SIGNAL + 2, "errors=\"1\" skipped=\"0\"", "error type=\"run\"");
    left_is(STATUS_FAILED, "errors=\"0\" skipped=\"1\"", "skipped");
}

static void hostile_bytes_are_escaped_or_replaced(void **state)
{
    static const struct plan plan = {.file = "x\x02", .name = "a/<b>/c"};
    struct result result =
        sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_ERROR, SAMPLE_HOSTILE));
    char *text;

    (void)state;
    result.plan = &plan;
    lines_add(&result.left_over, "%s", SAMPLE_HOSTILE);
    text = document_of(&result, 1);
    assert_non_null(strstr(text, " name=\"a/&lt;b&gt;/c\" package=\"a\" "));
    assert_non_null(strstr(text, " classname=\"a.&lt;b&gt;.c\" "));
    assert_non_null(strstr(
        text, " message=\"&lt;a b=&quot;c&quot; d='e'&gt;&amp;amp;]]&gt; \\ \xef\xbf\xbd[31m "
              "\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd # SKIP "
              "\xef\xbf\xbd \xef\xbf\xbd \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 ...\">"));
    assert_non_null(strstr(text, "\n  &lt;a b=\"c\" d='e'&gt;&amp;amp;]]&gt; \\ "));
    assert_non_null(strstr(text, "next: ./run scenario $'x\\x02' --trigger"));
    assert_null(strchr(text, '\x01'));
    free(text);
}

static void a_list_without_end_is_counted(void **state)
{
    struct result result = sample_once(sample_fail(REACTOR_ET, PLAN_IPV4));
    char *text;

    (void)state;
    for (int i = 0; i < JSON_LINES_MAX; i++)
        lines_add(&result.left_over, "c%d", i);
    text = document_of(&result, 1);
    assert_non_null(strstr(text, "  c497\n  ... and 2 more lines\nnotes:\n"));
    free(text);
}

static void what_cannot_start_is_an_error_or_skipped(void **state)
{
    const struct junit_origin nowhere = {.host = NULL, .seconds = 0};
    struct sample_stream stream;
    struct lines said = {0};
    char *text;

    (void)state;
    lines_add(&said, "no <world>");
    lines_add(&said, "type this");
    sample_open(&stream);
    assert_int_equal(junit_error("edgewise", nowhere, STATUS_USAGE, &said, stream.out), 0);
    text = sample_text(&stream);
    assert_string_equal(
        text, HEAD "  <testsuite name=\"edgewise\" package=\"edgewise\" id=\"0\" timestamp=\""
                   "1970-01-01T00:00:00\" hostname=\"localhost\" tests=\"1\" failures=\"0\" "
                   "errors=\"1\" skipped=\"0\" time=\"0.000000\">\n    <properties/>\n"
                   "    <testcase classname=\"edgewise\" name=\"run\" time=\"0.000000\">\n"
                   "      <error type=\"run\" message=\"no &lt;world&gt;\"/>\n    </testcase>\n"
                   "    <system-out/>\n    <system-err>no &lt;world&gt;\ntype this\n"
                   "</system-err>\n" FOOT);
    free(text);
    sample_open(&stream);
    assert_int_equal(junit_error("edgewise", nowhere, STATUS_CANNOT, &said, stream.out), 0);
    text = sample_text(&stream);
    assert_non_null(strstr(text, " errors=\"0\" skipped=\"1\" "));
    assert_non_null(strstr(text, "      <skipped message=\"no &lt;world&gt;\"/>\n"));
    free(text);
    lines_free(&said);
}

static void a_failed_write_is_told_at_the_end(void **state)
{
    FILE *full = fopen("/dev/full", "w");
    struct junit junit;
    struct sink sink = junit_sink(&junit, origin, sample_words, full);

    (void)state;
    assert_non_null(full);
    sample_begin(sink, 1);
    assert_int_equal(sample_end(sink, 0, 0), -ENOSPC);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_is_an_empty_case),
        cmocka_unit_test(a_fail_is_a_failure_with_what_differs),
        cmocka_unit_test(an_error_is_an_error),
        cmocka_unit_test(a_skip_is_skipped),
        cmocka_unit_test(late_is_a_property_and_no_failure),
        cmocka_unit_test(a_suite_counts_its_cells),
        cmocka_unit_test(suites_are_numbered),
        cmocka_unit_test(nothing_told_is_a_whole_document),
        cmocka_unit_test(runs_that_are_not_made_are_told),
        cmocka_unit_test(hostile_bytes_are_escaped_or_replaced),
        cmocka_unit_test(a_list_without_end_is_counted),
        cmocka_unit_test(what_cannot_start_is_an_error_or_skipped),
        cmocka_unit_test(a_failed_write_is_told_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
