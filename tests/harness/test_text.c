/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/report/cell.h"
#include "harness/report/text.h"
#include "harness/report/text_failure.h"
#include "tests/harness/sample.h"

static const struct text_style plain = {
    .out = "out", .command = "./run", .scenarios = "scenarios"};

static char *printed(const struct text_style *style, const struct result *results, size_t count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    text_scenario(out, style, results, count);
    fclose(out);
    return text;
}

static void prints(const struct text_style *style, struct result *results, size_t count,
                   const char *expected)
{
    char *text = printed(style, results, count);

    assert_string_equal(text, expected);
    free(text);
    for (size_t i = 0; i < count; i++)
        result_free(&results[i]);
}

static void a_scenario_that_passes_is_one_small_table(void **state)
{
    struct result results[] = {
        sample_pass(REACTOR_ET, PLAN_IPV4, 61), sample_pass(REACTOR_LT, PLAN_IPV4, 63),
        sample_pass(REACTOR_OS, PLAN_IPV4, 1),  sample_pass(REACTOR_ET, PLAN_IPV6, 61),
        sample_pass(REACTOR_LT, PLAN_IPV6, 63), sample_pass(REACTOR_OS, PLAN_IPV6, 1),
    };

    (void)state;
    prints(&plain, results, 6,
           "framing/one\n"
           "  A released frame wakes the paused reader.\n"
           "  veth    et                      lt                      os\n"
           "  ipv4    PASS  61 rows 12 ms     PASS  63 rows 12 ms     PASS  1 row  12 ms\n"
           "  ipv6    PASS  61 rows 12 ms     PASS  63 rows 12 ms     PASS  1 row  12 ms\n"
           "\n");
}

static void a_cell_that_was_not_run_stays_blank(void **state)
{
    struct result results[] = {sample_pass(REACTOR_OS, PLAN_IPV6, 3),
                               sample_pass(REACTOR_ET, PLAN_IPV4, 3)};

    (void)state;
    prints(&plain, results, 2,
           "framing/one\n"
           "  A released frame wakes the paused reader.\n"
           "  veth    et                      os\n"
           "  ipv4    PASS  3 rows 12 ms\n"
           "  ipv6                            PASS  3 rows 12 ms\n"
           "\n");
}

static void each_world_has_a_block_and_is_named_beside_the_other(void **state)
{
    struct result results[] = {
        sample_pass(REACTOR_ET, PLAN_IPV4, 61), sample_pass(REACTOR_ET, PLAN_IPV4, 61),
        sample_pass(REACTOR_ET, PLAN_PIPE, 60)};

    (void)state;
    results[1].world = results[2].world = RESULT_WORLD_SIM;
    results[2].attempts = 3;
    prints(&plain, results, 3,
           "framing/one\n"
           "  A released frame wakes the paused reader.\n"
           "  veth    et\n"
           "  ipv4    PASS  61 rows 12 ms\n"
           "  sim     et\n"
           "  ipv4    PASS  61 rows 12 ms\n"
           "  pipe    PASS  60 rows 12 ms\n"
           "  sim et pipe was late 2 times before\n"
           "\n");
}

static void a_failure_is_told_once_with_its_files_and_the_next_command(void **state)
{
    struct result results[] = {
        sample_fail(REACTOR_ET, PLAN_IPV4), sample_fail(REACTOR_LT, PLAN_IPV4),
        sample_pass(REACTOR_ET, PLAN_IPV6, 2), sample_fail(REACTOR_LT, PLAN_IPV6)};
    struct text_style style = plain;

    (void)state;
    style.options = " --set a=b";
    prints(&style, results, 4,
           "framing/one\n"
           "  A released frame wakes the paused reader.\n"
           "  veth    et                      lt\n"
           "  ipv4    FAIL  2 rows 12 ms      FAIL  2 rows 12 ms\n"
           "  ipv6    PASS  2 rows 12 ms      FAIL  2 rows 12 ms\n"
           "\n"
           "  FAIL  et ipv4, lt ipv4, lt ipv6\n"
           "  scenarios/framing/one.events:7: the events part here\n"
           "    ctl c add IN RDHUP ET\n"
           "  - c quantum 3\n"
           "  + stop\n"
           "  does not hold:\n"
           "    scenarios/framing/one.scn:24:3: c frames: expected 2, got 1\n"
           "  left over:\n"
           "    c unread 4\n"
           "  files  out/framing/one/veth-et-ipv4\n"
           "  next   ./run scenario framing/one --trigger et --family ipv4 --set a=b -v\n"
           "\n");
}

static void a_defect_is_told_and_repeated_by_the_next_command(void **state)
{
    struct result result = sample_fail(REACTOR_LT, PLAN_IPV4);
    char *text;

    (void)state;
    result.defect = "no-dedup";
    text = printed(&plain, &result, 1);
    assert_non_null(strstr(text, "\n  with the defect no-dedup\n"));
    assert_non_null(strstr(text, "\n  files  out/framing/one/veth-lt-ipv4+no-dedup\n"));
    assert_non_null(strstr(text, " --defect no-dedup"));
    free(text);
    result_free(&result);
}

static void other_rows_are_another_failure(void **state)
{
    struct result results[] = {sample_fail(REACTOR_ET, PLAN_IPV4),
                               sample_fail(REACTOR_LT, PLAN_IPV4)};
    char *text;

    (void)state;
    lines_add(&results[1].events.diff, "  + c quantum 3");
    text = printed(&plain, results, 2);
    assert_non_null(strstr(text, "\n  FAIL  et ipv4\n"));
    assert_non_null(strstr(text, "\n  FAIL  lt ipv4\n"));
    free(text);
    result_free(&results[0]);
    result_free(&results[1]);
}

static void late_error_and_skip_say_why(void **state)
{
    struct result results[] = {
        sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_LATE, "c send 00: 6 ms late"),
        sample_with_reason(REACTOR_LT, PLAN_IPV4, RESULT_ERROR, "the journal is full"),
        sample_with_reason(REACTOR_OS, PLAN_IPV4, RESULT_SKIP, "no IPv4 here"),
    };
    struct text_style style = plain;

    (void)state;
    style.scenarios = NULL;
    results[0].attempts = 3;
    prints(&style, results, 3,
           "framing/one\n"
           "  A released frame wakes the paused reader.\n"
           "  veth    et                      lt                      os\n"
           "  ipv4    LATE  2 rows 12 ms      ERROR 0 rows 12 ms      SKIP\n"
           "\n"
           "  LATE  et ipv4\n"
           "  c send 00: 6 ms late\n"
           "  files  out/framing/one/veth-et-ipv4\n"
           "  next   ./run scenario scenarios/framing/one.scn --trigger et --family ipv4 -v\n"
           "\n"
           "  ERROR  lt ipv4\n"
           "  the journal is full\n"
           "  files  out/framing/one/veth-lt-ipv4\n"
           "  next   ./run scenario scenarios/framing/one.scn --trigger lt --family ipv4 -v\n"
           "  or     ./run doctor\n"
           "\n"
           "  SKIP  os ipv4\n"
           "  no IPv4 here\n"
           "\n");
}

static void many_runs_alike_are_told_by_the_first(void **state)
{
    struct result results[6];
    char *text;

    (void)state;
    for (int i = 0; i < 6; i++)
        results[i] = sample_with_reason((enum reactor_trigger)(i % 3),
                                        i < 3 ? PLAN_IPV4 : PLAN_IPV6, RESULT_LATE,
                                        i ? "c send 01: 7 ms late" : "c send 00: 6 ms late");
    text = printed(&plain, results, 6);
    assert_non_null(strstr(text, "\n  LATE  et ipv4 and 5 more alike\n  c send 00: 6 ms late\n"));
    assert_null(strstr(text, "7 ms late"));
    free(text);
    text = printed(&plain, results, 3);
    assert_non_null(strstr(text, "\n  LATE  et ipv4, lt ipv4, os ipv4\n"));
    free(text);
    for (int i = 0; i < 6; i++)
        result_free(&results[i]);
}

static void errors_with_other_reasons_are_told_each(void **state)
{
    struct result results[] = {
        sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_ERROR, "no memory"),
        sample_with_reason(REACTOR_LT, PLAN_IPV4, RESULT_ERROR, "the journal is full"),
    };
    char *text = printed(&plain, results, 2);

    (void)state;
    assert_non_null(strstr(text, "no memory"));
    assert_non_null(strstr(text, "the journal is full"));
    free(text);
    result_free(&results[0]);
    result_free(&results[1]);
}

static void late_runs_before_a_pass_are_told(void **state)
{
    struct result results[] = {sample_pass(REACTOR_ET, PLAN_IPV4, 2)};

    (void)state;
    results[0].attempts = 3;
    prints(&plain, results, 1,
           "framing/one\n"
           "  A released frame wakes the paused reader.\n"
           "  veth    et\n"
           "  ipv4    PASS  2 rows 12 ms\n"
           "  et ipv4 was late 2 times before\n"
           "\n");
}

static void quiet_shows_only_what_did_not_pass(void **state)
{
    struct text_style quiet = plain;
    struct result pass[] = {sample_pass(REACTOR_ET, PLAN_IPV4, 2)};
    struct result fail[] = {sample_fail(REACTOR_ET, PLAN_IPV4)};
    char *text;

    (void)state;
    quiet.quiet = true;
    prints(&quiet, pass, 1, "");
    text = printed(&quiet, fail, 1);
    assert_non_null(strstr(text, "FAIL  et ipv4"));
    free(text);
    result_free(fail);
}

static void verbose_shows_all_ledgers(void **state)
{
    struct text_style verbose = plain;
    struct result results[] = {sample_pass(REACTOR_ET, PLAN_IPV4, 2)};

    (void)state;
    verbose.verbose = true;
    lines_add(&results[0].wire.rows, "c > SYN");
    lines_add(&results[0].peers.rows, "c connect  due 0ms  late 5us");
    lines_add(&results[0].notes, "c rcvbuf 131072");
    prints(&verbose, results, 1,
           "framing/one\n"
           "  A released frame wakes the paused reader.\n"
           "  veth    et\n"
           "  ipv4    PASS  2 rows 12 ms\n"
           "\n"
           "  et ipv4: 1 attempt, set up 2 ms, timeline 6 ms, at most 41 us late\n"
           "  events:\n"
           "    c quantum 1\n"
           "    c quantum 2\n"
           "  wire:\n"
           "    c > SYN\n"
           "  peers:\n"
           "    c connect  due 0ms  late 5us\n"
           "  notes:\n"
           "    c rcvbuf 131072\n"
           "\n");
}

static void a_long_difference_is_cut_and_says_so(void **state)
{
    struct text_style verbose = plain;
    struct result results[] = {sample_fail(REACTOR_ET, PLAN_IPV4)};
    char *text;

    (void)state;
    for (int i = 0; i < TEXT_FAILURE_DIFF; i++)
        lines_add(&results[0].events.diff, "  + row %d", i);
    text = printed(&plain, results, 1);
    assert_non_null(strstr(text, "    .. and 4 more lines (-v shows all)\n"));
    assert_null(strstr(text, "+ row 23"));
    free(text);
    verbose.verbose = true;
    text = printed(&verbose, results, 1);
    assert_non_null(strstr(text, "+ row 23"));
    free(text);
    result_free(results);
}

static void nothing_that_a_peer_sent_moves_the_cursor(void **state)
{
    struct result results[] = {sample_fail(REACTOR_ET, PLAN_IPV4)};
    char *text;

    (void)state;
    lines_add(&results[0].left_over, "c \033[2J\rx");
    text = printed(&plain, results, 1);
    assert_non_null(strstr(text, "c \\x1b[2J\\x0dx"));
    free(text);
    result_free(results);
}

static void colour_is_never_the_only_sign(void **state)
{
    struct text_style colour = plain;
    struct result results[] = {sample_fail(REACTOR_ET, PLAN_IPV4)};
    char *text;

    (void)state;
    colour.colour = true;
    text = printed(&colour, results, 1);
    assert_non_null(strstr(text, "\033[1;31mFAIL\033[0m"));
    free(text);
    result_free(results);
}

static void the_summary_has_all_counts(void **state)
{
    struct score score = {{0}};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    for (int i = 0; i < 12; i++)
        score_add(&score, RESULT_PASS);
    score_add(&score, RESULT_LATE);
    text_summary(out, &plain, &score, (struct duration){214000000});
    fclose(out);
    assert_string_equal(
        text,
        "12 passed, 0 failed, 1 late, 0 errors, 0 skipped in 0.214 s\n"
        "  late: all was right, but a peer acted too late for the run to count\n");
    assert_int_equal(score_total(&score), 13);
    free(text);
}

static void a_long_list_is_cut_and_late_runs_of_two_kinds_are_told_apart(void **state)
{
    struct result results[] = {
        sample_with_reason(REACTOR_ET, PLAN_IPV4, RESULT_LATE, "busy"),
        sample_with_reason(REACTOR_LT, PLAN_IPV4, RESULT_LATE, "in a hurry"),
        sample_with_reason(REACTOR_OS, PLAN_IPV4, RESULT_LATE, "still busy"),
    };
    struct text_style style = plain;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    results[1].late_by_work = true;
    for (int i = 0; i < TEXT_FAILURE_LIST + 2; i++)
        lines_add(&results[1].left_over, "line %d", i);
    text_scenario(out, &style, results, 3);
    fclose(out);
    assert_non_null(strstr(text, "LATE  et ipv4, os ipv4\n  busy\n"));
    assert_non_null(strstr(text, "LATE  lt ipv4\n  in a hurry\n"));
    assert_null(strstr(text, "line 12\n"));
    assert_non_null(strstr(text, "line 11\n    .. and 2 more lines (-v shows all)\n"));
    free(text);
    for (size_t i = 0; i < 3; i++)
        result_free(&results[i]);
}

static void paths_below_the_working_directory_are_told_without_it(void **state)
{
    struct text_style style = plain;
    struct result results[] = {sample_pass(REACTOR_ET, PLAN_IPV4, 2)};
    char *text;

    (void)state;
    style.here = "/srv/edgewise/";
    results[0].verdict = RESULT_FAIL;
    lines_add(&results[0].failed, "/srv/edgewise/a/b.scn:3:1: not /srv/edgewise2/c");
    lines_add(&results[0].events.diff, "/srv/edgewise/a/b.events:7: they part");
    lines_add(&results[0].events.diff, "  caused by /srv/edgewise/a/b.scn:9:  3ms  c reset");
    text = printed(&style, results, 1);
    assert_non_null(strstr(text, "\n  a/b.events:7: they part\n"));
    assert_non_null(strstr(text, "\n  caused by a/b.scn:9:  3ms  c reset\n"));
    assert_non_null(strstr(text, "\n    a/b.scn:3:1: not /srv/edgewise2/c\n"));
    free(text);
    result_free(results);
}

/* What the sink prints of no scenario at all. */
static char *sunk(const struct text_style *style, const struct sink_finish *finish)
{
    struct text memory;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct sink sink = text_sink(&memory, out, style);

    sink.ops->begin(sink.self, &(struct sink_start){.replay = "./run scenario x --seed 0x2a"});
    assert_int_equal(sink.ops->end(sink.self, finish), 0);
    fclose(out);
    return text;
}

static void the_sink_tells_how_to_replay_and_what_was_not_made(void **state)
{
    static const struct score score = {.count = {[RESULT_PASS] = 1}};
    struct sink_finish finish = {.score = &score, .left = 2, .exit_status = 1};
    struct text_style style = plain;
    char *text;

    (void)state;
    style.world = "veth, in a user namespace";
    text = sunk(&style, &finish);
    assert_string_equal(text, "replay: ./run scenario x --seed 0x2a\n"
                              "world: veth, in a user namespace\n\n"
                              "1 passed, 0 failed, 0 late, 0 errors, 0 skipped in 0.000 s\n"
                              "2 runs were not made\n"
                              "replay: ./run scenario x --seed 0x2a\n");
    free(text);
    style.quiet = true;
    finish = (struct sink_finish){.score = &score};
    text = sunk(&style, &finish);
    assert_string_equal(text, "1 passed, 0 failed, 0 late, 0 errors, 0 skipped in 0.000 s\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scenario_that_passes_is_one_small_table),
        cmocka_unit_test(a_cell_that_was_not_run_stays_blank),
        cmocka_unit_test(each_world_has_a_block_and_is_named_beside_the_other),
        cmocka_unit_test(a_failure_is_told_once_with_its_files_and_the_next_command),
        cmocka_unit_test(a_defect_is_told_and_repeated_by_the_next_command),
        cmocka_unit_test(other_rows_are_another_failure),
        cmocka_unit_test(late_error_and_skip_say_why),
        cmocka_unit_test(many_runs_alike_are_told_by_the_first),
        cmocka_unit_test(errors_with_other_reasons_are_told_each),
        cmocka_unit_test(late_runs_before_a_pass_are_told),
        cmocka_unit_test(quiet_shows_only_what_did_not_pass),
        cmocka_unit_test(verbose_shows_all_ledgers),
        cmocka_unit_test(a_long_difference_is_cut_and_says_so),
        cmocka_unit_test(nothing_that_a_peer_sent_moves_the_cursor),
        cmocka_unit_test(colour_is_never_the_only_sign),
        cmocka_unit_test(the_summary_has_all_counts),
        cmocka_unit_test(paths_below_the_working_directory_are_told_without_it),
        cmocka_unit_test(the_sink_tells_how_to_replay_and_what_was_not_made),
        cmocka_unit_test(a_long_list_is_cut_and_late_runs_of_two_kinds_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
