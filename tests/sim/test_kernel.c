/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/small_kernel.h"

/* What the simulated kernel has of its own: its block, its processes, its end of memory, its time.
 * That it does as Linux does is tested in tests/platform, on both. */

static void configs_out_of_range_have_no_size(void **state)
{
    struct kernel_config config = small_kernel_config;

    (void)state;
    assert_true(kernel_size(&config) > 0);
    config.processes = 0;
    assert_int_equal(kernel_size(&config), 0);
    config = small_kernel_config;
    config.block_size = KERNEL_BLOCK_MIN - 8;
    assert_int_equal(kernel_size(&config), 0);
    config.block_size = KERNEL_BLOCK_MIN + 1;
    assert_int_equal(kernel_size(&config), 0);
    config = small_kernel_config;
    config.sockets = KERNEL_COUNT_MAX + 1;
    assert_int_equal(kernel_size(&config), 0);
    config.sockets = config.blocks = KERNEL_COUNT_MAX;
    config.block_size = KERNEL_BLOCK_MAX;
    assert_int_equal(kernel_size(&config), 0);
}

/* The same calls, on the block and on a copy of it. */
static void copy_of_the_block_is_a_snapshot(void **state)
{
    struct kernel *k = small_kernel_new();
    size_t size = kernel_size(&small_kernel_config);
    struct kernel *copy = malloc(size);
    struct os_event events[4];
    char bytes[8];
    int ends[2];
    int epoll = kernel_epoll(k, 0);

    (void)state;
    assert_non_null(copy);
    small_kernel_connect(k, ends);
    assert_int_equal(kernel_epoll_ctl(k, 0, epoll, OS_ADD, ends[1], OS_IN | OS_ET, 5), 0);
    assert_int_equal(kernel_write(k, 0, ends[0], "abc", 3), 3);
    memcpy(copy, k, size);
    for (int i = 0; i < 2; i++) {
        struct kernel *each = i == 0 ? k : copy;

        assert_int_equal(kernel_epoll_wait(each, 0, epoll, events, 4, INSTANT_PAST), 1);
        assert_int_equal(events[0].data, 5);
        assert_int_equal(kernel_read(each, 0, ends[1], bytes, sizeof(bytes)), 3);
    }
    assert_memory_equal(copy, k, size);
    assert_true(kernel_digest(copy) == kernel_digest(k));
    small_kernel_free(copy);
    small_kernel_free(k);
}

static void each_process_has_numbers_of_its_own(void **state)
{
    struct kernel *k = small_kernel_new();
    int ends[2];

    (void)state;
    assert_int_equal(kernel_eventfd(k, 1, 0, false), 0);
    assert_int_equal(kernel_pipe(k, 0, ends), 0);
    assert_int_equal(ends[0], 0);
    assert_int_equal(kernel_pass(k, 0, ends[0], 1), 1);
    assert_int_equal(kernel_close(k, 0, ends[0]), 0);
    assert_int_equal(kernel_write(k, 0, ends[1], "x", 1), 1); /* its reader lives in the other */
    assert_int_equal(kernel_unread(k, 1, 1), 1);
    kernel_exit(k, 1);
    assert_int_equal(kernel_write(k, 0, ends[1], "x", 1), -EPIPE);
    small_kernel_free(k);
}

static void lowest_free_number_is_given(void **state)
{
    struct kernel *k = small_kernel_new();
    int fd = kernel_eventfd(k, 0, 0, false);

    (void)state;
    for (int i = 1; i < 8; i++)
        assert_int_equal(kernel_dup(k, 0, fd), i);
    assert_int_equal(kernel_dup(k, 0, fd), -EMFILE);
    assert_int_equal(kernel_close(k, 0, 5), 0);
    assert_int_equal(kernel_close(k, 0, 2), 0);
    assert_int_equal(kernel_dup(k, 0, fd), 2);
    assert_int_equal(kernel_dup(k, 0, fd), 5);
    small_kernel_free(k);
}

/* Each limit of the config is an error that leaves everything as it was. */
static void end_of_memory_changes_nothing(void **state)
{
    struct kernel *k = small_kernel_new();
    static const char bytes[8 * 16];
    int ends[2];
    uint64_t before;

    (void)state;
    assert_int_equal(kernel_pipe(k, 0, ends), 0);
    assert_int_equal(kernel_write(k, 0, ends[1], bytes, sizeof(bytes)), sizeof(bytes));
    (void)kernel_eventfd(k, 0, 0, false);
    (void)kernel_eventfd(k, 0, 0, false);
    before = kernel_digest(k);
    assert_int_equal(kernel_eventfd(k, 0, 0, false), -ENFILE);
    assert_int_equal(kernel_write(k, 0, ends[1], "x", 1), -ENOMEM);
    assert_true(kernel_digest(k) == before);
    small_kernel_free(k);
}

static void stream_without_memory_says_so(void **state)
{
    struct kernel *k = small_kernel_new();
    static char bytes[8 * 16];
    int ends[2];

    (void)state;
    small_kernel_connect(k, ends);
    assert_int_equal(kernel_write(k, 0, ends[0], bytes, 64), 64);
    assert_int_equal(kernel_write(k, 0, ends[0], bytes, 64), 64);
    assert_int_equal(kernel_write(k, 0, ends[0], bytes, 1), -ENOBUFS);
    assert_int_equal(kernel_read(k, 0, ends[1], bytes, 128), 128);
    assert_int_equal(kernel_write(k, 0, ends[0], bytes, 1), 1);
    small_kernel_free(k);
}

/* What a peer sent is counted at its receiver, and each end knows whom it talks to. */
static void connection_tells_its_other_end(void **state)
{
    struct kernel *k = small_kernel_new();
    struct kernel_address own, told;
    int ends[2];

    (void)state;
    small_kernel_connect(k, ends);
    assert_int_equal(kernel_write(k, 0, ends[0], "abc", 3), 3);
    assert_int_equal(kernel_remote_unread(k, 0, ends[0]), 3);
    assert_int_equal(kernel_remote_unread(k, 0, ends[1]), 0);
    assert_int_equal(kernel_name(k, 0, ends[0], &own), 0);
    assert_int_equal(kernel_remote(k, 0, ends[1], &told), 0);
    assert_memory_equal(&own, &told, sizeof(own));
    assert_int_equal(kernel_close(k, 0, ends[0]), 0);
    assert_int_equal(kernel_remote(k, 0, ends[1], &told), 0);
    assert_int_equal(kernel_remote(k, 0, kernel_socket(k, 0, KERNEL_IPV4, KERNEL_STREAM), &told),
                     -ENOTCONN);
    small_kernel_free(k);
}

/* Time. */

static void sleep_moves_time_to_its_deadline(void **state)
{
    struct kernel *k = small_kernel_new();
    struct instant later = instant_add(kernel_now(k), DURATION_MS(5));

    (void)state;
    assert_int_equal(kernel_sleep(k, later), 0);
    assert_true(instant_equal(kernel_now(k), later));
    assert_int_equal(kernel_sleep(k, INSTANT_PAST), 0);
    assert_true(instant_equal(kernel_now(k), later));
    assert_int_equal(kernel_sleep(k, INSTANT_NEVER), -EDEADLK);
    small_kernel_free(k);
}

static void wait_ends_when_a_timer_fires(void **state)
{
    struct kernel *k = small_kernel_new();
    struct instant first = instant_add(kernel_now(k), DURATION_MS(5));
    struct os_event event;
    int epoll = kernel_epoll(k, 0), timer = kernel_timerfd(k, 0);

    (void)state;
    assert_int_equal(kernel_timer_set(k, 0, timer, first, DURATION_ZERO), 0);
    assert_int_equal(kernel_epoll_ctl(k, 0, epoll, OS_ADD, timer, OS_IN, 9), 0);
    assert_true(instant_equal(kernel_due(k), first));
    assert_int_equal(kernel_epoll_wait(k, 0, epoll, &event, 1, INSTANT_NEVER), 1);
    assert_true(instant_equal(kernel_now(k), first));
    assert_true(instant_equal(kernel_due(k), INSTANT_NEVER));
    small_kernel_free(k);
}

/* E102: events beat a time-out, a time-out of nothing beats a signal, a signal beats sleep. */
static void signal_ends_a_wait_that_would_sleep(void **state)
{
    struct kernel *k = small_kernel_new();
    struct instant before = kernel_now(k);
    struct instant later = instant_add(before, DURATION_MS(5));
    struct os_event event;
    int epoll = kernel_epoll(k, 0), counter = kernel_eventfd(k, 0, 0, false);
    const uint64_t one = 1;

    (void)state;
    assert_int_equal(kernel_epoll_ctl(k, 0, epoll, OS_ADD, counter, OS_IN | OS_ET, 0), 0);
    kernel_signal(k, 0);
    assert_int_equal(kernel_epoll_wait(k, 0, epoll, &event, 1, INSTANT_PAST), 0);
    assert_int_equal(kernel_write(k, 0, counter, &one, sizeof(one)), sizeof(one));
    assert_int_equal(kernel_epoll_wait(k, 0, epoll, &event, 1, later), 1);
    assert_int_equal(kernel_epoll_wait(k, 0, epoll, &event, 1, later), -EINTR);
    assert_true(instant_equal(kernel_now(k), before));
    assert_int_equal(kernel_epoll_wait(k, 0, epoll, &event, 1, later), 0);
    small_kernel_free(k);
}

static void wait_that_nothing_can_end_is_told(void **state)
{
    struct kernel *k = small_kernel_new();
    struct os_event event;
    int epoll = kernel_epoll(k, 0);

    (void)state;
    assert_int_equal(kernel_epoll_wait(k, 0, epoll, &event, 1, INSTANT_NEVER), -EDEADLK);
    small_kernel_free(k);
}

/* E79: nobody accepts, ever. */
static void connect_gives_up_in_the_end(void **state)
{
    const struct kernel_address address = {.domain = KERNEL_IPV6, .port = 9, .bytes = {[15] = 1}};
    struct kernel *k = small_kernel_new();
    int listener = kernel_socket(k, 0, KERNEL_IPV6, KERNEL_STREAM), fd = -1, error;

    (void)state;
    assert_int_equal(kernel_bind(k, 0, listener, &address), 0);
    assert_int_equal(kernel_listen(k, 0, listener, 0), 0);
    for (int i = 0; i < 2; i++) {
        fd = kernel_socket(k, 0, KERNEL_IPV6, KERNEL_STREAM);
        assert_int_equal(kernel_connect(k, 0, fd, &address), -EINPROGRESS);
    }
    assert_int_equal(kernel_level(k, 0, fd, OS_OUT), 0);
    while (!instant_equal(kernel_due(k), INSTANT_NEVER))
        assert_int_equal(kernel_sleep(k, kernel_due(k)), 0);
    assert_int_equal(kernel_option(k, 0, fd, KERNEL_ERROR, &error), 0);
    assert_int_equal(error, ETIMEDOUT);
    small_kernel_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configs_out_of_range_have_no_size),
        cmocka_unit_test(copy_of_the_block_is_a_snapshot),
        cmocka_unit_test(each_process_has_numbers_of_its_own),
        cmocka_unit_test(lowest_free_number_is_given),
        cmocka_unit_test(end_of_memory_changes_nothing),
        cmocka_unit_test(stream_without_memory_says_so),
        cmocka_unit_test(connection_tells_its_other_end),
        cmocka_unit_test(sleep_moves_time_to_its_deadline),
        cmocka_unit_test(wait_ends_when_a_timer_fires),
        cmocka_unit_test(signal_ends_a_wait_that_would_sleep),
        cmocka_unit_test(wait_that_nothing_can_end_is_told),
        cmocka_unit_test(connect_gives_up_in_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
