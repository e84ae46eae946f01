/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/judge.h"
#include "tests/support/link.h"
#include "tests/support/story.h"

#define W6 "scenarios/framing/one-frame-per-quantum.events"

/* A run, what was expected of it, and what it came to. */
struct trial {
    struct story story;
    struct judge_expected expected;
    struct result result;
};

static void expect_text(struct trial *trial, const char *events, const char *wire)
{
    struct lines errors = {0};

    judge_expected_free(&trial->expected);
    assert_int_equal(expected_parse("x.events", EXPECTED_EVENTS, events, strlen(events),
                                    &trial->expected.events, &errors),
                     0);
    assert_int_equal(expected_parse("x.wire", EXPECTED_PLAIN, wire, strlen(wire),
                                    &trial->expected.wire, &errors),
                     0);
}

static void judge(struct trial *trial)
{
    result_free(&trial->result);
    trial->result.attempts = 2;
    judge_run(&trial->story.happened, &trial->expected, &trial->result);
}

static void trial_end(struct trial *trial)
{
    result_free(&trial->result);
    judge_expected_free(&trial->expected);
    story_end(&trial->story);
}

static void is(const struct lines *lines, const char *golden)
{
    char *text = lines_join(lines, NULL);

    assert_string_equal(text, golden);
    free(text);
}

/* The framing exercise's script up to its rows. */
static void w6_script(struct trial *trial, enum reactor_trigger trigger)
{
    static const struct plan_bytes frames[] = {{(const uint8_t *)"CAT", 3},
                                               {(const uint8_t *)"OK", 2}};
    struct story *story = &trial->story;
    struct plan_expect *expect;

    *trial = (struct trial){0};
    story_begin(story, trigger, "c");
    (void)story_does(story, "c", PLAN_CONNECT, NULL, 0, 30);
    story_at(story, 1);
    (void)story_does(story, "c", PLAN_SEND, "\0", 1, 40);
    story_at(story, 2);
    (void)story_does(story, "c", PLAN_SEND, "\3CA", 3, 50);
    story_at(story, 3);
    (void)story_does(story, "c", PLAN_SEND, "T\0\2OK", 5, 60);
    story_at(story, 4);
    (void)story_says(story, PLAN_CONSUME, "c");
    story_at(story, 5);
    (void)story_says(story, PLAN_CONSUME, "c");
    story_at(story, 6);
    (void)story_does(story, "c", PLAN_SHUTDOWN, NULL, 0, 70);
    expect = story_expects(story, PLAN_EXPECT_FRAMES, "c");
    expect->items = frames;
    expect->item_count = 2;
    story_expects(story, PLAN_EXPECT_END, "c")->outcome = READER_END_CLEAN;
    story_expects(story, PLAN_EXPECT_PEAK, "c")->value = 9;
    story_expects(story, PLAN_EXPECT_QUANTA, NULL)->value = 7;
    story_expects(story, PLAN_EXPECT_READS, "c")->value = 10;
    story_expects(story, PLAN_EXPECT_EAGAIN, "c")->value = 3;
}

static void w6(struct trial *trial, enum reactor_trigger trigger)
{
    char text[4096] = "";
    FILE *in = fopen(W6, "re");

    w6_script(trial, trigger);
    story_file(&trial->story, W6);
    assert_non_null(in);
    (void)!fread(text, 1, sizeof(text) - 1, in);
    (void)fclose(in);
    expect_text(trial, text, "");
}

static void a_run_that_did_what_was_expected_passes_under_every_trigger(void **state)
{
    (void)state;
    for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        struct trial trial;

        w6(&trial, trigger);
        judge(&trial);
        is(&trial.result.events.diff, "");
        is(&trial.result.peers.diff, "");
        is(&trial.result.failed, "");
        is(&trial.result.left_over, "");
        assert_int_equal(trial.result.verdict, RESULT_PASS);
        assert_null(trial.result.reason);
        assert_int_equal(trial.result.trigger, trigger);
        assert_int_equal(trial.result.worst_late.ns, 70000);
        assert_int_equal(trial.result.attempts, 2);
        assert_true(trial.result.events.rows.count > 40);
        trial_end(&trial);
    }
}

static void late_is_not_wrong(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.actions[3].actual.ns += 3000000;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_LATE);
    assert_string_equal(trial.result.reason, "x.scn:23: c send 54 00 02 4f 4b: 3060 us late; the "
                                             "tolerance is 2ms; no line held it up: "
                                             "the machine was busy");
    trial.story.actions[3].actual = instant_add(trial.story.actions[3].due, DURATION_MS(2));
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_PASS);
    trial_end(&trial);
}

static void a_line_that_waits_for_the_sut_is_named_as_the_cause(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    /* The send before filled the sut's window, and the kernel probes it after 200 ms only. */
    trial.story.actions[3].free =
        instant_add(trial.story.actions[2].actual, DURATION_MS(203));
    trial.story.actions[3].actual = trial.story.actions[3].free;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_LATE);
    assert_non_null(strstr(trial.result.reason,
                           " ms late; the tolerance is 2ms; line 22 held it up for 203 ms, until "
                           "its bytes were with the sut: c send 03 43 41"));
    trial_end(&trial);
}

static void a_tolerance_of_a_nanosecond_is_told_as_one(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.plan.tolerance = (struct duration){1};
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_LATE);
    assert_non_null(strstr(trial.result.reason, "us late; the tolerance is 1ns"));
    trial_end(&trial);
}

static void wrong_and_late_is_wrong(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.actions[3].actual.ns += 3000000;
    trial.story.expects[2].value = 8;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    assert_null(trial.result.reason);
    trial_end(&trial);
}

static void another_row_fails_with_its_cause(void **state)
{
    struct trial trial;
    char *diff;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.expected.events.rows[11].text[0] = 'd';
    judge(&trial);
    diff = lines_join(&trial.result.events.diff, NULL);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    assert_non_null(strstr(diff, "x.events:12: the events ledger parts here, after 9 equal rows"));
    assert_non_null(strstr(diff, "caused by x.scn:26:  6ms  c shutdown write"));
    free(diff);
    trial_end(&trial);
}

static void a_missing_events_file_fails_and_says_what_would_write_it(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.expected.events.missing = true;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    is(&trial.result.failed, "x.events: no expected events; --bless would write the file\n");
    assert_true(trial.result.events.rows.count > 40);
    trial_end(&trial);
}

static void streams_compare_no_rows(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.plan.compare = PLAN_STREAMS;
    trial.expected.events.missing = true;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_PASS);
    trial.story.statements[3].bytes.data = (const uint8_t *)"T\0\2KO";
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    is(&trial.result.peers.diff, "c: byte 7 that the sut read is 4f; 4b was sent\n");
    trial_end(&trial);
}

static void expectations_of_another_trigger_do_not_count(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.expects[2].value = 8;
    trial.story.expects[2].triggers = 1u << REACTOR_LT | 1u << REACTOR_OS;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_PASS);
    trial_end(&trial);
}

static void what_the_conductor_found_left_over_is_kept(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    lines_add(&trial.story.happened.left_over, "1 packet dropped by the capture");
    lines_add(&trial.story.happened.notes, "reno");
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    is(&trial.result.left_over, "1 packet dropped by the capture\n");
    is(&trial.result.notes, "reno\n");
    trial_end(&trial);
}

static void a_crash_is_a_fail_of_the_sut_with_its_last_rows(void **state)
{
    struct trial trial;
    char fate[] = "killed by SIGSEGV in round 3";

    (void)state;
    w6_script(&trial, REACTOR_ET);
    story_row(&trial.story, "notice l IN");
    story_row(&trial.story, "l accept = c");
    story_row(&trial.story, "ctl c add IN RDHUP ET");
    story_row(&trial.story, "notice c IN");
    story_row(&trial.story, "c ready QUEUED hint=1 credit=0+0 queue=[c]");
    story_row(&trial.story, "c quantum 1");
    trial.story.happened.fate = HAPPENED_DIED;
    trial.story.happened.fate_text = fate;
    trial.story.plan.compare = PLAN_STREAMS;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    is(&trial.result.failed,
       "the sut died: killed by SIGSEGV in round 3; its last row is of 6ms, x.scn:26: "
       "c shutdown write\n");
    assert_true(trial.result.cut_short);
    is(&trial.result.last,
       "notice l IN\n"
       "l accept = c\n"
       "ctl c add IN RDHUP ET\n"
       "notice c IN\n"
       "c ready                      QUEUED   hint=1 credit=0+0 queue=[c]\n"
       "c quantum 1\n");
    is(&trial.result.left_over, "");
    trial.story.happened.fate = HAPPENED_HUNG;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    trial.story.happened.fate = HAPPENED_LIMIT;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    trial_end(&trial);
}

static void a_sut_that_died_before_its_first_row_fails_too(void **state)
{
    struct trial trial;

    (void)state;
    w6_script(&trial, REACTOR_ET);
    trial.story.happened.fate = HAPPENED_DIED;
    trial.story.happened.journal = NULL;
    trial.story.plan.compare = PLAN_STREAMS;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    is(&trial.result.failed, "the sut died: nobody knows why; it has no rows\n");
    trial_end(&trial);
}

static void a_full_journal_is_an_error_whatever_else(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.journal->overflow = true;
    trial.story.expects[2].value = 8;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_ERROR);
    assert_string_equal(trial.result.reason, "the journal is full: rows or their bytes are lost");
    trial_end(&trial);
}

static void a_broken_invariant_fails_whatever_the_rows(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.plan.compare = PLAN_STREAMS;
    trial.story.plan.capacity = 8;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    assert_non_null(strstr(trial.result.failed.line[0], "without room for the largest"));
    trial_end(&trial);
}

static void what_is_left_over_fails(void **state)
{
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.plan.compare = PLAN_STREAMS;
    trial.story.journal->count -= 6; /* before the sut saw the end */
    trial.story.plan.expect_count = 0;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    is(&trial.result.left_over, "c queued\nc end not seen\n");
    trial_end(&trial);
}

/* 5 bytes to the sut, and a FIN. */
static void link_hello(struct link *link, struct happened *happened)
{
    link_begin(link, happened);
    link_crosses(link, &link->to_sut, 0, DISSECT_SYN, "");
    link_crosses(link, &link->to_peer, 0, DISSECT_SYN | DISSECT_ACK, "");
    link_crosses(link, &link->to_sut, 0, DISSECT_ACK, "hello");
    link_crosses(link, &link->to_sut, 0, DISSECT_ACK | DISSECT_FIN, "");
}

static const char hello_wire[] = "A > SYN\nA < SYN\nA > 5 \"hello\"\nA > FIN at 5\n";

/* A run that reads hello, with its own rows expected. */
static void hello(struct trial *trial, struct link *link)
{
    *trial = (struct trial){0};
    story_begin(&trial->story, REACTOR_ET, "A");
    trial->story.plan.format.header = 0;
    trial->story.plan.capacity = 0;
    (void)story_does(&trial->story, "A", PLAN_SEND, "hello", 5, 0);
    story_row(&trial->story, "l accept = A");
    story_row(&trial->story, "A ready QUEUED hint=1 credit=0+0 queue=[A]");
    story_row(&trial->story, "A quantum 1");
    story_row(&trial->story, "A read 5 = 5 68 65 6c 6c 6f");
    story_row(&trial->story, "A stop bytes WAITING hint=1 credit=0+0 queue=[]  unread=0");
    expect_text(trial,
                "l accept = A\n"
                "A ready QUEUED hint=1 credit=0+0 queue=[A]\n"
                "A quantum 1\n"
                "A read 5 = 5 68 65 6c 6c 6f\n"
                "A stop bytes WAITING hint=1 credit=0+0 queue=[] unread=0\n",
                hello_wire);
    link_hello(link, &trial->story.happened);
}

static void the_wire_is_compared_in_its_normal_form(void **state)
{
    struct trial trial;
    struct link link;

    (void)state;
    hello(&trial, &link);
    judge(&trial);
    is(&trial.result.wire.rows, hello_wire);
    is(&trial.result.wire.diff, "");
    assert_int_equal(trial.result.verdict, RESULT_PASS);
    trial.expected.wire.rows[3].text[2] = '<';
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    is(&trial.result.wire.diff,
       "x.wire:4: the wire ledger parts here, after 3 equal rows; - expected, + happened\n"
       "    A > SYN\n"
       "    A < SYN\n"
       "    A > 5 \"hello\"\n"
       "  - A < FIN at 5\n"
       "  + A > FIN at 5\n"
       "  4 rows expected, 4 happened; 3 of them are equal\n");
    is(&trial.result.packets,
       "packets around the end of `A >` (*; ms since the start)\n"
       "        0.000  A < SYN ack 0\n"
       "        0.000  A > seq 0 len 5 ack 0\n"
       "  *     0.000  A > FIN seq 5 len 0 ack 0\n");
    trial_end(&trial);
    link_end(&link);
}

static void a_packet_that_nothing_explains_is_left_over(void **state)
{
    static const uint8_t frame[64] = {0};
    struct trial trial;
    struct link link;

    (void)state;
    hello(&trial, &link);
    assert_int_equal(packet_list_append(&link.packets, &(struct packet){.captured_bytes = 64,
                                                                        .original_bytes = 64,
                                                                        .bytes = frame}),
                     0);
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    assert_int_equal(trial.result.left_over.count, 1);
    assert_non_null(strstr(trial.result.left_over.line[0], "packet 5"));
    trial_end(&trial);
    link_end(&link);
}

static void a_missing_wire_file_fails_only_where_there_is_a_link(void **state)
{
    struct trial trial;
    struct link link;

    (void)state;
    hello(&trial, &link);
    trial.expected.wire.missing = true;
    judge(&trial);
    is(&trial.result.failed, "x.wire: no expected wire; --bless would write the file\n");
    trial.story.happened.packets = NULL;
    judge(&trial);
    assert_int_equal(trial.result.verdict, RESULT_PASS);
    trial_end(&trial);
    link_end(&link);
}

static void the_expected_files_stand_beside_the_script(void **state)
{
    struct plan plan = {.file = "scenarios/ends/fin-then-rst.scn"};
    struct lines errors = {0};
    struct judge_expected expected;

    (void)state;
    assert_int_equal(judge_expected_read(&plan, &expected, &errors), 0);
    assert_string_equal(expected.events.file, "scenarios/ends/fin-then-rst.events");
    assert_string_equal(expected.wire.file, "scenarios/ends/fin-then-rst.wire");
    assert_false(expected.events.missing);
    assert_true(expected.events.count > 40);
    judge_expected_free(&expected);
    plan.file = "scenarios/no-such.scn";
    assert_int_equal(judge_expected_read(&plan, &expected, &errors), 0);
    assert_true(expected.events.missing);
    assert_true(expected.wire.missing);
    judge_expected_free(&expected);
}

static void a_script_in_a_hurry_is_told_what_to_write(void **state)
{
    struct trial trial = {0};
    uint32_t first;

    (void)state;
    w6(&trial, REACTOR_ET);
    first = trial.story.happened.action_count;
    /* Eight more shutdowns in the last instant, half a millisecond each. */
    for (uint32_t i = 0; i < 8; i++) {
        (void)story_does(&trial.story, "c", PLAN_SHUTDOWN, NULL, 0, 500 * i);
        trial.story.statements[trial.story.plan.statement_count - 1].place.line = 40;
    }
    judge(&trial);
    assert_int_equal(trial.story.actions[first].due.ns, trial.story.actions[first + 7].due.ns);
    assert_int_equal(trial.result.verdict, RESULT_LATE);
    assert_true(trial.result.late_by_work);
    assert_non_null(strstr(trial.result.reason, ":40: c shutdown write: 3500 us late; the "
                                                "tolerance is 2ms; line 40 took "));
    assert_non_null(strstr(trial.result.reason, " ms; spread its statements over time, or write "
                                                "`tolerance 5ms`"));
    trial.story.actions[first + 7].due.ns += 1000000;
    trial.story.actions[first + 7].actual.ns += 1000000;
    trial.story.statements[trial.story.plan.statement_count - 1].place.line = 41;
    judge(&trial);
    assert_true(trial.result.late_by_work);
    assert_non_null(strstr(trial.result.reason, "; line 40 took "));
    assert_non_null(strstr(trial.result.reason, " ms; write line 41 later, or `tolerance 5ms`"));
    trial_end(&trial);
}

/* A sut that spins fills the journal before its limit ends it: what it did wrong is the limit. */
static void a_limit_is_the_verdict_though_the_journal_is_full(void **state)
{
    char fate[] = "the limit of calls was used up";
    struct trial trial;

    (void)state;
    w6(&trial, REACTOR_ET);
    trial.story.journal->overflow = true;
    trial.story.happened.fate = HAPPENED_LIMIT;
    trial.story.happened.fate_text = fate;
    judge(&trial);
    trial.story.happened.fate_text = NULL;
    assert_int_equal(trial.result.verdict, RESULT_FAIL);
    trial_end(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_did_what_was_expected_passes_under_every_trigger),
        cmocka_unit_test(late_is_not_wrong),
        cmocka_unit_test(a_line_that_waits_for_the_sut_is_named_as_the_cause),
        cmocka_unit_test(a_tolerance_of_a_nanosecond_is_told_as_one),
        cmocka_unit_test(wrong_and_late_is_wrong),
        cmocka_unit_test(another_row_fails_with_its_cause),
        cmocka_unit_test(a_missing_events_file_fails_and_says_what_would_write_it),
        cmocka_unit_test(streams_compare_no_rows),
        cmocka_unit_test(expectations_of_another_trigger_do_not_count),
        cmocka_unit_test(what_the_conductor_found_left_over_is_kept),
        cmocka_unit_test(a_crash_is_a_fail_of_the_sut_with_its_last_rows),
        cmocka_unit_test(a_sut_that_died_before_its_first_row_fails_too),
        cmocka_unit_test(a_full_journal_is_an_error_whatever_else),
        cmocka_unit_test(a_limit_is_the_verdict_though_the_journal_is_full),
        cmocka_unit_test(a_broken_invariant_fails_whatever_the_rows),
        cmocka_unit_test(what_is_left_over_fails),
        cmocka_unit_test(the_wire_is_compared_in_its_normal_form),
        cmocka_unit_test(a_packet_that_nothing_explains_is_left_over),
        cmocka_unit_test(a_missing_wire_file_fails_only_where_there_is_a_link),
        cmocka_unit_test(the_expected_files_stand_beside_the_script),
        cmocka_unit_test(a_script_in_a_hurry_is_told_what_to_write),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
