/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/json.h"
#include "harness/report/tap.h"
#include "tests/harness/sample_sink.h"

#define HEAD                                                  \
    "TAP version 13\n# edgewise 1.2.3, seed 0x1f, 6 runs\n" \
    "# replay: " SAMPLE_REPLAY "\n"
#define TIMES "  wall_ms: 12.4\n  setup_ms: 2.1\n  timeline_ms: 6.25\n  worst_late_us: 41\n"
#define RUNS(pass, fail, late, error, skip)                                                  \
    "  runs:\n    pass: " pass "\n    fail: " fail "\n    late: " late "\n    error: " error \
    "\n    skip: " skip "\n"
#define NEXT "  next: \"./run scenario framing/one --trigger et --family ipv4 --set a=1 -v\"\n"
#define FOOT(left, exit)                                                                     \
    "# runs: 3 passed, 1 failed, 2 late, 0 errors, 0 skipped, " left " not made\n# wall 1.235 s, " \
    "exit " exit "\n"

/* What the sink says of `count` cells; frees them. */
static char *stream_of(struct result *results, size_t count, size_t left, int exit_status)
{
    struct sample_stream stream;
    struct tap tap;
    struct sink sink;

    sample_open(&stream);
    sink = tap_sink(&tap, sample_words, stream.out);
    sample_begin(sink, 6);
    if (count > 0)
        sample_tell(sink, results, count);
    assert_int_equal(sample_end(sink, left, exit_status), 0);
    for (size_t i = 0; i < count; i++)
        result_free(&results[i]);
    return sample_text(&stream);
}

static void one_is(struct result result, const char *expected)
{
    char *text = stream_of(&result, 1, 0, 0);
    size_t size = strlen(text);

    assert_memory_equal(text, HEAD, sizeof(HEAD) - 1);
    assert_string_equal(text + size - 5, "1..1\n");
    assert_in_range(strlen(expected), 1, size - sizeof(HEAD));
    assert_memory_equal(text + sizeof(HEAD) - 1, expected, strlen(expected));
    assert_string_equal(text + sizeof(HEAD) - 1 + strlen(expected), FOOT("0", "0") "1..1\n");
    free(text);
}

static void a_pass_is_ok_with_its_times(void **state)
{
    (void)state;
    one_is(sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1)),
           "ok 1 - framing/one veth-et-ipv4\n"
           "  ---\n"
           "  verdict: pass\n" TIMES RUNS("1", "0", "0", "0", "0")
           "  ...\n");
}

static void a_fail_is_not_ok_and_tells_what_differs(void **state)
{
    (void)state;
    one_is(sample_once(sample_fail(REACTOR_ET, PLAN_IPV4)),
           "not ok 1 - framing/one veth-et-ipv4\n"
           "  ---\n"
           "  verdict: fail\n"
           "  message: \"scenarios/framing/one.events:7: the events part here\"\n" NEXT TIMES
           RUNS("0", "1", "0", "0", "0")
           "  details: |\n"
           "    events differ from what is expected:\n"
           "      scenarios/framing/one.events:7: the events part here\n"
           "          ctl c add IN RDHUP ET\n"
           "        - c quantum 3\n"
           "        + stop\n"
           "    expectations that do not hold:\n"
           "      scenarios/framing/one.scn:24:3: c frames: expected 2, got 1\n"
           "    left over:\n"
           "      c unread 4\n"
           "    notes:\n"
           "      c rcvbuf 131072\n"
           "  ...\n");
}

static void a_late_run_is_ok_and_says_so(void **state)
{
    (void)state;
    one_is(sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_LATE, "c # SKIP late")),
           "ok 1 - framing/one veth-et-ipv4 # LATE c \\# SKIP late\n"
           "  ---\n"
           "  verdict: late\n"
           "  message: \"c # SKIP late\"\n" NEXT TIMES RUNS("0", "0", "1", "0", "0")
           "  ...\n");
}

static void an_error_is_not_ok_and_told_from_a_fail(void **state)
{
    (void)state;
    one_is(sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_ERROR, "no \"veth\" \\")),
           "not ok 1 - framing/one veth-et-ipv4\n"
           "  ---\n"
           "  verdict: error\n"
           "  message: \"no \\\"veth\\\" \\\\\"\n" NEXT TIMES RUNS("0", "0", "0", "1", "0")
           "  ...\n");
}

static void a_skip_has_the_directive_and_nothing_to_type(void **state)
{
    (void)state;
    one_is(sample_once(sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_SKIP, "no\nIPv6")),
           "ok 1 - framing/one veth-et-ipv4 # SKIP no IPv6\n"
           "  ---\n"
           "  verdict: skip\n"
           "  message: \"no IPv6\"\n" TIMES RUNS("0", "0", "0", "0", "1")
           "  ...\n");
}

static void repeats_are_one_point_with_their_counts(void **state)
{
    struct result result = sample_pass(REACTOR_ET, PLAN_IPV4, 1);

    (void)state;
    result.runs[RESULT_PASS] = 498;
    result.runs[RESULT_LATE] = 2;
    one_is(result, "ok 1 - framing/one veth-et-ipv4\n"
                   "  ---\n"
                   "  verdict: pass\n" TIMES RUNS("498", "0", "2", "0", "0")
                   "  ...\n");
}

static void hostile_bytes_stay_in_their_line(void **state)
{
    static const struct plan plan = {.file = "x", .name = "a#b\\c\n1..9\r" SAMPLE_HOSTILE};
    struct result result = sample_once(
        sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_ERROR, "\nBail out!\n" SAMPLE_HOSTILE));
    char *text;

    (void)state;
    result.plan = &plan;
    lines_add(&result.left_over, "%s", "\nok 7\n  ...\n" SAMPLE_HOSTILE);
    text = stream_of(&result, 1, 0, 3);
    assert_non_null(strstr(text, "\nnot ok 1 - a\\#b\\\\c 1..9\xef\xbf\xbd<a b=\"c\" d='e'>&amp;]]>"
                                 " \\\\ \xef\xbf\xbd[31m \xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd "
                                 "\xef\xbf\xbd\xef\xbf\xbd \\# SKIP \xef\xbf\xbd \xef\xbf\xbd "
                                 "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80 ... veth-et-ipv4\n"));
    assert_non_null(strstr(text, "\n  message: \" Bail out! <a b=\\\"c\\\" d='e'>&amp;]]> \\\\ "));
    assert_non_null(strstr(text, "\n    left over:\n       ok 7   ... <a b=\"c\" d='e'>"));
    assert_null(strstr(text, "\nBail out!"));
    assert_null(strchr(text, '\r'));
    assert_null(strchr(text, '\x1b'));
    free(text);
}

static void a_list_without_end_is_counted(void **state)
{
    struct result result = sample_once(sample_fail(REACTOR_ET, PLAN_IPV4));
    char *text;

    (void)state;
    for (int i = 0; i < JSON_LINES_MAX; i++)
        lines_add(&result.left_over, "c%d", i);
    text = stream_of(&result, 1, 0, 1);
    assert_non_null(strstr(text, "      c497\n      ... and 2 more lines\n    notes:\n"));
    free(text);
}

static void points_are_numbered_and_planned_at_the_end(void **state)
{
    struct result results[] = {
        sample_once(sample_pass(REACTOR_ET, PLAN_IPV4, 1)),
        sample_once(sample_pass(REACTOR_LT, PLAN_IPV6, 1)),
    };
    char *text = stream_of(results, 2, 4, 1);

    (void)state;
    assert_non_null(strstr(text, "\nok 1 - framing/one veth-et-ipv4\n"));
    assert_non_null(strstr(text, "\nok 2 - framing/one veth-lt-ipv6\n"));
    assert_non_null(strstr(text, "  ...\n" FOOT("4", "1") "1..2\n"));
    free(text);
}

static void ends(size_t left, int exit_status, const char *expected)
{
    char *text = stream_of(NULL, 0, left, exit_status);

    assert_in_range(strlen(expected), 1, strlen(text));
    assert_string_equal(text + strlen(text) - strlen(expected), expected);
    free(text);
}

static void runs_that_are_not_made_bail_out(void **state)
{
    (void)state;
    ends(4, STATUS_BROKEN, "exit 3\nBail out! the bench broke; runs not made: 4\n");
    ends(4, STATUS_SIGNAL + SIGINT,
         "exit 130\nBail out! interrupted by SIGINT; runs not made: 4\n");
    ends(4, 255, "exit 255\nBail out! interrupted by SIG?; runs not made: 4\n");
    ends(4, STATUS_FAILED, "exit 1\n1..0 # SKIP no scenario has all of its runs\n");
    ends(0, STATUS_BROKEN, "exit 3\n1..0 # SKIP no scenario has all of its runs\n");
}

static void what_cannot_start_skips_or_bails_out(void **state)
{
    struct sample_stream stream;
    struct lines said = {0};
    char *text;

    (void)state;
    lines_add(&said, "edgewise: no\x1b namespace");
    lines_add(&said, "edgewise: type: sudo \xff");
    sample_open(&stream);
    tap_error(STATUS_CANNOT, &said, stream.out);
    text = sample_text(&stream);
    assert_string_equal(text, "TAP version 13\n# edgewise: type: sudo \xef\xbf\xbd\n"
                              "1..0 # SKIP edgewise: no\xef\xbf\xbd namespace\n");
    free(text);
    lines_free(&said);
    lines_add(&said, "x.scn:1:1: no");
    sample_open(&stream);
    tap_error(STATUS_USAGE, &said, stream.out);
    text = sample_text(&stream);
    assert_string_equal(text, "TAP version 13\nBail out! x.scn:1:1: no\n");
    free(text);
    lines_free(&said);
}

static void a_failed_write_is_told_at_the_end(void **state)
{
    FILE *full = fopen("/dev/full", "w");
    struct tap tap;
    struct sink sink = tap_sink(&tap, sample_words, full);

    (void)state;
    assert_non_null(full);
    sample_begin(sink, 1);
    assert_int_equal(sample_end(sink, 0, 0), -ENOSPC);
    fclose(full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pass_is_ok_with_its_times),
        cmocka_unit_test(a_fail_is_not_ok_and_tells_what_differs),
        cmocka_unit_test(a_late_run_is_ok_and_says_so),
        cmocka_unit_test(an_error_is_not_ok_and_told_from_a_fail),
        cmocka_unit_test(a_skip_has_the_directive_and_nothing_to_type),
        cmocka_unit_test(repeats_are_one_point_with_their_counts),
        cmocka_unit_test(hostile_bytes_stay_in_their_line),
        cmocka_unit_test(a_list_without_end_is_counted),
        cmocka_unit_test(points_are_numbered_and_planned_at_the_end),
        cmocka_unit_test(runs_that_are_not_made_bail_out),
        cmocka_unit_test(what_cannot_start_skips_or_bails_out),
        cmocka_unit_test(a_failed_write_is_told_at_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
