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

#include "harness/ledger/events.h"
#include "harness/ledger/expected.h"
#include "tests/support/story.h"

static const struct {
    const char *file;
    const char *peers;
} ledgers[] = {
    {"scenarios/framing/one-frame-per-quantum.events", "c"},
    {"scenarios/readiness/six-quanta.events", "A B"},
    {"scenarios/ends/fin-then-rst.events", "c"},
    {"scenarios/ends/fin-while-paused.events", "c"},
    {"scenarios/ends/rst-while-paused.events", "c"},
    {"scenarios/ends/closed-by-callback.events", "A B"},
    {"scenarios/ends/number-reused-in-batch.events", "c d e"},
    {"scenarios/framing/header-cut-everywhere.events", "c1 c2 c3"},
    {"scenarios/framing/oversize-by-one.events", "c"},
    {"scenarios/framing/three-empty-frames.events", "c"},
    {"scenarios/framing/truncated-payload.events", "c"},
    {"scenarios/readiness/six-quanta-pipe.events", "A B"},
};
#define LEDGERS (sizeof(ledgers) / sizeof(*ledgers))

/* The rows of one trigger are in the file byte for byte, layout included. */
static void retell(const char *file, const char *peers, enum reactor_trigger trigger)
{
    struct lines errors = {0};
    struct expected expected;
    struct story story;
    struct events events;
    const struct expected_row **rows;
    size_t count;

    assert_int_equal(expected_read(file, EXPECTED_EVENTS, &expected, &errors), 0);
    assert_false(expected.missing);
    rows = expected_select(&expected, trigger, &count);
    story_begin(&story, trigger, peers);
    story_file(&story, file);
    events_make(&story.happened, &events);
    assert_int_equal(events.text.count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(events.text.line[i], rows[i]->text);
    events_free(&events);
    story_end(&story);
    free(rows);
    expected_free(&expected);
}

static void whole_ledgers_are_retold_under_every_trigger(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEDGERS; i++)
        for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++)
            retell(ledgers[i].file, ledgers[i].peers, trigger);
}

/* What a story's journal is told as. */
static void told(struct story *story, const char *const *rows, size_t count)
{
    struct events events;

    events_make(&story->happened, &events);
    for (size_t i = 0; i < count && i < events.text.count; i++)
        assert_string_equal(events.text.line[i], rows[i]);
    assert_int_equal(events.text.count, count);
    events_free(&events);
}
#define TOLD(story, ...)                                 \
    do {                                                 \
        const char *const rows[] = {__VA_ARGS__};        \
        told(story, rows, sizeof(rows) / sizeof(*rows)); \
    } while (0)

static struct identity peer_id(uint32_t number)
{
    return (struct identity){number + 1, 1};
}

/* A story whose sources are all in service; their rows stand first in what is told. */
static void accepted(struct story *story, const char *peers)
{
    char row[64];

    story_begin(story, REACTOR_ET, peers);
    for (uint32_t i = 0; i < story->plan.peer_count; i++) {
        (void)snprintf(row, sizeof(row), "l accept = %s", story->names[i]);
        story_row(story, row);
    }
}

static void write_with_side(struct story *story, struct journal_record record, const void *bytes,
                            size_t size)
{
    record.side_at = journal_side_mark(story->journal);
    record.side_length = (uint32_t)size;
    journal_side(story->journal, bytes, size);
    journal_write(story->journal, &record);
}

static void a_read_shows_eight_bytes_and_no_more(void **state)
{
    struct journal_record record = {
        .kind = JOURNAL_READ, .subject = peer_id(0), .asked = 99, .result = 8};
    struct story story;

    (void)state;
    accepted(&story, "A");
    write_with_side(&story, record, "abcdefgh", 8);
    record.result = 9;
    write_with_side(&story, record, "abcdefghi", 9);
    TOLD(&story, "l accept = A", "A read 99 = 8 61 62 63 64 65 66 67 68",
         "A read 99 = 9 61 62 63 64 65 66 67 68 ..");
    story_end(&story);
}

static void results_of_a_read_are_words(void **state)
{
    static const int results[] = {0, -EAGAIN, -EINTR, -ECONNRESET, -ETIMEDOUT};
    struct story story;

    (void)state;
    accepted(&story, "A");
    for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
        struct journal_record record = {
            .kind = JOURNAL_READ, .subject = peer_id(0), .asked = 2, .result = results[i]};

        journal_write(story.journal, &record);
    }
    TOLD(&story, "l accept = A", "A read 2 = EOF", "A read 2 = EAGAIN", "A read 2 = EINTR",
         "A read 2 = ECONNRESET", "A read 2 = ETIMEDOUT");
    story_end(&story);
}

static void a_frame_shows_bytes_that_are_not_text_as_hex(void **state)
{
    static const uint8_t payload[] = {'a', 0, '"', '\\', 0x7f, 0xe9, ' '};
    struct journal_record record = {
        .kind = JOURNAL_FRAME, .subject = peer_id(0), .number = 1, .result = sizeof(payload)};
    struct story story;

    (void)state;
    accepted(&story, "A");
    write_with_side(&story, record, payload, sizeof(payload));
    record.result = 0;
    write_with_side(&story, record, NULL, 0);
    TOLD(&story, "l accept = A", "A frame 1 \"a\\x00\\x22\\x5c\\x7f\\xe9 \"", "A frame 1 \"\"");
    story_end(&story);
}

static void a_frame_shows_thirty_two_bytes_and_no_more(void **state)
{
    static const char payload[] = "0123456789abcdef0123456789abcdef!";
    struct journal_record record = {
        .kind = JOURNAL_FRAME, .subject = peer_id(0), .number = 1, .result = 33};
    struct story story;

    (void)state;
    accepted(&story, "A");
    write_with_side(&story, record, payload, 32);
    write_with_side(&story, record, payload, 33);
    TOLD(&story, "l accept = A", "A frame 1 \"0123456789abcdef0123456789abcdef\"",
         "A frame 1 \"0123456789abcdef0123456789abcdef\"..");
    story_end(&story);
}

static void credit_stands_on_a_read_only_when_it_is_news_about_its_source(void **state)
{
    static const struct {
        uint32_t peer;
        uint32_t used;
        uint32_t reserved;
    } reads[] = {{0, 0, 0}, {0, 0, 5}, {1, 0, 5}, {0, 0, 5}, {1, 0, 5}, {0, 0, 4}, {0, 0, 5}};
    struct story story;

    (void)state;
    accepted(&story, "A B");
    for (size_t i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
        struct journal_record record = {.kind = JOURNAL_READ,
                                        .subject = peer_id(reads[i].peer),
                                        .asked = 1,
                                        .result = -EAGAIN,
                                        .credit = {reads[i].used, reads[i].reserved}};

        journal_write(story.journal, &record);
    }
    TOLD(&story, "l accept = A", "l accept = B", "A read 1 = EAGAIN",
         "A read 1 = EAGAIN                            credit=0+5",
         "B read 1 = EAGAIN                            credit=0+5", "A read 1 = EAGAIN",
         "B read 1 = EAGAIN", "A read 1 = EAGAIN                            credit=0+4",
         "A read 1 = EAGAIN                            credit=0+5");
    story_end(&story);
}

static void a_part_that_does_not_fit_pushes_the_next_away_by_one_blank(void **state)
{
    static const char row[] = "A stop bytes frames items attempts time capacity PAUSED   hint=1 "
                              "credit=5+0 queue=[]  unread=4";
    struct story story;

    (void)state;
    accepted(&story, "A a-long-name-of-twenty-eight-ch");
    story_row(&story, row);
    story_row(&story, "A consume 1 credit=1000000+5");
    story_row(&story,
              "A resume QUEUED hint=1 credit=1000000+5 queue=[a-long-name-of-twenty-eight-ch,A]");
    story_row(&story, "A stop EAGAIN WAITING hint=0 credit=10+5 queue=[] unread=12");
    story_row(&story, "A stop EAGAIN WAITING hint=0 credit=0+5 queue=[A,A] unread=12");
    TOLD(&story, "l accept = A", "l accept = a-long-name-of-twenty-eight-ch", row,
         "A consume 1                                  credit=1000000+5",
         "A resume                     QUEUED   hint=1 credit=1000000+5 "
         "queue=[a-long-name-of-twenty-eight-ch,A]",
         "A stop EAGAIN                WAITING  hint=0 credit=10+5 queue=[]  unread=12",
         "A stop EAGAIN                WAITING  hint=0 credit=0+5 queue=[A,A] unread=12");
    story_end(&story);
}

static void a_queue_that_is_longer_than_the_record_keeps_says_so(void **state)
{
    uint64_t queue[JOURNAL_QUEUE_MAX];
    struct journal_record record = {.kind = JOURNAL_READY,
                                    .state = READER_QUEUED,
                                    .flags = JOURNAL_FLAG_HINT,
                                    .subject = peer_id(0),
                                    .number = JOURNAL_QUEUE_MAX + 1};
    struct story story;
    struct events events;

    (void)state;
    accepted(&story, "A");
    for (size_t i = 0; i < JOURNAL_QUEUE_MAX; i++)
        queue[i] = identity_pack(peer_id(0));
    write_with_side(&story, record, queue, sizeof(queue));
    record.number--;
    write_with_side(&story, record, queue, sizeof(queue));
    events_make(&story.happened, &events);
    assert_non_null(strstr(events.text.line[1], "A,A,.."));
    assert_null(strstr(events.text.line[2], ".."));
    events_free(&events);
    story_end(&story);
}

static void unread_is_left_out_when_nobody_could_tell(void **state)
{
    static const char row[] = "A stop EAGAIN                WAITING  hint=0 credit=0+0 queue=[]";
    struct story story;

    (void)state;
    accepted(&story, "A");
    story_row(&story, row);
    TOLD(&story, "l accept = A", row);
    story_end(&story);
}

static void a_change_of_interest_shows_what_changed(void **state)
{
    static const struct {
        uint16_t was;
        uint16_t now;
        enum os_ctl op;
        int result;
    } ctls[] = {
        {0, OS_IN | OS_OUT | OS_RDHUP | OS_ET | OS_ONESHOT, OS_ADD, 0},
        {OS_IN | OS_RDHUP, OS_OUT, OS_MOD, 0},
        {OS_IN | OS_ET, OS_IN | OS_ET, OS_MOD, 0},
        {OS_IN, OS_IN, OS_MOD, -ENOENT},
        {OS_IN, 0, OS_DEL, -EBADF},
    };
    struct story story;

    (void)state;
    accepted(&story, "A");
    for (size_t i = 0; i < sizeof(ctls) / sizeof(*ctls); i++) {
        struct journal_record record = {.kind = JOURNAL_CTL,
                                        .subject = peer_id(0),
                                        .op = (uint8_t)ctls[i].op,
                                        .was = ctls[i].was,
                                        .events = ctls[i].now,
                                        .result = ctls[i].result};

        journal_write(story.journal, &record);
    }
    TOLD(&story, "l accept = A", "ctl A add IN OUT RDHUP ET ONESHOT", "ctl A -IN +OUT -RDHUP",
         "ctl A rearm", "ctl A rearm = ENOENT", "ctl A del = EBADF");
    story_end(&story);
}

static void a_stale_notice_is_told_under_the_old_name(void **state)
{
    struct journal_record accept = {
        .kind = JOURNAL_ACCEPT, .subject = {0, 1}, .object = {1, 2}}; /* d's slot again */
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "d e");
    story_row(&story, "l accept = d");
    story_row(&story, "d close");
    journal_write(story.journal, &accept);
    story_row(&story, "notice d IN stale");
    TOLD(&story, "l accept = d", "d close", "l accept = e", "notice d IN stale");
    story_end(&story);
}

static void ends_are_words(void **state)
{
    static const char *const rows[] = {
        "l accept = A",
        "A end truncated              FINISHED hint=0 credit=0+0 queue=[]  unread=0",
        "A end oversize               FAILED   hint=0 credit=0+0 queue=[]  unread=4",
        "A end reset                  FAILED   hint=0 credit=0+0 queue=[]  unread=0",
        "A end error ETIMEDOUT        FAILED   hint=0 credit=0+0 queue=[]  unread=0",
    };
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "A");
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        story_row(&story, rows[i]);
    told(&story, rows, sizeof(rows) / sizeof(*rows));
    story_end(&story);
}

static void adopted_descriptors_have_names_too(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "A B");
    story_row(&story, "A adopt");
    story_row(&story, "B adopt");
    story_row(&story, "notice B IN");
    TOLD(&story, "A adopt", "B adopt", "notice B IN");
    story_end(&story);
}

static void a_source_that_the_record_does_not_know_is_a_question_mark(void **state)
{
    struct story story;

    (void)state;
    accepted(&story, "A B");
    story.happened.source_count = 1;
    story_row(&story, "notice B IN");
    TOLD(&story, "l accept = A", "l accept = ?", "notice ? IN");
    story_end(&story);
}

static void an_illegal_event_is_a_row(void **state)
{
    struct journal_record record = {.kind = JOURNAL_ILLEGAL,
                                    .subject = peer_id(0),
                                    .state = READER_WAITING,
                                    .number = READER_DISPATCH};
    struct story story;

    (void)state;
    accepted(&story, "A");
    journal_write(story.journal, &record);
    TOLD(&story, "l accept = A", "A illegal head of the queue in WAITING");
    story_end(&story);
}

static void the_listener_has_notices_and_accepts_only(void **state)
{
    struct journal_record ctl = {
        .kind = JOURNAL_CTL, .subject = {0, 1}, .op = OS_ADD, .events = OS_IN};
    struct journal_record closed = {.kind = JOURNAL_CLOSE, .subject = {0, 1}};
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "A");
    journal_write(story.journal, &ctl);
    story_row(&story, "notice l IN");
    story_row(&story, "l accept = EAGAIN");
    story_row(&story, "stop");
    journal_write(story.journal, &closed);
    TOLD(&story, "notice l IN", "l accept = EAGAIN", "stop");
    story_end(&story);
}

static void a_sut_that_never_accepted_has_a_listener_still(void **state)
{
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "A");
    story_row(&story, "notice l IN");
    TOLD(&story, "notice l IN");
    story_end(&story);
}

static void rows_keep_their_script_time(void **state)
{
    struct story story;
    struct events events;

    (void)state;
    story_begin(&story, REACTOR_ET, "A");
    story_row(&story, "l accept = A");
    story_at(&story, 3);
    story_row(&story, "notice A IN");
    events_make(&story.happened, &events);
    assert_int_equal(events.at[0].ns, 0);
    assert_int_equal(events.at[1].ns, 3000000);
    events_free(&events);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_ledgers_are_retold_under_every_trigger),
        cmocka_unit_test(a_read_shows_eight_bytes_and_no_more),
        cmocka_unit_test(results_of_a_read_are_words),
        cmocka_unit_test(a_frame_shows_bytes_that_are_not_text_as_hex),
        cmocka_unit_test(a_frame_shows_thirty_two_bytes_and_no_more),
        cmocka_unit_test(credit_stands_on_a_read_only_when_it_is_news_about_its_source),
        cmocka_unit_test(a_part_that_does_not_fit_pushes_the_next_away_by_one_blank),
        cmocka_unit_test(a_queue_that_is_longer_than_the_record_keeps_says_so),
        cmocka_unit_test(unread_is_left_out_when_nobody_could_tell),
        cmocka_unit_test(a_change_of_interest_shows_what_changed),
        cmocka_unit_test(a_stale_notice_is_told_under_the_old_name),
        cmocka_unit_test(ends_are_words),
        cmocka_unit_test(adopted_descriptors_have_names_too),
        cmocka_unit_test(a_source_that_the_record_does_not_know_is_a_question_mark),
        cmocka_unit_test(an_illegal_event_is_a_row),
        cmocka_unit_test(the_listener_has_notices_and_accepts_only),
        cmocka_unit_test(a_sut_that_never_accepted_has_a_listener_still),
        cmocka_unit_test(rows_keep_their_script_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
