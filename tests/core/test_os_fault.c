/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_fault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/fake_os.h"

#define DATA UINT64_C(0x0000000700000001)

/* A fake kernel with one registered stream behind the decorator. */
struct faulty {
    struct fake_os kernel;
    struct os_fault fault;
    struct os os;
    int fd;
    struct os_event events[8];
};

static void faulty_begin(struct faulty *faulty)
{
    fake_os_init(&faulty->kernel);
    faulty->os = os_fault_wrap(&faulty->fault, fake_os_table(&faulty->kernel));
    faulty->fd = fake_os_stream(&faulty->kernel);
    assert_int_equal(os_ctl(faulty->os, OS_ADD, faulty->fd, OS_IN | OS_RDHUP | OS_ET, DATA), 0);
}

static void add(struct faulty *faulty, struct os_fault_rule rule)
{
    assert_int_equal(os_fault_add(&faulty->fault, &rule), 0);
}

static long read_some(struct faulty *faulty, size_t size)
{
    char bytes[64];

    return os_read(faulty->os, faulty->fd, bytes, size);
}

static int look(struct faulty *faulty, int max)
{
    return os_wait(faulty->os, faulty->events, max, INSTANT_PAST);
}

/* The owner's order: the entry first, then the number. */
static void close_stream(struct faulty *faulty, int fd)
{
    assert_int_equal(os_ctl(faulty->os, OS_DEL, fd, 0, 0), 0);
    assert_int_equal(os_close(faulty->os, fd), 0);
}

/* --- Rules --- */

static void an_errno_lasts_for_its_calls_and_loses_no_byte(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    fake_os_arrive(&faulty.kernel, faulty.fd, "abc", 3);
    add(&faulty, (struct os_fault_rule){
                     .call = OS_FAULT_READ, .fd = faulty.fd, .error = EINTR, .times = 3});
    for (int i = 0; i < 3; i++)
        assert_int_equal(read_some(&faulty, 8), -EINTR);
    assert_int_equal(faulty.fault.rule_count, 0);
    assert_int_equal(read_some(&faulty, 8), 3);
}

static void a_rule_without_a_count_lasts_for_ever(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    fake_os_arrive(&faulty.kernel, faulty.fd, "abc", 3);
    add(&faulty,
        (struct os_fault_rule){.call = OS_FAULT_READ, .fd = faulty.fd, .error = EINTR});
    for (int i = 0; i < 1000; i++)
        assert_int_equal(read_some(&faulty, 8), -EINTR);
    assert_int_equal(fake_os_unread(&faulty.kernel, faulty.fd), 3);
}

static void several_rules_are_used_up_in_their_order(void **state)
{
    static const struct os_fault_rule rules[] = {
        {.call = OS_FAULT_READ, .fd = 3, .error = EINTR, .times = 2},
        {.call = OS_FAULT_READ, .fd = 4, .error = EIO, .times = 1},
        {.call = OS_FAULT_READ, .fd = 3, .bytes = 1, .times = 1},
        {.call = OS_FAULT_ACCEPT, .fd = 3, .error = EMFILE, .times = 1},
        {.call = OS_FAULT_READ, .fd = 3, .error = EAGAIN, .times = 1},
    };
    static const long results[] = {-EINTR, -EINTR, 1, -EAGAIN, 4};
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    assert_int_equal(faulty.fd, 3);
    fake_os_arrive(&faulty.kernel, faulty.fd, "abcde", 5);
    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        add(&faulty, rules[i]);
    for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++)
        assert_int_equal(read_some(&faulty, 8), results[i]);
    assert_int_equal(faulty.fault.rule_count, 2);
}

static void a_short_read_asks_for_less_and_never_for_more(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    fake_os_arrive(&faulty.kernel, faulty.fd, "abcdefgh", 8);
    add(&faulty, (struct os_fault_rule){
                     .call = OS_FAULT_READ, .fd = faulty.fd, .bytes = 2, .times = 2});
    add(&faulty,
        (struct os_fault_rule){.call = OS_FAULT_READ, .fd = faulty.fd, .bytes = 9, .times = 1});
    assert_int_equal(read_some(&faulty, 8), 2);
    assert_int_equal(read_some(&faulty, 1), 1);
    assert_int_equal(read_some(&faulty, 3), 3);
    assert_int_equal(read_some(&faulty, 8), 2);
}

static void a_rule_ends_with_its_number(void **state)
{
    struct faulty faulty;
    int other;

    (void)state;
    faulty_begin(&faulty);
    other = fake_os_stream(&faulty.kernel);
    add(&faulty,
        (struct os_fault_rule){.call = OS_FAULT_READ, .fd = faulty.fd, .error = EINTR});
    add(&faulty, (struct os_fault_rule){.call = OS_FAULT_READ, .fd = other, .error = EIO});
    add(&faulty,
        (struct os_fault_rule){.call = OS_FAULT_ACCEPT, .fd = faulty.fd, .error = EMFILE});
    close_stream(&faulty, faulty.fd);
    assert_int_equal(fake_os_stream(&faulty.kernel), faulty.fd);
    assert_int_equal(read_some(&faulty, 8), -EAGAIN);
    faulty.fd = other;
    assert_int_equal(read_some(&faulty, 8), -EIO);
    assert_int_equal(faulty.fault.rule_count, 1);
}

static void a_failed_accept_leaves_the_connection_pending(void **state)
{
    struct faulty faulty;
    int listener;

    (void)state;
    faulty_begin(&faulty);
    listener = fake_os_listener(&faulty.kernel);
    fake_os_connect(&faulty.kernel, listener);
    add(&faulty, (struct os_fault_rule){
                     .call = OS_FAULT_ACCEPT, .fd = listener, .error = ECONNABORTED, .times = 2});
    assert_int_equal(os_accept(faulty.os, listener), -ECONNABORTED);
    assert_int_equal(os_accept(faulty.os, listener), -ECONNABORTED);
    assert_true(os_accept(faulty.os, listener) > listener);
    assert_int_equal(os_accept(faulty.os, listener), -EAGAIN);
}

static void unusable_rules_are_refused(void **state)
{
    struct faulty faulty;
    const struct os_fault_rule usable = {.call = OS_FAULT_READ, .fd = 3, .error = EINTR};

    (void)state;
    faulty_begin(&faulty);
    assert_int_equal(
        os_fault_add(&faulty.fault, &(struct os_fault_rule){.fd = 3, .error = -EINTR}), -EINVAL);
    assert_int_equal(os_fault_add(&faulty.fault, &(struct os_fault_rule){.fd = 3}), -EINVAL);
    assert_int_equal(os_fault_add(&faulty.fault,
                                  &(struct os_fault_rule){
                                      .call = OS_FAULT_ACCEPT, .fd = 3, .bytes = 1}),
                     -EINVAL);
    for (int i = 0; i < OS_FAULT_RULES_MAX; i++)
        add(&faulty, usable);
    assert_int_equal(os_fault_add(&faulty.fault, &usable), -ENOSPC);
}

/* --- A notice that is kept back --- */

static void expect_stage(const struct faulty *faulty, enum os_fault_stage stage)
{
    assert_int_equal(faulty->fault.held.stage, stage);
}

static void hold(struct faulty *faulty)
{
    assert_int_equal(os_fault_hold(&faulty->fault, faulty->fd, DATA), 0);
    expect_stage(faulty, OS_FAULT_WATCHING);
}

/* The notice of the stream is caught, its number closed; another stream is ready meanwhile. */
static int catch_and_close(struct faulty *faulty)
{
    int other = fake_os_stream(&faulty->kernel);

    hold(faulty);
    assert_int_equal(os_ctl(faulty->os, OS_ADD, other, OS_IN, 99), 0);
    fake_os_arrive(&faulty->kernel, faulty->fd, "x", 1);
    fake_os_arrive(&faulty->kernel, other, "y", 1);
    assert_int_equal(look(faulty, 8), 1);
    assert_int_equal(faulty->events[0].data, 99);
    expect_stage(faulty, OS_FAULT_CAUGHT);
    close_stream(faulty, faulty->fd);
    expect_stage(faulty, OS_FAULT_CLOSED);
    return other;
}

static void give_the_number_to_another(struct faulty *faulty)
{
    int listener = fake_os_listener(&faulty->kernel);

    if (listener == faulty->fd) { /* the lowest number is free: take another for the listener */
        listener = fake_os_listener(&faulty->kernel);
        assert_int_equal(os_close(faulty->os, faulty->fd), 0);
    }
    fake_os_connect(&faulty->kernel, listener);
    assert_int_equal(os_accept(faulty->os, listener), faulty->fd);
    expect_stage(faulty, OS_FAULT_DUE);
}

static void a_held_notice_joins_the_first_batch_after_its_number_was_given_out(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    (void)catch_and_close(&faulty);
    assert_int_equal(look(&faulty, 8), 1); /* closed, and nobody has the number: still kept */
    give_the_number_to_another(&faulty);
    assert_int_equal(look(&faulty, 8), 2);
    assert_int_equal(faulty.events[0].data, 99);
    assert_true(faulty.events[1].data == DATA);
    assert_int_equal(faulty.events[1].events, OS_IN);
    expect_stage(&faulty, OS_FAULT_UNUSED);
    assert_int_equal(look(&faulty, 8), 1);
}

static void a_due_notice_fills_a_batch_of_one(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    (void)catch_and_close(&faulty);
    give_the_number_to_another(&faulty);
    assert_int_equal(look(&faulty, 1), 1);
    assert_true(faulty.events[0].data == DATA);
    assert_int_equal(look(&faulty, 1), 1);
    assert_int_equal(faulty.events[0].data, 99);
}

/* The wait with a due notice only looks, whatever it was asked for. */
static void a_due_notice_never_waits(void **state)
{
    struct faulty faulty;
    int other;

    (void)state;
    faulty_begin(&faulty);
    other = catch_and_close(&faulty);
    close_stream(&faulty, other);
    give_the_number_to_another(&faulty);
    assert_int_equal(os_wait(faulty.os, faulty.events, 8, INSTANT_NEVER), 1);
    assert_true(faulty.events[0].data == DATA);
    assert_int_equal(faulty.kernel.sleeps, 0);
}

static void a_failed_wait_keeps_a_due_notice(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    (void)catch_and_close(&faulty);
    give_the_number_to_another(&faulty);
    faulty.kernel.fail_wait = EINTR;
    assert_int_equal(look(&faulty, 8), -EINTR);
    expect_stage(&faulty, OS_FAULT_DUE);
    assert_int_equal(look(&faulty, 8), 2);
}

static void notices_of_one_source_are_kept_as_one(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    hold(&faulty);
    fake_os_arrive(&faulty.kernel, faulty.fd, "x", 1);
    assert_int_equal(look(&faulty, 8), 0);
    fake_os_fin(&faulty.kernel, faulty.fd);
    assert_int_equal(look(&faulty, 8), 0);
    close_stream(&faulty, faulty.fd);
    give_the_number_to_another(&faulty);
    assert_int_equal(look(&faulty, 8), 1);
    assert_int_equal(faulty.events[0].events, OS_IN | OS_RDHUP);
}

static void a_notice_that_was_never_fetched_is_forgotten_with_its_number(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    hold(&faulty);
    fake_os_arrive(&faulty.kernel, faulty.fd, "x", 1);
    close_stream(&faulty, faulty.fd);
    expect_stage(&faulty, OS_FAULT_UNUSED);
    assert_int_equal(os_fault_hold(&faulty.fault, 9, 5), 0);
    assert_int_equal(look(&faulty, 8), 0);
}

static void one_notice_is_kept_at_a_time(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    hold(&faulty);
    assert_int_equal(os_fault_hold(&faulty.fault, 9, 5), -EBUSY);
    assert_int_equal(faulty.fault.held.fd, faulty.fd);
}

static void another_number_does_not_bring_the_notice_back(void **state)
{
    struct faulty faulty;
    int blocker;
    int listener;

    (void)state;
    faulty_begin(&faulty);
    (void)catch_and_close(&faulty);
    blocker = fake_os_stream(&faulty.kernel); /* has the number, and nobody accepted it */
    assert_int_equal(blocker, faulty.fd);
    listener = fake_os_listener(&faulty.kernel);
    fake_os_connect(&faulty.kernel, listener);
    fake_os_connect(&faulty.kernel, listener);
    assert_true(os_accept(faulty.os, listener) != faulty.fd);
    expect_stage(&faulty, OS_FAULT_CLOSED);
    assert_int_equal(look(&faulty, 8), 1);
    assert_int_equal(os_close(faulty.os, blocker), 0);
    expect_stage(&faulty, OS_FAULT_CLOSED);
    assert_int_equal(os_accept(faulty.os, listener), faulty.fd);
    expect_stage(&faulty, OS_FAULT_DUE);
}

static void calls_without_an_opinion_go_through(void **state)
{
    struct faulty faulty;

    (void)state;
    faulty_begin(&faulty);
    faulty.kernel.now.ns = 77;
    assert_int_equal(os_now(faulty.os).ns, 77);
    fake_os_arrive(&faulty.kernel, faulty.fd, "abc", 3);
    assert_int_equal(os_unread(faulty.os, faulty.fd), 3);
    assert_int_equal(os_wake(faulty.os), 0);
    faulty.kernel.fail_wait = EBADF;
    assert_int_equal(look(&faulty, 8), -EBADF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_errno_lasts_for_its_calls_and_loses_no_byte),
        cmocka_unit_test(a_rule_without_a_count_lasts_for_ever),
        cmocka_unit_test(several_rules_are_used_up_in_their_order),
        cmocka_unit_test(a_short_read_asks_for_less_and_never_for_more),
        cmocka_unit_test(a_rule_ends_with_its_number),
        cmocka_unit_test(a_failed_accept_leaves_the_connection_pending),
        cmocka_unit_test(unusable_rules_are_refused),
        cmocka_unit_test(a_held_notice_joins_the_first_batch_after_its_number_was_given_out),
        cmocka_unit_test(a_due_notice_fills_a_batch_of_one),
        cmocka_unit_test(a_due_notice_never_waits),
        cmocka_unit_test(a_failed_wait_keeps_a_due_notice),
        cmocka_unit_test(notices_of_one_source_are_kept_as_one),
        cmocka_unit_test(a_notice_that_was_never_fetched_is_forgotten_with_its_number),
        cmocka_unit_test(one_notice_is_kept_at_a_time),
        cmocka_unit_test(another_number_does_not_bring_the_notice_back),
        cmocka_unit_test(calls_without_an_opinion_go_through),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
