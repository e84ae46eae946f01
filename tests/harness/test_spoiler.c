/* SPDX-License-Identifier: BSD-2-Clause */
/* Each decorator over the fake kernel: what it changes, and that it changes nothing else. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/sut/spoiler.h"
#include "tests/support/bed.h"

struct stand {
    struct fake_os kernel;
    struct spoiler spoiler;
    struct reactor *reactor;
    struct os os;
    int fd;
};

/* One stream with an edge-triggered entry of data 7, below a decorator. */
static void stand_open(struct stand *stand, enum spoiler_kind kind)
{
    memset(stand, 0, sizeof(*stand));
    fake_os_init(&stand->kernel);
    stand->os = spoiler_wrap(&stand->spoiler, kind, fake_os_table(&stand->kernel),
                             &stand->reactor);
    stand->fd = fake_os_stream(&stand->kernel);
    assert_int_equal(os_ctl(stand->os, OS_ADD, stand->fd, OS_IN | OS_RDHUP | OS_ET, 7), 0);
}

static long reads(const struct stand *stand, size_t size, const char *bytes)
{
    char got[64];
    long result = os_read(stand->os, stand->fd, got, size);

    if (result > 0)
        assert_memory_equal(got, bytes, (size_t)result);
    return result;
}

/* The stream goes, and another gets its number and the data 8. */
static void reuse_number(struct stand *stand)
{
    assert_int_equal(os_ctl(stand->os, OS_DEL, stand->fd, 0, 0), 0);
    assert_int_equal(os_close(stand->os, stand->fd), 0);
    assert_int_equal(fake_os_stream(&stand->kernel), stand->fd);
    assert_int_equal(os_ctl(stand->os, OS_ADD, stand->fd, OS_IN | OS_ET, 8), 0);
}

static void without_a_kind_the_table_is_the_inner_one(void **state)
{
    struct fake_os kernel;
    struct spoiler spoiler;
    struct os inner;
    struct os os;

    (void)state;
    fake_os_init(&kernel);
    inner = fake_os_table(&kernel);
    os = spoiler_wrap(&spoiler, SPOILER_NONE, inner, NULL);
    assert_ptr_equal(os.ops, inner.ops);
    assert_ptr_equal(os.self, inner.self);
}

static void a_gap_is_an_end_and_bytes_are_bytes(void **state)
{
    struct stand stand;

    (void)state;
    stand_open(&stand, SPOILER_EAGAIN_IS_EOF);
    fake_os_arrive(&stand.kernel, stand.fd, "abc", 3);
    assert_int_equal(reads(&stand, 2, "ab"), 2);
    assert_int_equal(reads(&stand, 2, "c"), 1);
    assert_int_equal(reads(&stand, 2, ""), 0);
    /* An accept's EAGAIN is none of its business. */
    assert_int_equal(os_accept(stand.os, fake_os_listener(&stand.kernel)), -EAGAIN);
}

static void after_a_hangup_there_are_no_bytes(void **state)
{
    struct stand stand;
    struct os_event event;

    (void)state;
    stand_open(&stand, SPOILER_HANGUP_IS_EOF);
    fake_os_arrive(&stand.kernel, stand.fd, "abc", 3);
    assert_int_equal(os_wait(stand.os, &event, 1, INSTANT_PAST), 1);
    assert_int_equal(reads(&stand, 1, "a"), 1);
    fake_os_fin(&stand.kernel, stand.fd);
    assert_int_equal(reads(&stand, 1, "b"), 1);
    /* Only once the notice of it has been collected. */
    assert_int_equal(os_wait(stand.os, &event, 1, INSTANT_PAST), 1);
    assert_true(event.events & OS_RDHUP);
    assert_int_equal(reads(&stand, 1, ""), 0);
    assert_int_equal(os_unread(stand.os, stand.fd), 1);
}

static void a_hangup_ends_with_the_number(void **state)
{
    struct stand stand;
    struct os_event event;

    (void)state;
    stand_open(&stand, SPOILER_HANGUP_IS_EOF);
    fake_os_fin(&stand.kernel, stand.fd);
    assert_int_equal(os_wait(stand.os, &event, 1, INSTANT_PAST), 1);
    reuse_number(&stand);
    fake_os_arrive(&stand.kernel, stand.fd, "x", 1);
    assert_int_equal(reads(&stand, 1, "x"), 1);
}

static void what_is_read_ahead_comes_out_in_order(void **state)
{
    struct stand stand;

    (void)state;
    stand_open(&stand, SPOILER_READ_AHEAD);
    fake_os_arrive(&stand.kernel, stand.fd, "abcde", 5);
    assert_int_equal(reads(&stand, 2, "ab"), 2);
    assert_int_equal(os_unread(stand.os, stand.fd), 0);
    fake_os_arrive(&stand.kernel, stand.fd, "f", 1);
    /* What waits in the array first, and only that. */
    assert_int_equal(reads(&stand, 9, "cde"), 3);
    assert_int_equal(os_unread(stand.os, stand.fd), 1);
    assert_int_equal(reads(&stand, 9, "f"), 1);
    assert_int_equal(reads(&stand, 9, ""), -EAGAIN);
    fake_os_fin(&stand.kernel, stand.fd);
    assert_int_equal(reads(&stand, 9, ""), 0);
}

static void an_old_notice_goes_to_the_numbers_new_holder(void **state)
{
    struct stand stand;
    struct os_event event;

    (void)state;
    stand_open(&stand, SPOILER_TOLD_BY_NUMBER);
    fake_os_arrive(&stand.kernel, stand.fd, "a", 1);
    assert_int_equal(os_wait(stand.os, &event, 1, INSTANT_PAST), 1);
    assert_int_equal(event.data, 7);

    reuse_number(&stand);
    /* The kernel, or a fault, still speaks of the old entry. */
    stand.kernel.files[stand.fd].data = 7;
    fake_os_arrive(&stand.kernel, stand.fd, "b", 1);
    assert_int_equal(os_wait(stand.os, &event, 1, INSTANT_PAST), 1);
    assert_int_equal(event.data, 8);
}

static void a_reset_is_read_over(void **state)
{
    struct stand stand;

    (void)state;
    stand_open(&stand, SPOILER_READ_PAST_RESET);
    fake_os_arrive(&stand.kernel, stand.fd, "a", 1);
    fake_os_rst(&stand.kernel, stand.fd);
    assert_int_equal(reads(&stand, 1, "a"), 1);
    assert_int_equal(reads(&stand, 1, ""), 0);
}

/* Above the fake kernel and below a reactor with two sources. */
static void a_wait_finds_nothing_while_somebody_is_queued(void **state)
{
    struct bed *bed = bed_new();
    struct spoiler spoiler;
    struct identity id[2];
    int fd[2];

    (void)state;
    assert_int_equal(reactor_open(&bed->config,
                                  spoiler_wrap(&spoiler, SPOILER_COLLECT_WHEN_IDLE,
                                               fake_os_table(&bed->kernel), &bed->r),
                                  &bed->r),
                     0);
    id[0] = bed_adopt(bed, &fd[0]);
    id[1] = bed_adopt(bed, &fd[1]);
    fake_os_arrive(&bed->kernel, fd[0], "abcd", 4);
    assert_int_equal(reactor_round(bed->r), 1);
    fake_os_arrive(&bed->kernel, fd[1], "XY", 2);
    /* cd and then EAGAIN: B's notice is not collected before. */
    assert_int_equal(reactor_round(bed->r), 1);
    bed_expect(bed, id[1], READER_WAITING, 0, 0);
    assert_int_equal(reactor_round(bed->r), 1);
    bed_expect(bed, id[1], READER_WAITING, 0, 0);
    assert_string_equal(bed->got, "abcd");
    assert_int_equal(reactor_round(bed->r), 1);
    assert_string_equal(bed->got, "abcdXY");
    bed_free(bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_kind_the_table_is_the_inner_one),
        cmocka_unit_test(a_gap_is_an_end_and_bytes_are_bytes),
        cmocka_unit_test(after_a_hangup_there_are_no_bytes),
        cmocka_unit_test(a_hangup_ends_with_the_number),
        cmocka_unit_test(what_is_read_ahead_comes_out_in_order),
        cmocka_unit_test(an_old_notice_goes_to_the_numbers_new_holder),
        cmocka_unit_test(a_reset_is_read_over),
        cmocka_unit_test(a_wait_finds_nothing_while_somebody_is_queued),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
