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
#include "harness/ledger/invariants.h"
#include "tests/support/story.h"

/* What is told of a story's journal. */
static void checked(struct story *story, const char *golden)
{
    struct lines lines = {0};
    struct names names;
    struct events events;
    char *text;

    names_make(&story->happened, &names);
    events_make(&story->happened, &events);
    invariants_check(&story->happened, &names, &events.text, &lines);
    text = lines_join(&lines, NULL);
    assert_string_equal(text, golden);
    free(text);
    lines_free(&lines);
    events_free(&events);
    names_free(&names);
}

/* One source in service, then `rows`: the rows number from 2. */
static void told(const char *const *rows, size_t count, const char *golden)
{
    struct story story;

    story_begin(&story, REACTOR_ET, "c d");
    story_row(&story, "l accept = c");
    for (size_t i = 0; i < count; i++)
        story_row(&story, rows[i]);
    checked(&story, golden);
    story_end(&story);
}
#define TOLD(golden, ...)                                 \
    do {                                                  \
        static const char *const rows[] = {__VA_ARGS__};  \
        told(rows, sizeof(rows) / sizeof(*rows), golden); \
    } while (0)

#define READY  "c ready QUEUED hint=1 credit=0+0 queue=[c]"
#define PAUSED "c ready PAUSED hint=1 credit=5+0 queue=[]"

static void whole_ledgers_break_nothing(void **state)
{
    static const struct {
        const char *file;
        const char *peers;
        uint8_t header;
        uint32_t capacity;
    } ledgers[] = {
        {"scenarios/framing/one-frame-per-quantum.events", "c", 2, 9},
        {"scenarios/framing/three-empty-frames.events", "c", 2, 9},
        {"scenarios/ends/rst-while-paused.events", "c", 2, 9},
        {"scenarios/ends/closed-by-callback.events", "A B", 2, 9},
        {"scenarios/ends/number-reused-in-batch.events", "c d e", 2, 9},
        {"scenarios/readiness/six-quanta.events", "A B", 0, 0},
        {"scenarios/readiness/no-requeue-level.events", "A B", 0, 0},
        {"scenarios/readiness/six-quanta-h1.events", "A B", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(ledgers) / sizeof(*ledgers); i++)
        for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
            struct story story;

            story_begin(&story, trigger, ledgers[i].peers);
            story.plan.format.header = ledgers[i].header;
            story.plan.capacity = ledgers[i].capacity;
            story_file(&story, ledgers[i].file);
            checked(&story, "");
            story_end(&story);
        }
}

static void a_quantum_belongs_to_the_head_of_the_queue(void **state)
{
    (void)state;
    TOLD("row 2, \"c quantum 1\": it is not the head of the queue\n", "c quantum 1");
    TOLD("row 5, \"d quantum 1\": it is not the head of the queue\n", "l accept = d", READY,
         "d ready QUEUED hint=1 credit=0+0 queue=[c,d]", "d quantum 1");
}

static void a_source_is_in_the_queue_once(void **state)
{
    (void)state;
    TOLD("row 3, \"c ready                      QUEUED   hint=1 credit=0+0 queue=[c]\": it is in "
         "the "
         "queue already\n",
         READY, READY);
}

static void the_queue_of_a_row_is_the_queue_as_played(void **state)
{
    (void)state;
    TOLD("row 2, \"c ready                      QUEUED   hint=1 credit=0+0 queue=[]\": 1 should be "
         "in "
         "the queue\n",
         "c ready QUEUED hint=1 credit=0+0 queue=[]");
    TOLD(
        "row 2, \"c ready                      PAUSED   hint=1 credit=0+0 queue=[c]\": 0 should be "
        "in the queue\n",
        "c ready PAUSED hint=1 credit=0+0 queue=[c]");
    TOLD("row 4, \"d ready                      QUEUED   hint=1 credit=0+0 queue=[d,c]\": place 1 "
         "of "
         "the queue should be c\n",
         "l accept = d", READY, "d ready QUEUED hint=1 credit=0+0 queue=[d,c]");
}

static void reads_and_stops_are_those_of_the_running_source(void **state)
{
    (void)state;
    TOLD("row 2, \"c read 2 = EAGAIN\": it is not its quantum\n", "c read 2 = EAGAIN");
    TOLD("row 2, \"c frame 1 \"\"\": it is not its quantum\n", "c frame 1 \"\"");
    TOLD("row 2, \"c stop EAGAIN                WAITING  hint=0 credit=0+0 queue=[]\": it is not "
         "its "
         "quantum\n",
         "c stop EAGAIN WAITING hint=0 credit=0+0 queue=[]");
    TOLD("row 4, \"c ready                      PAUSED   hint=1 credit=5+0 queue=[]\": inside a "
         "quantum\n",
         READY, "c quantum 1", PAUSED);
}

static void credit_stays_within_the_capacity(void **state)
{
    (void)state;
    TOLD("row 2, \"c consume 1                                  credit=5+5\": credit 10 is above "
         "the "
         "capacity 9\n",
         "c consume 1 credit=5+5");
    TOLD("row 4, \"c read 2 = EAGAIN\": a frame begun with 5 of 9 used, without room for the "
         "largest\n",
         "c ready QUEUED hint=1 credit=5+0 queue=[c]", "c quantum 1", "c read 2 = EAGAIN");
}

static void a_read_direction_ends_once(void **state)
{
    (void)state;
    TOLD("row 5, \"c read 2 = EOF\": its read direction has ended\n"
         "row 5, \"c read 2 = EOF\": it is not its quantum\n",
         READY, "c quantum 1", "c end clean FINISHED hint=0 credit=0+0 queue=[]", "c read 2 = EOF");
    TOLD("row 5, \"c ready                      PAUSED   hint=1 credit=5+0 queue=[]\": its read "
         "direction has ended\n",
         READY, "c quantum 1", "c end clean FINISHED hint=0 credit=0+0 queue=[]", PAUSED);
}

static void nothing_happens_to_a_closed_source(void **state)
{
    (void)state;
    TOLD("", READY, "c close", "ctl c del", "notice c IN stale", "stop");
    TOLD("row 3, \"notice c IN\": the source is closed; the notice is stale\n", "c close",
         "notice c IN");
    TOLD("row 3, \"c ready                      QUEUED   hint=1 credit=0+0 queue=[c]\": the source "
         "is closed\n",
         "c close", READY);
    TOLD("row 3, \"c close\": the source is closed\n", "c close", "c close");
}

static void a_close_inside_its_quantum_ends_it(void **state)
{
    (void)state;
    TOLD("", "l accept = d", READY, "d ready QUEUED hint=1 credit=0+0 queue=[c,d]", "c quantum 1",
         "c close", "d quantum 2");
}

static void no_quantum_begins_after_the_stop(void **state)
{
    (void)state;
    TOLD("row 4, \"c quantum 1\": after the stop\n", READY, "stop", "c quantum 1");
}

static void an_illegal_event_is_always_broken(void **state)
{
    struct journal_record record = {.kind = JOURNAL_ILLEGAL,
                                    .subject = {1, 1},
                                    .state = READER_WAITING,
                                    .number = READER_DISPATCH};
    struct story story;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    journal_write(story.journal, &record);
    story_row(&story, "l accept = c");
    checked(&story, "row 1, \"c illegal head of the queue in WAITING\": an internal error of the "
                    "reactor\n");
    story_end(&story);
}

static void many_broken_rows_are_counted_only(void **state)
{
    struct story story;
    struct lines lines = {0};
    struct names names;

    (void)state;
    story_begin(&story, REACTOR_ET, "c");
    story_row(&story, "l accept = c");
    for (int i = 0; i < INVARIANTS_TOLD_MAX + 3; i++)
        story_row(&story, "c read 2 = EOF");
    names_make(&story.happened, &names);
    invariants_check(&story.happened, &names, &(struct lines){0}, &lines);
    assert_int_equal(lines.count, INVARIANTS_TOLD_MAX + 1);
    assert_string_equal(lines.line[INVARIANTS_TOLD_MAX], "3 more broken rows");
    lines_free(&lines);
    names_free(&names);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_ledgers_break_nothing),
        cmocka_unit_test(a_quantum_belongs_to_the_head_of_the_queue),
        cmocka_unit_test(a_source_is_in_the_queue_once),
        cmocka_unit_test(the_queue_of_a_row_is_the_queue_as_played),
        cmocka_unit_test(reads_and_stops_are_those_of_the_running_source),
        cmocka_unit_test(credit_stays_within_the_capacity),
        cmocka_unit_test(a_read_direction_ends_once),
        cmocka_unit_test(nothing_happens_to_a_closed_source),
        cmocka_unit_test(a_close_inside_its_quantum_ends_it),
        cmocka_unit_test(no_quantum_begins_after_the_stop),
        cmocka_unit_test(an_illegal_event_is_always_broken),
        cmocka_unit_test(many_broken_rows_are_counted_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
