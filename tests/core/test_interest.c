/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/interest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/bed.h"

#define READS (OS_IN | OS_RDHUP)

static struct bed *framed(enum reactor_trigger trigger)
{
    struct bed *bed = bed_new_framed();

    bed->config.trigger = trigger;
    bed_start(bed);
    return bed;
}

static uint16_t mask(const struct bed *bed, int fd)
{
    return bed->kernel.files[fd].mask;
}

static void arrive(struct bed *bed, int fd, const char *bytes, size_t size)
{
    fake_os_arrive(&bed->kernel, fd, bytes, size);
    bed_run_idle(bed);
}

/* Two frames of which the second does not fit: one is held, the other waits in the kernel. */
static void pause_source(struct bed *bed, struct identity id, int fd)
{
    arrive(bed, fd, "\0\3CAT\0\2OK", 9);
    bed_expect(bed, id, READER_PAUSED, 5, 0);
}

static void an_entry_asks_for_what_its_trigger_needs(void **state)
{
    static const uint16_t masks[] = {
        [REACTOR_ET] = READS | OS_ET,
        [REACTOR_LT] = READS,
        [REACTOR_OS] = READS | OS_ET | OS_ONESHOT,
    };

    (void)state;
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        struct bed *bed = framed((enum reactor_trigger)trigger);
        struct identity id;
        int listener = fake_os_listener(&bed->kernel);
        int fd;

        assert_int_equal(reactor_listen(bed->r, listener, 0, &id), 0);
        id = bed_adopt(bed, &fd);
        assert_int_equal(mask(bed, fd), masks[trigger]);
        assert_true(bed->kernel.files[fd].data == identity_pack(id));
        assert_int_equal(mask(bed, listener), OS_IN);
        assert_int_equal(reactor_account(bed->r)->registrations, 2);
        bed_free(bed);
    }
}

/* R-L-21: else the wait would never sleep. */
static void a_level_triggered_entry_is_silent_while_nobody_may_read(void **state)
{
    struct bed *bed = framed(REACTOR_LT);
    struct identity id;
    int fd;

    (void)state;
    id = bed_adopt(bed, &fd);
    pause_source(bed, id, fd);
    assert_int_equal(mask(bed, fd), 0);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed_run_idle(bed);
    assert_int_equal(mask(bed, fd), READS);
    fake_os_fin(&bed->kernel, fd);
    bed_run_idle(bed);
    bed_expect(bed, id, READER_FINISHED, 4, 0);
    assert_int_equal(mask(bed, fd), 0);
    assert_true(bed->kernel.files[fd].registered);
    assert_int_equal(bed->kernel.ctl_mods, 3);
    bed_free(bed);
}

static void an_edge_triggered_entry_never_changes(void **state)
{
    struct bed *bed = framed(REACTOR_ET);
    struct identity id;
    int fd;

    (void)state;
    id = bed_adopt(bed, &fd);
    pause_source(bed, id, fd);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed_run_idle(bed);
    fake_os_fin(&bed->kernel, fd);
    bed_run_idle(bed);
    assert_int_equal(bed->kernel.ctl_mods, 0);
    assert_int_equal(bed->kernel.ctl_dels, 0);
    bed_free(bed);
}

/* R-ET-14: not at a yield, a pause or a resumption. */
static void a_oneshot_entry_is_rearmed_after_eagain_only(void **state)
{
    struct bed *bed = framed(REACTOR_OS);
    struct identity id;
    int fd;

    (void)state;
    id = bed_adopt(bed, &fd);
    pause_source(bed, id, fd);
    assert_int_equal(bed->kernel.ctl_mods, 0);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    assert_int_equal(reactor_round(bed->r), 1); /* reads "OK", yields for its frame */
    bed_expect(bed, id, READER_QUEUED, 4, 0);
    assert_int_equal(bed->kernel.ctl_mods, 0);
    assert_int_equal(reactor_round(bed->r), 1);
    bed_expect(bed, id, READER_WAITING, 4, 5);
    assert_int_equal(bed->kernel.ctl_mods, 1);
    assert_false(bed->kernel.files[fd].disarmed);
    assert_int_equal(mask(bed, fd), READS | OS_ET | OS_ONESHOT);
    bed_free(bed);
}

/* What arrives between EAGAIN and the rearming is reported by it (K3). */
static void a_oneshot_entry_loses_no_arrival(void **state)
{
    struct bed *bed = bed_new();
    int fd;

    (void)state;
    bed->config.trigger = REACTOR_OS;
    bed_start(bed);
    (void)bed_adopt(bed, &fd);
    for (int i = 0; i < 20; i++)
        arrive(bed, fd, "abc", 3);
    assert_int_equal(strlen(bed->got), 60);
    assert_int_equal(bed->kernel.ctl_mods, 20);
    assert_int_equal(reactor_account(bed->r)->notices, 20);
    bed_free(bed);
}

static void a_failed_source_has_no_entry_under_any_trigger(void **state)
{
    (void)state;
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        struct bed *bed = framed((enum reactor_trigger)trigger);
        struct identity id;
        int fd;

        id = bed_adopt(bed, &fd);
        arrive(bed, fd, "\0\4", 2); /* oversize */
        bed_expect(bed, id, READER_FAILED, 0, 0);
        assert_false(bed->kernel.files[fd].registered);
        assert_int_equal(bed->kernel.ctl_dels, 1);
        arrive(bed, fd, "more", 4);
        assert_int_equal(reactor_close(bed->r, id), 0);
        assert_int_equal(bed->kernel.ctl_dels, 1);
        bed_free(bed);
    }
}

/* K7, C41: ERR and HUP cannot be masked, so that only a deletion silences them. */
static void a_masked_entry_that_reports_an_error_is_deleted_and_read_on_all_the_same(void **state)
{
    struct bed *bed = framed(REACTOR_LT);
    struct identity id;
    int fd;

    (void)state;
    id = bed_adopt(bed, &fd);
    pause_source(bed, id, fd);
    fake_os_rst(&bed->kernel, fd);
    bed_run_idle(bed);
    assert_false(bed->kernel.files[fd].registered);
    assert_int_equal(bed->kernel.ctl_mods, 1);
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "CAT.OK.");
    bed_expect(bed, id, READER_FAILED, 4, 0);
    assert_int_equal(bed->kernel.ctl_mods, 1);
    assert_int_equal(bed->kernel.ctl_dels, 1);
    bed_free(bed);
}

static void a_level_triggered_error_is_not_deleted_while_it_may_be_read(void **state)
{
    struct bed *bed = framed(REACTOR_LT);
    struct identity id;
    int fd;

    (void)state;
    id = bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\0\1A", 3);
    fake_os_rst(&bed->kernel, fd);
    assert_int_equal(reactor_round(bed->r), 1);
    assert_true(bed->kernel.files[fd].registered);
    bed_run_idle(bed);
    assert_string_equal(bed->got, "A.");
    bed_expect(bed, id, READER_FAILED, 3, 0);
    bed_free(bed);
}

static void a_refused_change_is_counted_and_tried_again(void **state)
{
    struct bed *bed = framed(REACTOR_LT);
    struct identity id;
    int fd;

    (void)state;
    id = bed_adopt(bed, &fd);
    fake_os_arrive(&bed->kernel, fd, "\0\3CAT\0\2OK", 9);
    assert_int_equal(reactor_round(bed->r), 1); /* two attempts: header and payload, and pauses */
    bed_expect(bed, id, READER_PAUSED, 5, 0);
    assert_int_equal(mask(bed, fd), 0);
    bed->kernel.fail_ctl = ENOMEM;
    assert_int_equal(reactor_release(bed->r, id, 1), 0);
    assert_int_equal(reactor_round(bed->r), 1);
    assert_int_equal(reactor_account(bed->r)->ctl_errors, 1);
    bed_run_idle(bed);
    assert_int_equal(mask(bed, fd), READS);
    bed_free(bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_asks_for_what_its_trigger_needs),
        cmocka_unit_test(a_level_triggered_entry_is_silent_while_nobody_may_read),
        cmocka_unit_test(an_edge_triggered_entry_never_changes),
        cmocka_unit_test(a_oneshot_entry_is_rearmed_after_eagain_only),
        cmocka_unit_test(a_oneshot_entry_loses_no_arrival),
        cmocka_unit_test(a_failed_source_has_no_entry_under_any_trigger),
        cmocka_unit_test(
            a_masked_entry_that_reports_an_error_is_deleted_and_read_on_all_the_same),
        cmocka_unit_test(a_level_triggered_error_is_not_deleted_while_it_may_be_read),
        cmocka_unit_test(a_refused_change_is_counted_and_tried_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
