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

#include "harness/ledger/expects.h"
#include "harness/ledger/names.h"
#include "tests/support/story.h"

#define W6 "scenarios/framing/one-frame-per-quantum.events"

static void is(const struct lines *lines, const char *golden)
{
    char *text = lines_join(lines, NULL);

    assert_string_equal(text, golden);
    free(text);
}

static void asked(struct story *story, const char *failed, const char *left_over)
{
    struct names names;
    struct tally tally;
    struct lines lines = {0};

    names_make(&story->happened, &names);
    tally_make(&story->happened, &names, &tally);
    expects_check(&story->happened, &tally, &lines);
    is(&lines, failed);
    lines_free(&lines);
    expects_left_over(&story->happened, &tally, &lines);
    is(&lines, left_over);
    lines_free(&lines);
    tally_free(&tally);
    names_free(&names);
}

/* The framing exercise, sent in one piece. */
static void w6(struct story *story)
{
    story_begin(story, REACTOR_ET, "c");
    (void)story_does(story, "c", PLAN_SEND, "\0\3CAT\0\2OK", 9, 0);
    (void)story_does(story, "c", PLAN_CLOSE, NULL, 0, 0);
    story_file(story, W6);
}

static void expect_items(struct plan_expect *expect, const struct plan_bytes *items, uint32_t count)
{
    expect->items = items;
    expect->item_count = count;
}

static void what_holds_is_not_told(void **state)
{
    static const struct plan_bytes frames[] = {{(const uint8_t *)"CAT", 3},
                                               {(const uint8_t *)"OK", 2}};
    struct story story;

    (void)state;
    w6(&story);
    expect_items(story_expects(&story, PLAN_EXPECT_FRAMES, "c"), frames, 2);
    story_expects(&story, PLAN_EXPECT_END, "c")->outcome = READER_END_CLEAN;
    story_expects(&story, PLAN_EXPECT_PEAK, "c")->value = 9;
    (void)story_expects(&story, PLAN_EXPECT_UNREAD, "c");
    (void)story_expects(&story, PLAN_EXPECT_HELD, "c");
    (void)story_expects(&story, PLAN_EXPECT_RECEIVED, "c");
    story_expects(&story, PLAN_EXPECT_SAW, "c")->saw = PLAN_SAW_FIN;
    story_expects(&story, PLAN_EXPECT_NOTICES, NULL)->value = 4;
    story_expects(&story, PLAN_EXPECT_QUANTA, "c")->value = 7;
    story_expects(&story, PLAN_EXPECT_READS, "c")->value = 10;
    story_expects(&story, PLAN_EXPECT_EAGAIN, NULL)->value = 3;
    (void)story_expects(&story, PLAN_EXPECT_EINTR, NULL);
    (void)story_expects(&story, PLAN_EXPECT_STALE, "c");
    asked(&story, "", "");
    story_end(&story);
}

static void what_does_not_hold_is_told_with_its_place(void **state)
{
    static const struct plan_bytes frames[] = {{(const uint8_t *)"CAT", 3}};
    static const struct plan_bytes bytes[] = {{(const uint8_t *)"hello", 5}};
    static uint8_t received[] = "help";
    struct story story;
    struct plan_expect *expect;

    (void)state;
    w6(&story);
    expect_items(story_expects(&story, PLAN_EXPECT_FRAMES, "c"), frames, 1);
    expect = story_expects(&story, PLAN_EXPECT_END, "c");
    expect->outcome = READER_END_ERROR;
    expect->error = ETIMEDOUT;
    story_expects(&story, PLAN_EXPECT_PEAK, "c")->value = 5;
    story_expects(&story, PLAN_EXPECT_UNREAD, "c")->value = 4;
    story_expects(&story, PLAN_EXPECT_HELD, "c")->value = 2;
    expect_items(story_expects(&story, PLAN_EXPECT_RECEIVED, "c"), bytes, 1);
    story_expects(&story, PLAN_EXPECT_SAW, "c")->saw = PLAN_SAW_RESET;
    story_expects(&story, PLAN_EXPECT_NOTICES, NULL)->value = 1;
    story_expects(&story, PLAN_EXPECT_EINTR, "c")->value = 1;
    story_expects(&story, PLAN_EXPECT_STALE, NULL)->value = 1;
    story.got[0].received = received;
    story.got[0].received_size = 4;
    asked(&story,
          "x.scn:40:3: expected c frames \"CAT\", happened \"CAT\" \"OK\"\n"
          "x.scn:41:3: expected c end error ETIMEDOUT, happened clean\n"
          "x.scn:42:3: expected c peak 5, happened 9\n"
          "x.scn:43:3: expected c unread 4, happened 0\n"
          "x.scn:44:3: expected c held 2, happened 0\n"
          "x.scn:45:3: expected c received \"hello\" (5 bytes), happened \"help\" (4 bytes); the "
          "first 3 agree\n"
          "x.scn:46:3: expected c saw reset, happened fin\n"
          "x.scn:47:3: expected sut notices 1, happened 4\n"
          "x.scn:48:3: expected c eintr 1, happened 0\n"
          "x.scn:49:3: expected sut stale 1, happened 0\n",
          "");
    story_end(&story);
}

static void many_frames_are_told_by_the_first_few(void **state)
{
    static const struct plan_bytes item = {(const uint8_t *)"OK", 2};
    struct plan_bytes frames[10];
    struct story story;

    (void)state;
    w6(&story);
    for (size_t i = 0; i < 10; i++)
        frames[i] = item;
    expect_items(story_expects(&story, PLAN_EXPECT_FRAMES, "c"), frames, 10);
    asked(
        &story,
        "x.scn:40:3: expected c frames \"OK\" \"OK\" \"OK\" \"OK\" \"OK\" \"OK\" \"OK\" \"OK\" .. "
        "(10 in all), happened \"CAT\" \"OK\"\n",
        "");
    story_end(&story);
}

static void frames_of_a_peer_that_never_became_a_source_are_none(void **state)
{
    static const struct plan_bytes frames[] = {{(const uint8_t *)"CAT", 3}};
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    (void)story_expects(&story, PLAN_EXPECT_FRAMES, "c");
    expect_items(story_expects(&story, PLAN_EXPECT_FRAMES, "c"), frames, 1);
    (void)story_expects(&story, PLAN_EXPECT_BYTES, "c");
    (void)story_expects(&story, PLAN_EXPECT_END, "c");
    story_expects(&story, PLAN_EXPECT_PEAK, "c")->value = 1;
    asked(&story,
          "x.scn:41:3: expected c frames \"CAT\", happened none\n"
          "x.scn:44:3: expected c peak 1, happened 0\n",
          "");
    story_end(&story);
}

static void expectations_of_another_trigger_do_not_count(void **state)
{
    struct story story;
    struct plan_expect *expect;

    (void)state;
    w6(&story);
    expect = story_expects(&story, PLAN_EXPECT_PEAK, "c");
    expect->triggers = 1u << REACTOR_LT | 1u << REACTOR_OS;
    asked(&story, "", "");
    expect->triggers = 1u << REACTOR_ET;
    asked(&story, "x.scn:40:3: expected c peak 0, happened 9\n", "");
    story_end(&story);
}

/* One raw source that read two of `size` bytes and goes on with `row`. */
static void raw(struct story *story, const char *bytes, size_t size, const char *row)
{
    story_begin(story, REACTOR_ET, "A");
    story->plan.format.header = 0;
    story->plan.capacity = 0;
    (void)story_does(story, "A", PLAN_SEND, bytes, size, 0);
    story_row(story, "l accept = A");
    story_row(story, "A ready QUEUED hint=1 credit=0+0 queue=[A]");
    story_row(story, "A quantum 1");
    story_row(story, "A read 2 = 2 61 62");
    story_row(story, row);
    story_row(story, "stop");
    story_row(story, "A close");
}

#define WAITS "A stop bytes WAITING hint=1 credit=0+0 queue=[] unread=0"

static void bytes_are_compared_when_there_are_no_frames(void **state)
{
    static const struct plan_bytes good[] = {{(const uint8_t *)"ab", 2}};
    static const struct plan_bytes bad[] = {{(const uint8_t *)"abc", 3}};
    struct story story;
    struct plan_expect *expect;

    (void)state;
    raw(&story, "ab", 2, WAITS);
    expect = story_expects(&story, PLAN_EXPECT_BYTES, "A");
    expect_items(expect, good, 1);
    asked(&story, "", "");
    expect_items(expect, bad, 1);
    asked(&story,
          "x.scn:40:3: expected A bytes \"abc\" (3 bytes), happened \"ab\" (2 bytes); the first 2 "
          "agree\n",
          "");
    expect_items(expect, NULL, 0);
    asked(&story, "x.scn:40:3: expected A bytes none, happened \"ab\" (2 bytes)\n", "");
    story_end(&story);
}

static void unread_bytes_are_left_over_unless_they_are_expected(void **state)
{
    struct story story;

    (void)state;
    raw(&story, "abcdef", 6, "A stop bytes WAITING hint=1 credit=0+0 queue=[] unread=4");
    asked(&story, "", "A unread 4\n");
    story_expects(&story, PLAN_EXPECT_UNREAD, "A")->value = 4;
    asked(&story, "", "");
    story.expects[0].value = 3;
    asked(&story, "x.scn:40:3: expected A unread 3, happened 4\n", "");
    story_end(&story);
}

static void held_credit_is_left_over_unless_it_is_expected(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    (void)story_does(&story, "c", PLAN_SEND, "\0\2OK", 4, 0);
    story_file(&story, "scenarios/framing/unconsumed-at-eof.events");
    asked(&story, "", "c held 4\n");
    story_expects(&story, PLAN_EXPECT_HELD, "c")->value = 4;
    asked(&story, "", "");
    story_end(&story);
}

static void a_queued_source_is_left_over(void **state)
{
    struct story story;

    (void)state;
    raw(&story, "ab", 2, "A stop bytes QUEUED hint=1 credit=0+0 queue=[A] unread=0");
    asked(&story, "", "A queued\n");
    story_end(&story);
}

static void an_end_that_the_sut_never_saw_is_left_over(void **state)
{
    struct story story;

    (void)state;
    raw(&story, "ab", 2, WAITS);
    asked(&story, "", "");
    story_does(&story, "A", PLAN_CLOSE, NULL, 0, 0)->error = ENOTCONN;
    asked(&story, "", "");
    story.actions[1].error = 0;
    asked(&story, "", "A end not seen\n");
    story.statements[1].verb = PLAN_SHUTDOWN;
    story.statements[1].how = PLAN_HOW_READ;
    asked(&story, "", "");
    story.statements[1].how = PLAN_HOW_BOTH;
    asked(&story, "", "A end not seen\n");
    story_expects(&story, PLAN_EXPECT_END, "A")->outcome = READER_END_NONE;
    asked(&story, "", "");
    story_end(&story);
}

static void a_source_that_the_application_closed_leaves_nothing(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "A");
    (void)story_does(&story, "A", PLAN_SEND, "abcdef", 6, 0);
    (void)story_does(&story, "A", PLAN_CLOSE, NULL, 0, 0);
    story_row(&story, "l accept = A");
    story_row(&story, "A ready QUEUED hint=1 credit=5+0 queue=[A]");
    story_row(&story, "A close");
    story_row(&story, "stop");
    asked(&story, "", "");
    story_end(&story);
}

static void the_peak_counts_the_room_that_a_read_was_granted(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    (void)story_does(&story, "c", PLAN_SEND, "\0\0\0\0\0", 6, 0);
    story_file(&story, "scenarios/framing/three-empty-frames.events");
    story_expects(&story, PLAN_EXPECT_PEAK, "c")->value = 9;
    asked(&story, "", "");
    story_end(&story);
}

static void bytes_that_a_peer_received_are_left_over_unless_they_are_expected(void **state)
{
    struct story story;
    uint8_t reply[] = "XY";
    struct plan_bytes item = {reply, 1};

    (void)state;
    story_begin(&story, REACTOR_ET, "c d");
    story.got[1].received = reply;
    story.got[1].received_size = 1;
    asked(&story, "", "d received 1 byte that nothing names\n");
    story.got[1].received_size = 2;
    asked(&story, "", "d received 2 bytes that nothing names\n");
    expect_items(story_expects(&story, PLAN_EXPECT_RECEIVED, "d"), &item, 1);
    asked(&story,
          "x.scn:40:3: expected d received \"X\" (1 byte), happened \"XY\" (2 bytes); "
          "the first 1 agree\n",
          "");
    story.expects[0].triggers = 1u << REACTOR_LT;
    asked(&story, "", "d received 2 bytes that nothing names\n");
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_holds_is_not_told),
        cmocka_unit_test(what_does_not_hold_is_told_with_its_place),
        cmocka_unit_test(many_frames_are_told_by_the_first_few),
        cmocka_unit_test(frames_of_a_peer_that_never_became_a_source_are_none),
        cmocka_unit_test(expectations_of_another_trigger_do_not_count),
        cmocka_unit_test(bytes_are_compared_when_there_are_no_frames),
        cmocka_unit_test(unread_bytes_are_left_over_unless_they_are_expected),
        cmocka_unit_test(held_credit_is_left_over_unless_it_is_expected),
        cmocka_unit_test(a_queued_source_is_left_over),
        cmocka_unit_test(an_end_that_the_sut_never_saw_is_left_over),
        cmocka_unit_test(a_source_that_the_application_closed_leaves_nothing),
        cmocka_unit_test(the_peak_counts_the_room_that_a_read_was_granted),
        cmocka_unit_test(bytes_that_a_peer_received_are_left_over_unless_they_are_expected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
