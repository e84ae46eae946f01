/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "core/os_record.h"
#include "tests/support/bed.h"
#include "tests/support/rows.h"

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/* A line of an expected journal, and the triggers under which it stands there. */
struct line {
    unsigned triggers;
    const char *text;
};

#define ET (1u << REACTOR_ET)
#define LT (1u << REACTOR_LT)
#define OS (1u << REACTOR_OS)
#define ALL (ET | LT | OS)

/* W6: frames "CAT" and "OK", one a quantum, under a credit of 9. */
static const struct line w6[] = {
    {ALL, "adopt 0"},
    {ET, "ctl 0 add was=0 now=IN|RDHUP|ET result=0"},
    {LT, "ctl 0 add was=0 now=IN|RDHUP result=0"},
    {OS, "ctl 0 add was=0 now=IN|RDHUP|ET|ONESHOT result=0"},
    {ALL, "notice 0 IN"},
    {ALL, "ready 0 QUEUED hint=1 credit=0+0 queue=[0]"},
    {ALL, "quantum 0 1"},
    {ALL, "read 0 asked=2 result=1 credit=0+5 bytes=00"},
    {ALL, "read 0 asked=1 result=-11 credit=0+5"},
    {ALL, "stop 0 EAGAIN WAITING hint=0 credit=0+5 queue=[] unread=0"},
    {OS, "ctl 0 mod was=IN|RDHUP|ET|ONESHOT now=IN|RDHUP|ET|ONESHOT result=0"},
    {ALL, "notice 0 IN"},
    {ALL, "ready 0 QUEUED hint=1 credit=0+5 queue=[0]"},
    {ALL, "quantum 0 2"},
    {ALL, "read 0 asked=1 result=1 credit=0+5 bytes=03"},
    {ALL, "read 0 asked=3 result=2 credit=0+5 bytes=4341"},
    {ALL, "stop 0 attempts QUEUED hint=1 credit=0+5 queue=[0] unread=0"},
    {ALL, "quantum 0 3"},
    {ALL, "read 0 asked=1 result=-11 credit=0+5"},
    {ALL, "stop 0 EAGAIN WAITING hint=0 credit=0+5 queue=[] unread=0"},
    {OS, "ctl 0 mod was=IN|RDHUP|ET|ONESHOT now=IN|RDHUP|ET|ONESHOT result=0"},
    {ALL, "notice 0 IN"},
    {ALL, "ready 0 QUEUED hint=1 credit=0+5 queue=[0]"},
    {ALL, "quantum 0 4"},
    {ALL, "read 0 asked=1 result=1 credit=0+5 bytes=54"},
    {ALL, "frame 0 1 result=3 credit=5+0 bytes=434154"},
    {ALL, "stop 0 frames capacity PAUSED hint=1 credit=5+0 queue=[] unread=4"},
    {LT, "ctl 0 mod was=IN|RDHUP now=0 result=0"},
    {ALL, "consume 0 1 credit=0+0"},
    {ALL, "resume 0 QUEUED hint=1 credit=0+0 queue=[0]"},
    {LT, "ctl 0 mod was=0 now=IN|RDHUP result=0"},
    {ALL, "quantum 0 5"},
    {ALL, "read 0 asked=2 result=2 credit=0+4 bytes=0002"},
    {ALL, "read 0 asked=2 result=2 credit=0+4 bytes=4f4b"},
    {ALL, "frame 0 2 result=2 credit=4+0 bytes=4f4b"},
    {ALL, "stop 0 frames attempts QUEUED hint=1 credit=4+0 queue=[0] unread=0"},
    {ALL, "quantum 0 6"},
    {ALL, "read 0 asked=2 result=-11 credit=4+5"},
    {ALL, "stop 0 EAGAIN WAITING hint=0 credit=4+5 queue=[] unread=0"},
    {OS, "ctl 0 mod was=IN|RDHUP|ET|ONESHOT now=IN|RDHUP|ET|ONESHOT result=0"},
    {ALL, "consume 0 1 credit=0+5"},
    {ALL, "notice 0 IN RDHUP"},
    {ALL, "ready 0 QUEUED hint=1 credit=0+5 queue=[0]"},
    {ALL, "quantum 0 7"},
    {ALL, "read 0 asked=2 result=0 credit=0+5"},
    {ALL, "end 0 clean 0 FINISHED hint=0 credit=0+0 queue=[] unread=0"},
    {LT, "ctl 0 mod was=IN|RDHUP now=0 result=0"},
    {ALL, "halt"},
    {ALL, "close 0"},
    {ET, "ctl 0 del was=IN|RDHUP|ET now=0 result=0"},
    {LT, "ctl 0 del was=0 now=0 result=0"},
    {OS, "ctl 0 del was=IN|RDHUP|ET|ONESHOT now=0 result=0"},
};

static void arrive(struct bed *bed, int fd, const char *bytes, size_t size)
{
    fake_os_arrive(&bed->kernel, fd, bytes, size);
    bed_run_idle(bed);
}

static void run_w6(struct bed *bed)
{
    int fd;
    struct identity id = bed_adopt(bed, &fd);

    arrive(bed, fd, "\x00", 1);
    arrive(bed, fd, "\x03" "CA", 3);
    arrive(bed, fd, "T\x00\x02OK", 5);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed_run_idle(bed);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    fake_os_fin(&bed->kernel, fd);
    bed_run_idle(bed);
    reactor_stop(bed->r);
    assert_int_equal(reactor_run(bed->r), 0);
}

/* As bed_start, over the recording decorator. */
static void start(struct bed *bed, struct os_record *record)
{
    struct os os = os_record_wrap(record, fake_os_table(&bed->kernel), bed->config.journal);

    assert_int_equal(reactor_open(&bed->config, os, &bed->r), 0);
}

static void w6_leaves_exactly_these_records(void **state)
{
    (void)state;
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        struct bed *bed = bed_new_framed();
        struct os_record record;
        const char *lines[LENGTH(w6)];
        size_t count = 0;
        uint64_t from = 0;

        for (size_t i = 0; i < LENGTH(w6); i++)
            if (w6[i].triggers & 1u << trigger)
                lines[count++] = w6[i].text;
        bed->config.trigger = (enum reactor_trigger)trigger;
        bed->config.journal = rows_new();
        start(bed, &record);
        run_w6(bed);
        rows_expect(bed->config.journal, &from, lines, count);
        rows_free(bed->config.journal);
        bed_free(bed);
    }
}

static void without_a_journal_the_reactor_does_the_same(void **state)
{
    (void)state;
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        struct reactor_account accounts[2];
        uint64_t digests[2];

        for (int i = 0; i < 2; i++) {
            struct bed *bed = bed_new_framed();
            struct journal *journal = i == 0 ? rows_new() : NULL;
            struct os_record record;

            bed->config.trigger = (enum reactor_trigger)trigger;
            bed->config.journal = journal;
            start(bed, &record);
            run_w6(bed);
            assert_string_equal(bed->got, "CAT.OK.");
            accounts[i] = *reactor_account(bed->r);
            digests[i] = reactor_digest(bed->r);
            bed_free(bed);
            rows_free(journal);
        }
        assert_memory_equal(&accounts[0], &accounts[1], sizeof(accounts[0]));
        assert_true(digests[0] == digests[1]);
    }
}

static void a_record_has_the_time_of_the_table(void **state)
{
    struct bed *bed = bed_new();
    const struct journal *journal;
    int fd;

    (void)state;
    bed->config.journal = rows_new();
    bed->kernel.now.ns = 1234;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    bed->kernel.now.ns = 5678;
    fake_os_arrive(&bed->kernel, fd, "x", 1);
    assert_int_equal(reactor_round(bed->r), 1);
    journal = bed->config.journal;
    assert_int_equal(journal_at(journal, 0)->at.ns, 1234);
    assert_int_equal(journal_at(journal, 1)->at.ns, 1234);
    for (uint64_t i = 2; i < atomic_load(&journal->count); i++)
        assert_int_equal(journal_at(journal, i)->at.ns, 5678);
    bed_free(bed);
    rows_free((struct journal *)(uintptr_t)journal);
}

/* --- Records that W6 does not have --- */

static void a_listeners_records(void **state)
{
    static const char *const lines[] = {
        "notice 0 IN",
        "accept 0 result=0 1",
        "ctl 1 add was=0 now=IN|RDHUP|ET result=0",
        "accept 0 result=-11",
    };
    struct bed *bed = bed_new();
    struct journal *journal = rows_new();
    struct identity id;
    uint64_t from = 0;
    int fd;

    (void)state;
    bed->config.journal = journal;
    bed_start(bed);
    fd = fake_os_listener(&bed->kernel);
    assert_int_equal(reactor_listen(bed->r, fd, 0, &id), 0);
    fake_os_connect(&bed->kernel, fd);
    bed_run_idle(bed);
    rows_expect(journal, &from, lines, LENGTH(lines));
    bed_free(bed);
    rows_free(journal);
}

static void a_repeated_notice_and_a_reset(void **state)
{
    static const char *const lines[] = {
        "notice 0 IN",
        "ready 0 QUEUED hint=1 credit=0+0 queue=[0]",
        "quantum 0 1",
        "read 0 asked=2 result=2 credit=0+0",
        "stop 0 bytes attempts QUEUED hint=1 credit=0+0 queue=[0] unread=1",
        "notice 0 IN RDHUP ERR again",
        "quantum 0 2",
        "read 0 asked=2 result=1 credit=0+0",
        "stop 0 attempts QUEUED hint=1 credit=0+0 queue=[0] unread=0",
        "quantum 0 3",
        "read 0 asked=2 result=-104 credit=0+0",
        "end 0 reset -104 FAILED hint=0 credit=0+0 queue=[] unread=0",
        "ctl 0 del was=IN|RDHUP|ET now=0 result=0",
    };
    struct bed *bed = bed_new();
    struct journal *journal = rows_new();
    uint64_t from;
    int fd;

    (void)state;
    bed->config.journal = journal;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    from = atomic_load(&journal->count);
    fake_os_arrive(&bed->kernel, fd, "abc", 3);
    assert_int_equal(reactor_round(bed->r), 1);
    fake_os_rst(&bed->kernel, fd);
    bed_run_idle(bed);
    rows_expect(journal, &from, lines, LENGTH(lines));
    bed_free(bed);
    rows_free(journal);
}

static void an_illegal_event_names_state_and_event(void **state)
{
    struct bed *bed = bed_new();
    struct journal *journal = rows_new();
    struct reader_rules rules = reader_rules;
    uint64_t from = 3;
    static const char *const lines[] = {"illegal 0 WAITING 0"};
    int fd;

    (void)state;
    rules.cell[READER_WAITING][READER_NOTICE_ROOM].verdict = READER_ILLEGAL;
    bed->config.rules = &rules;
    bed->config.journal = journal;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "a", 1);
    assert_int_equal(reactor_run(bed->r), -ENOTRECOVERABLE);
    assert_int_equal(reactor_account(bed->r)->illegal, 1);
    assert_string_equal(rows_text(journal, 2), "notice 0 IN");
    rows_expect(journal, &from, lines, 1);
    bed_free(bed);
    rows_free(journal);
}

static void the_queue_stands_in_a_record_from_its_head(void **state)
{
    struct bed *bed = bed_new();
    struct journal *journal = rows_new();
    const struct journal_record *last;
    size_t size;

    (void)state;
    bed->config.journal = journal;
    bed_start(bed);
    for (int i = 0; i < 8; i++) {
        int fd;

        (void)bed_adopt(bed, &fd);
        fake_os_arrive(&bed->kernel, fd, "abc", 3);
    }
    assert_int_equal(reactor_round(bed->r), 1);
    last = journal_at(journal, atomic_load(&journal->count) - 1);
    assert_string_equal(rows_text(journal, atomic_load(&journal->count) - 1),
                        "stop 0 bytes attempts QUEUED hint=1 credit=0+0 "
                        "queue=[1 2 3 4 5 6 7 0] unread=1");
    (void)journal_bytes(journal, last, &size);
    assert_int_equal(size, last->number * sizeof(uint64_t));
    bed_free(bed);
    rows_free(journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(w6_leaves_exactly_these_records),
        cmocka_unit_test(without_a_journal_the_reactor_does_the_same),
        cmocka_unit_test(a_record_has_the_time_of_the_table),
        cmocka_unit_test(a_listeners_records),
        cmocka_unit_test(a_repeated_notice_and_a_reset),
        cmocka_unit_test(an_illegal_event_names_state_and_event),
        cmocka_unit_test(the_queue_stands_in_a_record_from_its_head),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
