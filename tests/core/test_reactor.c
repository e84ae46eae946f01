/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/bed.h"

static const enum reactor_trigger all_triggers[] = {REACTOR_ET, REACTOR_LT, REACTOR_OS};

/* --- W1 --- */

static void test_six_quanta(void **state)
{
    static const unsigned notices[] = {[REACTOR_ET] = 2, [REACTOR_LT] = 7, [REACTOR_OS] = 2};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bed *bed = bed_new();
        const struct reactor_account *account;
        int a;
        int b;

        bed->config.trigger = all_triggers[i];
        bed_start(bed);
        (void)bed_adopt(bed, &a);
        (void)bed_adopt(bed, &b);
        fake_os_arrive(&bed->kernel, a, "abcdef", 6);
        fake_os_arrive(&bed->kernel, b, "XY", 2);
        bed_run_idle(bed);
        account = reactor_account(bed->r);
        assert_string_equal(bed->got, "abXYcdef");
        assert_int_equal(account->quanta, 6);
        assert_int_equal(account->reads, 6);
        assert_int_equal(account->reads_data, 4);
        assert_int_equal(account->reads_eagain, 2);
        assert_int_equal(account->bytes, 8);
        assert_int_equal(account->registrations, 2);
        assert_int_equal(account->notices, notices[all_triggers[i]]);
        assert_int_equal(account->ready_peak, 2);
        bed_free(bed);
    }
}

/* --- W6 --- */

static void bed_w6_until_pause(struct bed *bed, struct identity id, int fd)
{
    fake_os_arrive(&bed->kernel, fd, "\x00", 1);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_WAITING, 0, 5);
    fake_os_arrive(&bed->kernel, fd, "\x03"
                                     "CA",
                   3);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_WAITING, 0, 5);
    fake_os_arrive(&bed->kernel, fd, "T\x00\x02OK", 5);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_PAUSED, 5, 0);
    assert_int_equal(fake_os_unread(&bed->kernel, fd), 4); /* R-F-12 */
}

static void bed_w6_from_pause(struct bed *bed, struct identity id, int fd)
{
    struct reactor_view view;

    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_WAITING, 4, 5);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    assert_int_equal(reactor_release(bed->r, id, 1), -EINVAL);
    fake_os_fin(&bed->kernel, fd);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_FINISHED, 0, 0);
    assert_int_equal(reactor_view(bed->r, id, &view), 0);
    assert_int_equal(view.credit_peak, 9);
}

static void test_one_frame_per_quantum(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bed *bed = bed_new_framed();
        struct identity id;
        int fd;

        bed->config.trigger = all_triggers[i];
        bed_start(bed);
        id = bed_adopt(bed, &fd);
        bed_w6_until_pause(bed, id, fd);
        bed_w6_from_pause(bed, id, fd);
        assert_string_equal(bed->got, "CAT.OK.");
        assert_int_equal(reactor_account(bed->r)->quanta, 7);
        assert_int_equal(reactor_account(bed->r)->reads, 10);
        assert_int_equal(bed->ends, 1);
        assert_int_equal(bed->outcome, READER_END_CLEAN);
        bed_free(bed);
    }
}

/* --- Snapshots --- */

struct continuation {
    struct reactor_account account;
    uint64_t digest;
    char got[256];
};

static struct continuation bed_continue(struct bed *bed, struct identity id, int fd)
{
    struct continuation seen;

    bed_w6_from_pause(bed, id, fd);
    seen.account = *reactor_account(bed->r);
    seen.digest = reactor_digest(bed->r);
    memcpy(seen.got, bed->got, sizeof(seen.got));
    return seen;
}

static void test_a_restored_arena_continues_identically(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bed *bed = bed_new_framed();
        struct fake_os kernel;
        struct continuation first;
        struct continuation second;
        struct identity id;
        uint64_t digest;
        void *snapshot;
        int fd;

        bed->config.trigger = all_triggers[i];
        bed_start(bed);
        id = bed_adopt(bed, &fd);
        bed_w6_until_pause(bed, id, fd);
        snapshot = malloc(reactor_snapshot_size(bed->r));
        assert_non_null(snapshot);
        assert_int_equal(reactor_save(bed->r, snapshot), 0);
        kernel = bed->kernel;
        digest = reactor_digest(bed->r);

        first = bed_continue(bed, id, fd);
        assert_true(first.digest != digest);
        assert_int_equal(reactor_restore(bed->r, snapshot), 0);
        bed->kernel = kernel;
        (void)snprintf(bed->got, sizeof(bed->got), "CAT.");
        assert_true(reactor_digest(bed->r) == digest);
        second = bed_continue(bed, id, fd);

        assert_memory_equal(&first.account, &second.account, sizeof(first.account));
        assert_true(first.digest == second.digest);
        assert_string_equal(first.got, second.got);
        free(snapshot);
        bed_free(bed);
    }
}

/* --- Identity --- */

static struct identity victim;

static void close_victim(struct bed *bed, struct identity id)
{
    (void)id;
    (void)reactor_close(bed->r, victim);
}

static void test_a_callback_closes_a_queued_source(void **state)
{
    struct bed *bed = bed_new_framed();
    struct identity a;
    int fd_a;
    int fd_b;

    (void)state;
    bed->on_frame = close_victim;
    bed_start(bed);
    a = bed_adopt(bed, &fd_a);
    victim = bed_adopt(bed, &fd_b);
    fake_os_arrive(&bed->kernel, fd_a, "\x00\x01X", 3);
    fake_os_arrive(&bed->kernel, fd_b, "\x00\x01Y", 3);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "X.");
    assert_int_equal(bed->closes, 1);
    assert_int_equal(reactor_close(bed->r, victim), -ESTALE);
    assert_int_equal(reactor_release(bed->r, victim, 1), -ESTALE);
    bed_expect(bed, a, READER_WAITING, 3, 5);
    bed_free(bed);
}

static void close_self(struct bed *bed, struct identity id)
{
    assert_int_equal(reactor_close(bed->r, id), 0);
}

static void test_a_callback_closes_its_own_source(void **state)
{
    struct bed *bed = bed_new_framed();
    int fd;

    (void)state;
    bed->on_frame = close_self;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\x00\x01X\x00\x01Y", 6);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "X.");
    assert_false(bed->kernel.files[fd].open);
    assert_int_equal(reactor_account(bed->r)->closes, 1);
    bed_free(bed);
}

static void test_churn_delivers_nothing_to_the_wrong_source(void **state)
{
    struct bed *bed = bed_new();

    (void)state;
    bed_start(bed);
    for (int i = 0; i < 100000; i++) {
        int fd;
        struct identity id = bed_adopt(bed, &fd);

        fake_os_arrive(&bed->kernel, fd, "z", 1);
        assert_int_equal(reactor_round(bed->r), 1);
        assert_string_equal(bed->got, "z");
        bed->got[0] = '\0';
        assert_int_equal(reactor_close(bed->r, id), 0);
    }
    assert_int_equal(reactor_account(bed->r)->notices_stale, 0);
    assert_int_equal(bed->kernel.ready_count, 0);
    bed_free(bed);
}

/* --- Listener --- */

static void test_a_listener_is_accepted_to_eagain(void **state)
{
    struct bed *bed = bed_new();
    struct identity listener;
    int fd;

    (void)state;
    bed_start(bed);
    fd = fake_os_listener(&bed->kernel);
    assert_int_equal(reactor_listen(bed->r, fd, 0, &listener), 0);
    for (int i = 0; i < 3; i++)
        fake_os_connect(&bed->kernel, fd);
    bed_run_idle(bed);
    assert_int_equal(bed->opens, 3);
    assert_int_equal(reactor_account(bed->r)->accepts, 3);
    bed_free(bed);
}

static void test_a_listener_without_slots_rests_until_a_close(void **state)
{
    struct bed *bed = bed_new();
    struct identity listener;
    int fd;

    (void)state;
    bed->config.slots = 3;
    bed_start(bed);
    fd = fake_os_listener(&bed->kernel);
    assert_int_equal(reactor_listen(bed->r, fd, 0, &listener), 0);
    for (int i = 0; i < 4; i++)
        fake_os_connect(&bed->kernel, fd);
    bed_run_idle(bed);
    assert_int_equal(bed->opens, 2);
    assert_int_equal(bed->kernel.files[fd].pending, 2);
    assert_int_equal(reactor_close(bed->r, bed->last), 0);
    bed_run_idle(bed);
    assert_int_equal(bed->opens, 3);
    assert_int_equal(bed->kernel.files[fd].pending, 1);
    bed_free(bed);
}

/* --- The loop --- */

static void reenter(struct bed *bed, struct identity id)
{
    (void)id;
    assert_int_equal(reactor_round(bed->r), -EBUSY);
    assert_int_equal(reactor_run(bed->r), -EBUSY);
    assert_int_equal(reactor_save(bed->r, bed), -EBUSY);
}

static void test_callbacks_cannot_reenter_the_loop(void **state)
{
    struct bed *bed = bed_new_framed();
    int fd;

    (void)state;
    bed->on_frame = reenter;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\x00\x01X", 3);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "X.");
    bed_free(bed);
}

static void test_posts_are_handled_and_bounded(void **state)
{
    struct bed *bed = bed_new();

    (void)state;
    bed_start(bed);
    for (uint64_t word = 1; word <= 4; word++)
        assert_int_equal(reactor_post(bed->r, word), 0);
    assert_int_equal(reactor_post(bed->r, 100), -EAGAIN);
    bed_run_idle(bed);
    assert_int_equal(bed->posted, 10);
    assert_int_equal(reactor_account(bed->r)->posts, 4);
    bed_free(bed);
}

static void test_a_stop_before_the_first_round_is_not_lost(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    reactor_stop(bed->r);
    assert_int_equal(reactor_run(bed->r), 0);
    assert_int_equal(bed->closes, 1);
    assert_false(bed->kernel.files[fd].open);
    assert_int_equal(reactor_run(bed->r), 0);
    bed_free(bed);
}

static void test_an_interrupted_wait_is_repeated_and_another_error_ends(void **state)
{
    struct bed *bed = bed_new();

    (void)state;
    bed_start(bed);
    bed->kernel.fail_wait = EINTR;
    assert_int_equal(reactor_round(bed->r), 1);
    bed->kernel.fail_wait = EBADF;
    assert_int_equal(reactor_run(bed->r), -EBADF);
    bed_free(bed);
}

static void test_an_entry_that_cannot_be_added_leaves_nothing(void **state)
{
    struct bed *bed = bed_new();
    struct identity id;
    int fd;

    (void)state;
    bed_start(bed);
    fd = fake_os_stream(&bed->kernel);
    bed->kernel.fail_ctl = ENOSPC;
    assert_int_equal(reactor_adopt(bed->r, fd, 0, &id), -ENOSPC);
    assert_int_equal(bed->opens, 0);
    assert_true(bed->kernel.files[fd].open);
    assert_int_equal(reactor_adopt(bed->r, fd, 0, &id), 0);
    assert_int_equal(bed->opens, 1);
    bed_free(bed);
}

/* --- Ends --- */

static void test_a_reset_behind_a_tail_is_a_reset(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct bed *bed = bed_new();
        int fd;

        bed->config.trigger = all_triggers[i];
        bed_start(bed);
        (void)bed_adopt(bed, &fd);
        fake_os_arrive(&bed->kernel, fd, "abc", 3);
        fake_os_rst(&bed->kernel, fd);
        bed_run_idle(bed);
        assert_string_equal(bed->got, "abc");
        assert_int_equal(bed->outcome, READER_END_RESET);
        assert_int_equal(bed->error, ECONNRESET);
        assert_false(bed->kernel.files[fd].registered);
        bed_free(bed);
    }
}

static void test_level_triggered_paused_sources_do_not_spin_on_a_reset(void **state)
{
    struct bed *bed = bed_new_framed();
    struct identity id;
    int fd;

    (void)state;
    bed->config.trigger = REACTOR_LT;
    bed_start(bed);
    id = bed_adopt(bed, &fd);
    bed_w6_until_pause(bed, id, fd);
    fake_os_rst(&bed->kernel, fd);
    bed_run_idle(bed); /* the entry is deleted: K7, C41 */
    assert_false(bed->kernel.files[fd].registered);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "CAT.OK.");
    assert_int_equal(bed->outcome, READER_END_RESET);
    bed_free(bed);
}

/* --- Configuration --- */

static void test_unusable_configs_are_refused(void **state)
{
    struct bed *bed = bed_new_framed();
    struct reactor *r;

    (void)state;
    assert_null(reactor_config_error(&bed->config));
    bed->protocol.capacity = 4; /* below the largest frame: R-F-24 */
    assert_non_null(reactor_config_error(&bed->config));
    assert_int_equal(reactor_open(&bed->config, fake_os_table(&bed->kernel), &r), -EINVAL);
    bed->protocol.capacity = 9;
    bed->protocol.limits.attempts = 0;
    assert_non_null(reactor_config_error(&bed->config));
    bed->protocol.limits.attempts = 1;
    bed->config.collect = 0;
    assert_non_null(reactor_config_error(&bed->config));
    bed->config.collect = 1;
    bed->config.inbox = 3;
    assert_non_null(reactor_config_error(&bed->config));
    free(bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_six_quanta),
        cmocka_unit_test(test_one_frame_per_quantum),
        cmocka_unit_test(test_a_restored_arena_continues_identically),
        cmocka_unit_test(test_a_callback_closes_a_queued_source),
        cmocka_unit_test(test_a_callback_closes_its_own_source),
        cmocka_unit_test(test_churn_delivers_nothing_to_the_wrong_source),
        cmocka_unit_test(test_a_listener_is_accepted_to_eagain),
        cmocka_unit_test(test_a_listener_without_slots_rests_until_a_close),
        cmocka_unit_test(test_callbacks_cannot_reenter_the_loop),
        cmocka_unit_test(test_posts_are_handled_and_bounded),
        cmocka_unit_test(test_a_stop_before_the_first_round_is_not_lost),
        cmocka_unit_test(test_an_interrupted_wait_is_repeated_and_another_error_ends),
        cmocka_unit_test(test_an_entry_that_cannot_be_added_leaves_nothing),
        cmocka_unit_test(test_a_reset_behind_a_tail_is_a_reset),
        cmocka_unit_test(test_level_triggered_paused_sources_do_not_spin_on_a_reset),
        cmocka_unit_test(test_unusable_configs_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
