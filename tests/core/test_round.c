/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/round.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "core/os_pass.h"
#include "tests/support/bed.h"
#include "tests/support/rows.h"

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))
#define POISON 0xa5

/* A decorator that looks over the reactor's shoulder at each wait, and may slip events in. */
struct watch {
    struct os inner; /* first: os_pass */
    const struct reactor *r;
    struct os_event extra[4];
    int extra_count;
    unsigned waits;
    unsigned looks; /* waits that may not sleep */
    bool poisoned;  /* the array, at the last wait */
    bool work;      /* a source in Q, at the last wait */
};

static bool watch_work(const struct watch *watch)
{
    struct reactor_view view;

    for (uint32_t slot = 0; slot < 8; slot++)
        if (reactor_view(watch->r, reactor_at(watch->r, slot), &view) == 0 &&
            view.state == READER_QUEUED)
            return true;
    return false;
}

static bool watch_poisoned(const struct os_event *events, int max)
{
    const uint8_t *bytes = (const uint8_t *)events;

    for (size_t i = 0; i < (size_t)max * sizeof(*events); i++)
        if (bytes[i] != POISON)
            return false;
    return true;
}

static int watch_wait(void *self, struct os_event *events, int max, struct instant deadline)
{
    struct watch *watch = self;
    int count;

    watch->waits++;
    watch->looks += instant_equal(deadline, INSTANT_PAST);
    watch->work = watch_work(watch);
    watch->poisoned = watch_poisoned(events, max);
    if (watch->work)
        assert_true(instant_equal(deadline, INSTANT_PAST));
    count = os_pass_wait(self, events, max - watch->extra_count, deadline);
    for (int i = 0; count >= 0 && i < watch->extra_count; i++)
        events[count++] = watch->extra[i];
    watch->extra_count = 0;
    return count;
}

static const struct os_ops watch_ops = {
    .now = os_pass_now,
    .wait = watch_wait,
    .ctl = os_pass_ctl,
    .read = os_pass_read,
    .accept = os_pass_accept,
    .close = os_pass_close,
    .unread = os_pass_unread,
    .wake = os_pass_wake,
};

static void start(struct bed *bed, struct watch *watch)
{
    *watch = (struct watch){.inner = fake_os_table(&bed->kernel)};
    assert_int_equal(
        reactor_open(&bed->config, (struct os){.ops = &watch_ops, .self = watch}, &bed->r), 0);
    watch->r = bed->r;
}

static void turn(struct bed *bed)
{
    assert_int_equal(reactor_round(bed->r), 1);
}

/* --- The wait --- */

static void no_wait_may_sleep_while_a_source_is_queued(void **state)
{
    (void)state;
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        struct bed *bed = bed_new();
        struct watch watch;
        int fds[3];

        bed->config.trigger = (enum reactor_trigger)trigger;
        start(bed, &watch);
        for (int i = 0; i < 3; i++) {
            (void)bed_adopt(bed, &fds[i]);
            fake_os_arrive(&bed->kernel, fds[i], "abcdefg", 7);
        }
        bed_run_idle(bed);
        assert_int_equal(strlen(bed->got), 21);
        assert_int_equal(bed->kernel.sleeps, 1);
        assert_int_equal(watch.waits, reactor_account(bed->r)->rounds);
        assert_int_equal(watch.looks, 14); /* 15 quanta; the first batch came by a wait that might
                                              have slept */
        bed_free(bed);
    }
}

/* R-L-02: an always readable source does not keep another one out. */
static void every_round_collects_even_with_work_left(void **state)
{
    struct bed *bed = bed_new();
    struct watch watch;
    int a;
    int b;

    (void)state;
    bed->config.collect = 1;
    start(bed, &watch);
    (void)bed_adopt(bed, &a);
    (void)bed_adopt(bed, &b);
    fake_os_arrive(&bed->kernel, a, "aaaaaaaaaaaaaaaaaaaa", 20);
    for (int i = 0; i < 4; i++)
        turn(bed);
    fake_os_arrive(&bed->kernel, b, "bb", 2);
    turn(bed);
    turn(bed);
    assert_string_equal(bed->got, "aaaaaaaaaabb");
    bed_free(bed);
}

static void a_batch_is_bounded_by_collect(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed->config.collect = 2;
    bed_start(bed);
    for (int i = 0; i < 5; i++) {
        (void)bed_adopt(bed, &fd);
        fake_os_arrive(&bed->kernel, fd, "x", 1);
    }
    turn(bed);
    assert_int_equal(reactor_account(bed->r)->notices, 2);
    turn(bed);
    turn(bed);
    assert_int_equal(reactor_account(bed->r)->notices, 5);
    assert_int_equal(reactor_account(bed->r)->round_notices_peak, 2);
    bed_free(bed);
}

static void the_batch_is_poisoned_before_every_wait(void **state)
{
    struct bed *bed = bed_new();
    struct watch watch;
    int fd;

    (void)state;
    start(bed, &watch);
    (void)bed_adopt(bed, &fd);
    for (int i = 0; i < 3; i++) {
        fake_os_arrive(&bed->kernel, fd, "x", 1);
        turn(bed);
        assert_true(watch.poisoned);
    }
    bed_free(bed);
}

static void an_interrupted_wait_does_not_keep_local_work_back(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "abcd", 4);
    turn(bed);
    bed->kernel.fail_wait = EINTR;
    turn(bed);
    assert_string_equal(bed->got, "abcd");
    bed_free(bed);
}

/* --- Stale notices --- */

static void stale_notices_of_a_batch_touch_nobody(void **state)
{
    struct bed *bed = bed_new();
    struct journal *journal = rows_new();
    struct watch watch;
    struct identity old;
    struct identity heir;
    int fd;

    (void)state;
    bed->config.journal = journal;
    start(bed, &watch);
    old = bed_adopt(bed, &fd);
    assert_int_equal(reactor_close(bed->r, old), 0);
    heir = bed_adopt(bed, &fd);
    assert_int_equal(heir.slot, old.slot);
    watch.extra[0] = (struct os_event){.data = identity_pack(old), .events = OS_IN | OS_HUP};
    watch.extra[1] = (struct os_event){.data = UINT64_MAX, .events = OS_IN};
    watch.extra[2] = (struct os_event){.data = identity_pack((struct identity){900, 1}),
                                       .events = OS_IN};
    watch.extra[3] = (struct os_event){.data = identity_pack(IDENTITY_NONE), .events = OS_ERR};
    watch.extra_count = 4;
    turn(bed);
    assert_int_equal(reactor_account(bed->r)->notices, 4);
    assert_int_equal(reactor_account(bed->r)->notices_stale, 4);
    assert_int_equal(reactor_account(bed->r)->quanta, 0);
    bed_expect(bed, heir, READER_WAITING, 0, 0);
    assert_int_equal(rows_count(journal, "notice 0 IN HUP stale"), 1);
    assert_int_equal(rows_count(journal, "ready"), 0);
    bed_free(bed);
    rows_free(journal);
}

static void the_same_notice_twice_in_a_batch_queues_once(void **state)
{
    struct bed *bed = bed_new();
    struct watch watch;
    struct identity id;
    int fd;

    (void)state;
    start(bed, &watch);
    id = bed_adopt(bed, &fd);
    for (int i = 0; i < 3; i++)
        watch.extra[i] = (struct os_event){.data = identity_pack(id), .events = OS_IN};
    watch.extra_count = 3;
    turn(bed);
    assert_int_equal(reactor_account(bed->r)->notices_again, 2);
    assert_int_equal(reactor_account(bed->r)->quanta, 1);
    bed_expect(bed, id, READER_WAITING, 0, 0);
    bed_free(bed);
}

/* R-ST-15: a bit is advice; only a read ends the direction. */
static void hangup_bits_alone_are_read_behind(void **state)
{
    static const uint16_t bits[] = {OS_RDHUP, OS_ERR, OS_HUP, OS_ERR | OS_HUP, 0};

    (void)state;
    for (size_t i = 0; i < LENGTH(bits); i++) {
        struct bed *bed = bed_new();
        struct watch watch;
        struct identity id;
        int fd;

        start(bed, &watch);
        id = bed_adopt(bed, &fd);
        watch.extra[0] = (struct os_event){.data = identity_pack(id), .events = bits[i]};
        watch.extra_count = 1;
        turn(bed);
        assert_int_equal(reactor_account(bed->r)->reads_eagain, 1);
        assert_int_equal(bed->ends, 0);
        bed_expect(bed, id, READER_WAITING, 0, 0);
        bed_free(bed);
    }
}

/* --- Stopping and checking --- */

static void a_stop_is_seen_before_anything_else(void **state)
{
    static const char *const rows[] = {
        "halt",
        "close 0",
        "ctl 0 del was=IN|RDHUP|ET now=0 result=0",
        "close 2",
        "ctl 2 del was=IN|RDHUP|ET now=0 result=0",
    };
    struct bed *bed = bed_new();
    struct journal *journal = rows_new();
    struct identity listener;
    struct identity a;
    struct watch watch;
    uint64_t from;
    int fd;

    (void)state;
    bed->config.journal = journal;
    start(bed, &watch);
    a = bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "x", 1);
    fd = fake_os_listener(&bed->kernel);
    assert_int_equal(reactor_listen(bed->r, fd, 0, &listener), 0);
    (void)bed_adopt(bed, &fd);
    from = atomic_load(&journal->count);
    reactor_stop(bed->r);
    assert_int_equal(reactor_round(bed->r), 0);
    assert_int_equal(watch.waits, 0);
    rows_expect(journal, &from, rows, LENGTH(rows));
    assert_int_equal(bed->closes, 2);
    assert_int_equal(reactor_close(bed->r, a), -ESTALE);
    assert_int_equal(reactor_adopt(bed->r, fake_os_stream(&bed->kernel), 0, &a), -ESHUTDOWN);
    bed_free(bed);
    rows_free(journal);
}

static void stop_by_frame(struct bed *bed, struct identity id)
{
    (void)id;
    reactor_stop(bed->r);
}

static void a_stop_from_a_callback_lets_the_round_end(void **state)
{
    struct bed *bed = bed_new_framed();
    struct watch watch;
    int fd;

    (void)state;
    bed->on_frame = stop_by_frame;
    start(bed, &watch);
    (void)bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\0\1A\0\1B", 6);
    turn(bed);
    assert_int_equal(reactor_round(bed->r), 0);
    assert_string_equal(bed->got, "A.");
    assert_int_equal(watch.waits, 1);
    bed_free(bed);
}

static void broken_rules_end_the_run_only_with_checks(void **state)
{
    struct reader_rules rules = reader_rules;

    (void)state;
    rules.cell[READER_RUNNING][READER_EXHAUSTED].verdict = READER_ILLEGAL;
    for (int checks = 0; checks < 2; checks++) {
        struct bed *bed = bed_new();
        int fd;

        bed->config.rules = &rules;
        bed->config.checks = checks;
        bed_start(bed);
        (void)bed_adopt(bed, &fd);
        fake_os_arrive(&bed->kernel, fd, "ab", 2);
        turn(bed);
        assert_int_equal(reactor_round(bed->r), checks ? -ENOTRECOVERABLE : 1);
        assert_int_equal(reactor_account(bed->r)->illegal, 1);
        bed_free(bed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_wait_may_sleep_while_a_source_is_queued),
        cmocka_unit_test(every_round_collects_even_with_work_left),
        cmocka_unit_test(a_batch_is_bounded_by_collect),
        cmocka_unit_test(the_batch_is_poisoned_before_every_wait),
        cmocka_unit_test(an_interrupted_wait_does_not_keep_local_work_back),
        cmocka_unit_test(stale_notices_of_a_batch_touch_nobody),
        cmocka_unit_test(the_same_notice_twice_in_a_batch_queues_once),
        cmocka_unit_test(hangup_bits_alone_are_read_behind),
        cmocka_unit_test(a_stop_is_seen_before_anything_else),
        cmocka_unit_test(a_stop_from_a_callback_lets_the_round_end),
        cmocka_unit_test(broken_rules_end_the_run_only_with_checks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
