/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/chronicle.h"
#include "harness/ledger/events.h"
#include "harness/ledger/invariants.h"
#include "harness/ledger/tally.h"
#include "tests/support/story.h"
static void begin(struct story *story)
{
    story_begin(story, REACTOR_ET, "c");
    story_row(story, "l accept = c");
    story_row(story, "c ready QUEUED hint=1 credit=0+0 queue=[c]");
    story_row(story, "c quantum 1");
    story_row(story, "c read 2 = 2 00 01");
}

static struct journal_record *record(const struct story *story, uint64_t i)
{
    return (struct journal_record *)(uintptr_t)journal_at(story->journal, i);
}

/* All that reads a journal reads this one. */
static void all_read(const struct story *story, const char *last)
{
    struct names names;
    struct tally tally;
    struct events events;
    struct lines broken = {0};

    names_make(&story->happened, &names);
    tally_make(&story->happened, &names, &tally);
    events_make(&story->happened, &events);
    invariants_check(&story->happened, &names, &events.text, &broken);
    assert_true(events.text.count > 0);
    assert_string_equal(events.text.line[events.text.count - 1], last);
    lines_free(&broken);
    events_free(&events);
    tally_free(&tally);
    names_free(&names);
}

static void without_a_journal_there_is_nothing(void **state)
{
    struct happened happened = {0};

    (void)state;
    assert_int_equal(chronicle_of(&happened).count, 0);
    assert_false(chronicle_of(&happened).overflow);
}

static void a_count_above_the_capacity_is_the_capacity(void **state)
{
    struct story story;

    (void)state;
    begin(&story);
    atomic_store(&story.journal->count, UINT64_MAX);
    assert_int_equal(chronicle_of(&story.happened).count, story.journal->capacity);
    atomic_store(&story.journal->count, 4);
    atomic_store(&story.journal->side_used, UINT64_MAX);
    assert_int_equal(chronicle_of(&story.happened).side, story.journal->side_capacity);
    story_end(&story);
}

static void side_bytes_never_lie_outside_the_side_log(void **state)
{
    static const struct {
        uint64_t at;
        uint32_t length;
    } places[] = {{0, UINT32_MAX}, {UINT64_MAX, 1}, {UINT64_MAX - 3, 8}, {1u << 30, 2}};
    struct story story;

    (void)state;
    begin(&story);
    atomic_store(&story.journal->side_used, UINT64_MAX);
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        struct chronicle chronicle = chronicle_of(&story.happened);
        size_t size = 9;

        record(&story, 3)->side_at = places[i].at;
        record(&story, 3)->side_length = places[i].length;
        assert_null(chronicle_bytes(&chronicle, record(&story, 3), &size));
        assert_int_equal(size, 0);
        all_read(&story, "c read 2 = 2");
    }
    story_end(&story);
}

static void a_record_of_no_kind_has_no_row(void **state)
{
    struct story story;
    struct chronicle chronicle;

    (void)state;
    begin(&story);
    record(&story, 3)->kind = 200;
    chronicle = chronicle_of(&story.happened);
    assert_null(chronicle_at(&chronicle, 3));
    assert_non_null(chronicle_at(&chronicle, 2));
    all_read(&story, "c quantum 1");
    story_end(&story);
}

static void an_error_that_no_kernel_has_is_none(void **state)
{
    struct story story;

    (void)state;
    begin(&story);
    record(&story, 3)->result = -EIO;
    assert_int_equal(chronicle_error(record(&story, 3)), EIO);
    record(&story, 3)->side_length = 0;
    record(&story, 3)->result = INT_MIN;
    assert_int_equal(chronicle_error(record(&story, 3)), 0);
    all_read(&story, "c read 2 = E?");
    story_end(&story);
}

static void garbage_in_every_field_is_only_told(void **state)
{
    struct story story;

    (void)state;
    for (uint8_t kind = 0; kind < JOURNAL_KIND_COUNT; kind++) {
        struct identity subject;
        struct names names;
        struct tally tally;

        begin(&story);
        subject = record(&story, 1)->subject;
        memset(record(&story, 3), 0xff, sizeof(struct journal_record));
        record(&story, 3)->kind = kind;
        record(&story, 3)->subject = subject;
        names_make(&story.happened, &names);
        tally_make(&story.happened, &names, &tally);
        assert_true(tally.sources[0].outcome < READER_END_COUNT);
        tally_free(&tally);
        names_free(&names);
        story_row(&story, "stop");
        all_read(&story, "stop");
        story_end(&story);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_journal_there_is_nothing),
        cmocka_unit_test(a_count_above_the_capacity_is_the_capacity),
        cmocka_unit_test(side_bytes_never_lie_outside_the_side_log),
        cmocka_unit_test(a_record_of_no_kind_has_no_row),
        cmocka_unit_test(an_error_that_no_kernel_has_is_none),
        cmocka_unit_test(garbage_in_every_field_is_only_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
