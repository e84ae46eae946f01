/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>

#include "tests/support/bed.h"

/* What the reactor owes when it stops, and what it refuses while it calls back. */

static int late_fd = -1;
static int late_rc;

static void adopt_late(struct bed *bed, uint64_t tag)
{
    struct identity id;

    (void)tag;
    late_rc = reactor_adopt(bed->r, late_fd, 0, &id);
}

static void nothing_is_admitted_while_it_stops(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed->on_close = adopt_late;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    late_fd = fake_os_stream(&bed->kernel);
    reactor_stop(bed->r);
    assert_int_equal(reactor_run(bed->r), 0);
    assert_int_equal(late_rc, -ESHUTDOWN);
    assert_true(bed->kernel.files[late_fd].open); /* still the caller's */
    assert_int_equal(bed->closes, 1);
    bed_free(bed);
}

static void words_that_were_taken_are_handed_over_at_the_stop(void **state)
{
    struct bed *bed = bed_new();

    (void)state;
    bed_start(bed);
    assert_int_equal(reactor_post(bed->r, 1), 0);
    assert_int_equal(reactor_post(bed->r, 2), 0);
    reactor_stop(bed->r);
    assert_int_equal(reactor_run(bed->r), 0);
    assert_int_equal(bed->posted, 3);
    assert_int_equal(reactor_account(bed->r)->posts, 2);
    assert_int_equal(reactor_post(bed->r, 4), -ESHUTDOWN);
    bed_free(bed);
}

static int entered_rc;

static void enter_again(struct bed *bed, uint64_t tag)
{
    (void)tag;
    entered_rc = reactor_round(bed->r);
}

static void a_close_callback_cannot_enter_the_loop_from_anywhere(void **state)
{
    struct bed *bed = bed_new();
    struct identity id;
    int fd;

    (void)state;
    bed->on_close = enter_again;
    bed_start(bed);
    id = bed_adopt(bed, &fd);
    entered_rc = 0;
    assert_int_equal(reactor_close(bed->r, id), 0); /* outside of any round */
    assert_int_equal(entered_rc, -EBUSY);
    (void)bed_adopt(bed, &fd);
    entered_rc = 0;
    bed_free(bed); /* inside reactor_free */
    assert_int_equal(entered_rc, -EBUSY);
}

static uint64_t told_tag;

static void note_tag(struct bed *bed, uint64_t tag)
{
    (void)bed;
    told_tag = tag;
}

static void the_tag_comes_with_the_close(void **state)
{
    struct bed *bed = bed_new();
    struct identity id;
    int fd;

    (void)state;
    bed->on_close = note_tag;
    bed_start(bed);
    id = bed_adopt(bed, &fd);
    assert_int_equal(reactor_tag_set(bed->r, id, 42), 0);
    assert_int_equal(reactor_close(bed->r, id), 0);
    assert_int_equal(told_tag, 42);
    bed_free(bed);
}

static void *run_a_round(void *arg)
{
    struct bed *bed = arg;

    late_rc = reactor_round(bed->r);
    return NULL;
}

static void only_one_thread_runs_rounds(void **state)
{
    struct bed *bed = bed_new();
    pthread_t thread;

    (void)state;
    bed_start(bed);
    assert_int_equal(reactor_round(bed->r), 1);
    assert_int_equal(pthread_create(&thread, NULL, run_a_round, bed), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(late_rc, -EPERM);
    assert_int_equal(reactor_round(bed->r), 1);
    bed_free(bed);
}

static void a_wait_that_fails_is_counted_and_closes_everything(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    bed->kernel.fail_wait = EBADF;
    assert_int_equal(reactor_run(bed->r), -EBADF);
    assert_int_equal(reactor_account(bed->r)->wait_errors, 1);
    assert_int_equal(bed->closes, 1);
    assert_false(bed->kernel.files[fd].open);
    assert_int_equal(reactor_run(bed->r), 0);
    bed_free(bed);
}

/* ONESHOT: the rearm is refused, and nothing else would ever bring the source back. */
static void a_source_whose_rearm_is_refused_is_not_stranded(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed->config.trigger = REACTOR_OS;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "a", 1);
    assert_int_equal(reactor_round(bed->r), 1); /* "a" */
    bed->kernel.fail_ctl = ENOMEM;
    bed_run_idle(bed);
    assert_int_equal(reactor_account(bed->r)->ctl_errors, 1);
    fake_os_arrive(&bed->kernel, fd, "b", 1);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "ab");
    bed_free(bed);
}

/* The same for a level-triggered source that comes back from a pause. */
static void a_source_whose_mask_stays_off_is_not_stranded(void **state)
{
    struct bed *bed = bed_new_framed();
    struct identity id;
    int fd;

    (void)state;
    bed->config.trigger = REACTOR_LT;
    bed_start(bed);
    id = bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\0\3CAT\0\2OK", 9);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_PAUSED, 5, 0);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed->kernel.fail_ctl = ENOMEM;
    bed_run_idle(bed);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    fake_os_arrive(&bed->kernel, fd, "\0\1!", 3);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "CAT.OK.!.");
    bed_free(bed);
}

static void take_long(struct bed *bed, struct identity id)
{
    (void)id;
    bed->kernel.now.ns += 5000000;
}

static void a_time_budget_records_how_far_it_was_overshot(void **state)
{
    struct bed *bed = bed_new_framed();
    int fd;

    (void)state;
    bed->manual = false;
    bed->protocol.limits.frames = 0;
    bed->protocol.limits.time = DURATION_MS(1);
    bed->on_frame = take_long;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\0\1X", 3);
    bed_run_idle(bed);
    assert_int_equal(reactor_account(bed->r)->overshoots, 1);
    assert_int_equal(reactor_account(bed->r)->overshoot_peak_ns, 4000000);
    bed_free(bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_admitted_while_it_stops),
        cmocka_unit_test(words_that_were_taken_are_handed_over_at_the_stop),
        cmocka_unit_test(a_close_callback_cannot_enter_the_loop_from_anywhere),
        cmocka_unit_test(the_tag_comes_with_the_close),
        cmocka_unit_test(only_one_thread_runs_rounds),
        cmocka_unit_test(a_wait_that_fails_is_counted_and_closes_everything),
        cmocka_unit_test(a_source_whose_rearm_is_refused_is_not_stranded),
        cmocka_unit_test(a_source_whose_mask_stays_off_is_not_stranded),
        cmocka_unit_test(a_time_budget_records_how_far_it_was_overshot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
