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

#include "harness/ledger/names.h"
#include "harness/ledger/peers.h"
#include "harness/ledger/unread.h"
#include "tests/support/story.h"

/* A peer that sent `text`, and a sut that accepted it; the rows of the sut follow. */
static void sends(struct story *story, const char *text)
{
    story_begin(story, REACTOR_ET, "c");
    (void)story_does(story, "c", PLAN_CONNECT, NULL, 0, 10);
    story_at(story, 1);
    (void)story_does(story, "c", PLAN_SEND, text, strlen(text), 20);
    story_row(story, "l accept = c");
    story_row(story, "c ready QUEUED hint=1 credit=0+0 queue=[c]");
    story_row(story, "c quantum 1");
}

static void is(const struct lines *lines, const char *golden)
{
    char *text = lines_join(lines, NULL);

    assert_string_equal(text, golden);
    free(text);
}

/* What does not add up. */
static void checked(struct story *story, const char *golden)
{
    struct names names;
    struct tally tally;
    struct lines lines = {0};

    names_make(&story->happened, &names);
    tally_make(&story->happened, &names, &tally);
    peers_check(&story->happened, &tally, &lines);
    is(&lines, golden);
    lines_free(&lines);
    tally_free(&tally);
    names_free(&names);
}

static int64_t unread(struct story *story)
{
    struct names names;
    struct tally tally;
    int64_t count;

    names_make(&story->happened, &names);
    tally_make(&story->happened, &names, &tally);
    count = unread_bytes(&story->happened, &tally.sources[0]);
    tally_free(&tally);
    names_free(&names);
    return count;
}

static void rows_say_what_each_peer_did_got_and_saw(void **state)
{
    struct story story;
    struct lines rows = {0};
    uint8_t reply[] = "hi\n";

    (void)state;
    sends(&story, "abcdefghij");
    story_at(&story, 6);
    story_does(&story, "c", PLAN_SHUTDOWN, NULL, 0, -5)->error = ENOTCONN;
    story.statements[2].how = PLAN_HOW_WRITE;
    story.actions[1].bytes = 4;
    story.actions[1].error = EPIPE;
    story.got[0].received = reply;
    story.got[0].received_size = 3;
    story.got[0].saw = PLAN_SAW_FIN;
    peers_tell(&story.happened, &rows);
    is(&rows, "c connect                                    due 0ms     late 10us\n"
              "c send 61 62 63 64 65 66 67 68 .. (10 bytes) = 4 EPIPE due 1ms     late 20us\n"
              "c shutdown write = ENOTCONN                  due 6ms     late 0us\n"
              "c received 3 \"hi\\x0a\"\n"
              "c saw fin\n");
    lines_free(&rows);
    story_end(&story);
}

static void all_read_adds_up(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "ab");
    story.plan.format.header = 0;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c stop bytes QUEUED hint=1 credit=0+0 queue=[c] unread=0");
    checked(&story, "");
    assert_int_equal(unread(&story), 0);
    story_end(&story);
}

static void read_and_left_adds_up(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story.got[0].saw = PLAN_SAW_RESET;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c stop bytes QUEUED hint=1 credit=0+0 queue=[c] unread=2");
    checked(&story, "");
    assert_int_equal(unread(&story), 2);
    story_end(&story);
}

static void a_lost_byte_is_found(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story.got[0].saw = PLAN_SAW_RESET;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c stop bytes QUEUED hint=1 credit=0+0 queue=[c] unread=1");
    checked(&story, "c sent 4 bytes; the sut read 2 and left 1\n");
    story_end(&story);
}

static void a_byte_that_nobody_sent_is_found(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "ab");
    story.plan.format.header = 0;
    story_row(&story, "c read 3 = 3 61 62 63");
    checked(&story, "c sent 2 bytes; the sut read 3 and left 0\n");
    story_end(&story);
}

static void bytes_in_another_order_are_found(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "ab");
    story.plan.format.header = 0;
    story_row(&story, "c read 2 = 2 61 61");
    checked(&story, "c: byte 1 that the sut read is 61; 62 was sent\n");
    story_end(&story);
}

static void a_clean_end_has_all_bytes_before_it(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story.got[0].saw = PLAN_SAW_RESET;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c read 2 = EOF");
    story_row(&story, "c end clean FINISHED hint=0 credit=0+0 queue=[] unread=2");
    checked(&story, "c sent 4 bytes; the sut saw the end after 2\n");
    story_end(&story);
}

static void what_came_after_the_last_stop_is_unread(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "ab");
    story.plan.format.header = 0;
    story.got[0].saw = PLAN_SAW_RESET;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c stop capacity PAUSED hint=1 credit=0+0 queue=[] unread=0");
    story_at(&story, 2);
    (void)story_does(&story, "c", PLAN_SEND, "xyz", 3, 0);
    checked(&story, "");
    assert_int_equal(unread(&story), 3);
    story_end(&story);
}

static void a_reset_may_take_bytes_with_it(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story.got[0].saw = PLAN_SAW_NOTHING;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c stop bytes QUEUED hint=1 credit=0+0 queue=[c] unread=2");
    story_at(&story, 2);
    (void)story_does(&story, "c", PLAN_RESET, NULL, 0, 0);
    story_row(&story, "c quantum 2");
    story_row(&story, "c read 2 = ECONNRESET");
    story_row(&story, "c end reset FAILED hint=0 credit=0+0 queue=[] unread=0");
    checked(&story, "");
    assert_int_equal(unread(&story), 0);
    story_end(&story);
}

static void a_source_that_the_application_closed_owes_nothing(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c close");
    story_row(&story, "stop");
    checked(&story, "");
    assert_int_equal(unread(&story), 0);
    story_end(&story);
}

static void a_send_that_was_cut_is_found(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story.got[0].saw = PLAN_SAW_RESET;
    story.actions[1].bytes = 3;
    story.actions[1].error = ECONNRESET;
    checked(&story, "x.scn:21: c send 61 62 63 64: ECONNRESET\n"
                    "x.scn:21: c send 61 62 63 64: 3 of 4 bytes were taken\n");
    story_end(&story);
}

static void a_send_may_fail_where_the_script_expects_a_reset(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story.actions[1].bytes = 0;
    story.actions[1].error = ECONNRESET;
    story_expects(&story, PLAN_EXPECT_SAW, "c")->saw = PLAN_SAW_RESET;
    checked(&story, "");
    story.expects[0].triggers = 1u << REACTOR_LT;
    checked(&story, "x.scn:21: c send 61 62 63 64: ECONNRESET\n"
                    "x.scn:21: c send 61 62 63 64: 0 of 4 bytes were taken\n");
    story_end(&story);
}

static void a_statement_that_was_not_carried_out_is_found(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "");
    (void)story_says(&story, PLAN_CONSUME, "c");
    (void)story_says(&story, PLAN_CLOSE, "c");
    checked(&story, "x.scn:23: c close: not carried out\n");
    story_end(&story);
}

static void a_connection_that_was_never_taken_is_found(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c d");
    story_row(&story, "l accept = c");
    story.happened.source_count = 1;
    checked(&story, "d connected; the sut never took it\n");
    story.got[1].connected = false;
    story.got[1].saw = PLAN_SAW_NOTHING;
    checked(&story, "");
    story_row(&story, "l accept = d");
    checked(&story, "the sut got a connection that no peer made\n");
    story_end(&story);
}

static void frames_are_those_of_the_bytes(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "");
    story.statements[1].bytes = (struct plan_bytes){(const uint8_t *)"\0\3CAT\0\0\0\2O", 10};
    story.actions[1].bytes = 10;
    story_row(&story, "c read 5 = 5 00 03 43 41 54");
    story_row(&story, "c frame 1 \"CAT\"");
    story_row(&story, "c read 5 = 5 00 00 00 02 4f");
    story_row(&story, "c frame 2 \"\"");
    checked(&story, "");
    story_row(&story, "c frame 3 \"O\"");
    checked(&story, "c: the bytes read have 2 whole frames; 3 were delivered\n");
    story_end(&story);
}

static void a_frame_of_other_bytes_is_found(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "");
    story.statements[1].bytes = (struct plan_bytes){(const uint8_t *)"\0\3CAT", 5};
    story.actions[1].bytes = 5;
    story_row(&story, "c read 5 = 5 00 03 43 41 54");
    checked(&story, "c: the bytes read have 1 whole frames; 0 were delivered\n");
    story_row(&story, "c frame 1 \"COT\"");
    checked(&story, "c: frame 1 is not what the bytes read say\n");
    story_end(&story);
}

/* What `c` saw is not what must hold. */
static void saw(struct story *story, enum plan_saw saw, const char *golden)
{
    story->got[0].saw = saw;
    checked(story, golden);
}

static void an_end_that_no_script_names_is_held_against_what_was_read(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "abcd");
    story.plan.format.header = 0;
    story_row(&story, "c read 2 = 2 61 62");
    story_row(&story, "c stop bytes QUEUED hint=1 credit=0+0 queue=[c] unread=2");
    saw(&story, PLAN_SAW_RESET, "");
    saw(&story, PLAN_SAW_FIN, "c saw fin; it should be reset, since the sut left bytes unread\n");
    saw(&story, PLAN_SAW_NOTHING,
        "c saw nothing; it should be reset, since the sut left bytes unread\n");
    story_end(&story);
}

static void an_end_that_the_script_names_is_the_business_of_its_expectation(void **state)
{
    struct story story;

    (void)state;
    sends(&story, "");
    story_expects(&story, PLAN_EXPECT_SAW, "c")->saw = PLAN_SAW_FIN;
    saw(&story, PLAN_SAW_NOTHING, "");
    story.expects[0].triggers = 1u << REACTOR_LT;
    saw(&story, PLAN_SAW_NOTHING,
        "c saw nothing; it should be fin, since the sut had read all that was sent\n");
    story_end(&story);
}

static void thousands_of_statements_alike_are_counted(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c d");
    story.happened.peer_count = 0;
    for (int i = 0; i < 12; i++) {
        bool first = i % 2 == 0;

        (void)story_does(&story, first ? "c" : "d", PLAN_SEND, "ab", 2, 0);
        story.statements[i].place.line = first ? 7 : 8;
        story.actions[i].bytes = 1;
        if (!first && i < 6)
            story.actions[i].error = EPIPE;
    }
    story.happened.action_count -= 1;
    checked(&story, "x.scn:7: c send 61 62: 1 of 2 bytes were taken\n"
                    "x.scn:8: d send 61 62: EPIPE\n"
                    "x.scn:8: d send 61 62: 1 of 2 bytes were taken\n"
                    "x.scn:7: c send 61 62: 1 of 2 bytes were taken\n"
                    "x.scn:8: d send 61 62: EPIPE\n"
                    "x.scn:8: d send 61 62: 1 of 2 bytes were taken\n"
                    "x.scn:7: c send 61 62: 1 of 2 bytes were taken\n"
                    "x.scn:8: d send 61 62: EPIPE\n"
                    "x.scn:8: d send 61 62: 1 of 2 bytes were taken\n"
                    "x.scn:8: d send 61 62: not carried out\n"
                    "x.scn:7: ... and 3 more alike that were taken in part\n"
                    "x.scn:8: ... and 2 more alike that were taken in part\n");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_say_what_each_peer_did_got_and_saw),
        cmocka_unit_test(all_read_adds_up),
        cmocka_unit_test(read_and_left_adds_up),
        cmocka_unit_test(a_lost_byte_is_found),
        cmocka_unit_test(a_byte_that_nobody_sent_is_found),
        cmocka_unit_test(bytes_in_another_order_are_found),
        cmocka_unit_test(a_clean_end_has_all_bytes_before_it),
        cmocka_unit_test(what_came_after_the_last_stop_is_unread),
        cmocka_unit_test(a_reset_may_take_bytes_with_it),
        cmocka_unit_test(a_source_that_the_application_closed_owes_nothing),
        cmocka_unit_test(a_send_that_was_cut_is_found),
        cmocka_unit_test(a_send_may_fail_where_the_script_expects_a_reset),
        cmocka_unit_test(a_statement_that_was_not_carried_out_is_found),
        cmocka_unit_test(a_connection_that_was_never_taken_is_found),
        cmocka_unit_test(frames_are_those_of_the_bytes),
        cmocka_unit_test(a_frame_of_other_bytes_is_found),
        cmocka_unit_test(an_end_that_no_script_names_is_held_against_what_was_read),
        cmocka_unit_test(an_end_that_the_script_names_is_the_business_of_its_expectation),
        cmocka_unit_test(thousands_of_statements_alike_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
