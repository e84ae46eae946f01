/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/os_linux.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#define DATA UINT64_C(0x1122334455667788)
#define AS_LONG_AS_IT_TAKES INSTANT_NEVER

/* The table on the real kernel, and one stream in it: `near` is watched, `far` is the peer's. */
struct real {
    struct os_linux *linux_os;
    struct os os;
    int near;
    int far;
    struct os_event events[OS_EVENTS_MAX];
};

static void real_begin(struct real *real)
{
    int ends[2];

    assert_int_equal(os_linux_open(&real->linux_os), 0);
    real->os = os_linux_table(real->linux_os);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    real->near = ends[0];
    real->far = ends[1];
}

static void real_end(struct real *real)
{
    os_linux_free(real->linux_os);
    if (real->near >= 0)
        (void)close(real->near);
    if (real->far >= 0)
        (void)close(real->far);
}

static void watch(struct real *real, uint16_t events)
{
    assert_int_equal(os_ctl(real->os, OS_ADD, real->near, events, DATA), 0);
}

static void say(struct real *real, const char *text)
{
    assert_int_equal(write(real->far, text, strlen(text)), strlen(text));
}

static int look(struct real *real)
{
    return os_wait(real->os, real->events, 4, INSTANT_PAST);
}

/* --- The triggers --- */

static void an_edge_is_reported_once_and_again_for_new_bytes(void **state)
{
    struct real real;

    (void)state;
    real_begin(&real);
    watch(&real, OS_IN | OS_RDHUP | OS_ET);
    assert_int_equal(look(&real), 0);
    say(&real, "a");
    assert_int_equal(look(&real), 1);
    assert_true(real.events[0].data == DATA);
    assert_int_equal(real.events[0].events, OS_IN);
    assert_int_equal(look(&real), 0);
    say(&real, "b");
    assert_int_equal(look(&real), 1);
    real_end(&real);
}

static void a_level_is_reported_until_it_is_gone(void **state)
{
    struct real real;
    char bytes[8];

    (void)state;
    real_begin(&real);
    watch(&real, OS_IN);
    say(&real, "a");
    for (int i = 0; i < 3; i++)
        assert_int_equal(look(&real), 1);
    assert_int_equal(os_read(real.os, real.near, bytes, 8), 1);
    assert_int_equal(look(&real), 0);
    real_end(&real);
}

static void a_oneshot_entry_sleeps_until_it_is_rearmed(void **state)
{
    struct real real;

    (void)state;
    real_begin(&real);
    watch(&real, OS_IN | OS_ET | OS_ONESHOT);
    say(&real, "a");
    assert_int_equal(look(&real), 1);
    assert_int_equal(real.events[0].events, OS_IN);
    say(&real, "b");
    assert_int_equal(look(&real), 0);
    assert_int_equal(os_ctl(real.os, OS_MOD, real.near, OS_IN | OS_ET | OS_ONESHOT, 7), 0);
    assert_int_equal(look(&real), 1); /* what was there is told (K3) */
    assert_int_equal(real.events[0].data, 7);
    real_end(&real);
}

static void a_deleted_entry_is_silent(void **state)
{
    struct real real;

    (void)state;
    real_begin(&real);
    watch(&real, OS_IN);
    say(&real, "a");
    assert_int_equal(os_ctl(real.os, OS_DEL, real.near, 0, 0), 0);
    assert_int_equal(look(&real), 0);
    real_end(&real);
}

/* --- The bits --- */

static void every_bit_comes_back_as_ours(void **state)
{
    struct real real;
    int pipes[2][2];

    (void)state;
    real_begin(&real);
    watch(&real, OS_IN | OS_OUT | OS_RDHUP);
    assert_int_equal(look(&real), 1);
    assert_int_equal(real.events[0].events, OS_OUT);
    assert_int_equal(shutdown(real.far, SHUT_WR), 0);
    assert_int_equal(look(&real), 1);
    assert_int_equal(real.events[0].events, OS_IN | OS_OUT | OS_RDHUP);
    assert_int_equal(os_ctl(real.os, OS_DEL, real.near, 0, 0), 0);

    for (int i = 0; i < 2; i++) {
        assert_int_equal(pipe2(pipes[i], O_NONBLOCK | O_CLOEXEC), 0);
        assert_int_equal(os_ctl(real.os, OS_ADD, pipes[i][i], 0, (uint64_t)i), 0);
        (void)close(pipes[i][1 - i]);
        assert_int_equal(look(&real), 1);
        assert_int_equal(real.events[0].events, i == 0 ? OS_HUP : OS_ERR);
        assert_int_equal(os_ctl(real.os, OS_DEL, pipes[i][i], 0, 0), 0);
        (void)close(pipes[i][i]);
    }
    real_end(&real);
}

/* The mask of an entry as the kernel shows it. The newest epoll instance of the process is ours. */
static unsigned kernel_mask(int fd)
{
    char path[64];
    char line[256];
    unsigned mask = 0;

    for (int epoll = 0; epoll < 64; epoll++) {
        FILE *file;

        (void)snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", epoll);
        file = fopen(path, "re");
        while (file && fgets(line, sizeof(line), file)) {
            int tfd;
            unsigned events;

            if (sscanf(line, "tfd: %d events: %x", &tfd, &events) == 2 && tfd == fd)
                mask = events;
        }
        if (file)
            (void)fclose(file);
    }
    return mask;
}

static void every_bit_goes_out_as_the_kernels(void **state)
{
    static const struct {
        uint16_t ours;
        unsigned theirs;
    } bits[] = {
        {OS_IN, 0x1},     {OS_OUT, 0x4},           {OS_RDHUP, 0x2000},
        {OS_ET, 1u << 31}, {OS_ONESHOT, 1u << 30}, {OS_IN | OS_ET | OS_ONESHOT, 0xc0000001},
    };
    struct real real;

    (void)state;
    real_begin(&real);
    watch(&real, 0);
    for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
        assert_int_equal(os_ctl(real.os, OS_MOD, real.near, bits[i].ours, DATA), 0);
        assert_int_equal(kernel_mask(real.near) & ~0x18u, bits[i].theirs); /* ERR, HUP: always */
    }
    real_end(&real);
}

/* --- Wakes --- */

static void wakes_merge_and_are_no_notice(void **state)
{
    struct real real;

    (void)state;
    real_begin(&real);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(os_wake(real.os), 0);
    assert_int_equal(os_wait(real.os, real.events, 4, AS_LONG_AS_IT_TAKES), 0);
    watch(&real, OS_IN);
    say(&real, "a");
    assert_int_equal(os_wait(real.os, real.events, 4, AS_LONG_AS_IT_TAKES), 1);
    assert_true(real.events[0].data == DATA);
    real_end(&real);
}

static void *wake_from_outside(void *arg)
{
    struct os *os = arg;

    return os_wake(*os) == 0 ? NULL : arg;
}

static void a_wake_of_another_thread_ends_a_sleep(void **state)
{
    struct real real;

    (void)state;
    real_begin(&real);
    for (int i = 0; i < 100; i++) {
        pthread_t thread;
        void *failed;

        assert_int_equal(pthread_create(&thread, NULL, wake_from_outside, &real.os), 0);
        assert_int_equal(os_wait(real.os, real.events, 1, AS_LONG_AS_IT_TAKES), 0);
        assert_int_equal(pthread_join(thread, &failed), 0);
        assert_null(failed);
    }
    real_end(&real);
}

static void a_wake_beside_a_notice_in_a_batch_of_one_loses_neither(void **state)
{
    (void)state;
    for (int order = 0; order < 2; order++) {
        struct real real;
        int notices = 0;

        real_begin(&real);
        watch(&real, OS_IN | OS_ET);
        if (order == 0)
            assert_int_equal(os_wake(real.os), 0);
        say(&real, "a");
        if (order == 1)
            assert_int_equal(os_wake(real.os), 0);
        for (int i = 0; i < 2; i++)
            notices += os_wait(real.os, real.events, 1, AS_LONG_AS_IT_TAKES);
        assert_int_equal(notices, 1);
        assert_true(real.events[0].data == DATA);
        assert_int_equal(look(&real), 0);
        real_end(&real);
    }
}

static void a_batch_is_as_large_as_allowed_and_no_larger(void **state)
{
    struct real real;
    int fds[40];

    (void)state;
    real_begin(&real);
    for (uint64_t i = 0; i < 40; i++) {
        fds[i] = dup(real.near);
        assert_true(fds[i] >= 0);
        assert_int_equal(os_ctl(real.os, OS_ADD, fds[i], OS_IN | OS_ET, i), 0);
    }
    assert_int_equal(os_wake(real.os), 0);
    say(&real, "a");
    assert_true(os_wait(real.os, real.events, 32, INSTANT_PAST) <= 32);
    for (int i = 0; i < 40; i++)
        (void)close(fds[i]);
    assert_true(os_wait(real.os, real.events, OS_EVENTS_MAX, INSTANT_PAST) >= 0);
    real_end(&real);
}

/* --- Time --- */

static void a_deadline_is_never_early(void **state)
{
    static const int64_t delays_us[] = {0, 1, 60, 999, 1001, 2500, 7777};
    struct real real;

    (void)state;
    real_begin(&real);
    for (int round = 0; round < 4; round++)
        for (size_t i = 0; i < sizeof(delays_us) / sizeof(*delays_us); i++) {
            struct instant deadline =
                instant_add(os_now(real.os), DURATION_US(delays_us[i]));

            assert_int_equal(os_wait(real.os, real.events, 4, deadline), 0);
            assert_false(instant_before(os_now(real.os), deadline));
        }
    real_end(&real);
}

static void a_deadline_that_is_over_only_looks(void **state)
{
    struct real real;

    (void)state;
    real_begin(&real);
    assert_int_equal(os_wait(real.os, real.events, 4, (struct instant){INT64_MIN + 1}), 0);
    assert_int_equal(os_wait(real.os, real.events, 4, (struct instant){0}), 0);
    watch(&real, OS_IN);
    say(&real, "a");
    assert_int_equal(os_wait(real.os, real.events, 4, (struct instant){0}), 1);
    real_end(&real);
}

static void a_deadline_beyond_all_clocks_waits_for_a_wake(void **state)
{
    struct real real;

    (void)state;
    real_begin(&real);
    assert_int_equal(os_wake(real.os), 0);
    assert_int_equal(os_wait(real.os, real.events, 4, (struct instant){INT64_MAX - 1}), 0);
    real_end(&real);
}

static void ignore_signal(int signal)
{
    (void)signal;
}

/* The timer repeats, so that a signal before the sleep is followed by one in it. */
static void a_signal_comes_out_as_eintr(void **state)
{
    struct sigaction old;
    struct sigaction action = {.sa_handler = ignore_signal};
    struct itimerval often = {.it_interval.tv_usec = 2000, .it_value.tv_usec = 2000};
    struct itimerval never = {.it_value.tv_sec = 0};
    struct real real;
    int result;

    (void)state;
    real_begin(&real);
    assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    result = os_wait(real.os, real.events, 4, AS_LONG_AS_IT_TAKES);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
    assert_int_equal(result, -EINTR);
    real_end(&real);
}

/* --- The other calls --- */

static void reads_tell_bytes_exhaustion_and_the_end(void **state)
{
    struct real real;
    char bytes[8];

    (void)state;
    real_begin(&real);
    assert_int_equal(os_read(real.os, real.near, bytes, 8), -EAGAIN);
    say(&real, "hello");
    assert_int_equal(os_unread(real.os, real.near), 5);
    assert_int_equal(os_read(real.os, real.near, bytes, 2), 2);
    assert_int_equal(os_unread(real.os, real.near), 3);
    assert_int_equal(os_read(real.os, real.near, bytes, 8), 3);
    assert_memory_equal(bytes, "llo", 3);
    (void)close(real.far);
    real.far = -1;
    assert_int_equal(os_read(real.os, real.near, bytes, 8), 0);
    real_end(&real);
}

static void an_accepted_connection_is_nonblocking_and_not_inherited(void **state)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t length = sizeof(sa_family_t); /* the kernel picks an abstract name */
    struct real real;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int accepted;

    (void)state;
    real_begin(&real);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(os_accept(real.os, listener), -EAGAIN);
    length = sizeof(address);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &length), 0);
    assert_int_equal(connect(client, (struct sockaddr *)&address, length), 0);
    accepted = os_accept(real.os, listener);
    assert_true(accepted >= 0);
    assert_true(fcntl(accepted, F_GETFL) & O_NONBLOCK);
    assert_true(fcntl(accepted, F_GETFD) & FD_CLOEXEC);
    assert_int_equal(os_close(real.os, accepted), 0);
    (void)close(client);
    (void)close(listener);
    real_end(&real);
}

static void errors_are_negative_errnos(void **state)
{
    struct real real;
    char bytes[4];
    int file = open("/dev/null", O_RDONLY | O_CLOEXEC);

    (void)state;
    real_begin(&real);
    assert_int_equal(os_ctl(real.os, OS_DEL, real.near, 0, 0), -ENOENT);
    assert_int_equal(os_ctl(real.os, OS_MOD, real.near, OS_IN, 1), -ENOENT);
    watch(&real, OS_IN);
    assert_int_equal(os_ctl(real.os, OS_ADD, real.near, OS_IN, 1), -EEXIST);
    assert_int_equal(os_ctl(real.os, OS_ADD, file, OS_IN, 1), -EPERM);
    assert_int_equal(close(file), 0);
    assert_int_equal(os_ctl(real.os, OS_ADD, file, OS_IN, 1), -EBADF);
    assert_int_equal(os_read(real.os, file, bytes, 4), -EBADF);
    assert_int_equal(os_accept(real.os, file), -EBADF);
    assert_int_equal(os_close(real.os, file), -EBADF);
    assert_int_equal(os_unread(real.os, file), -EBADF);
    real_end(&real);
}

/* --- Opening --- */

static int lowest_free(void)
{
    int fd = dup(0);

    assert_true(fd >= 0);
    (void)close(fd);
    return fd;
}

static void without_descriptors_nothing_is_opened_or_left(void **state)
{
    struct rlimit old;
    struct rlimit tight;
    int before = lowest_free();

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    for (unsigned room = 0; room < 2; room++) {
        struct os_linux *linux_os = NULL;
        int result;

        tight = (struct rlimit){.rlim_cur = (rlim_t)before + room, .rlim_max = old.rlim_max};
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &tight), 0);
        result = os_linux_open(&linux_os);
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
        assert_int_equal(result, -EMFILE);
        assert_null(linux_os);
        assert_int_equal(lowest_free(), before);
    }
}

static void freeing_closes_its_own_descriptors_only(void **state)
{
    struct real real;
    int before = lowest_free();

    (void)state;
    os_linux_free(NULL);
    real_begin(&real);
    watch(&real, OS_IN);
    os_linux_free(real.linux_os);
    real.linux_os = NULL;
    assert_int_equal(lowest_free(), before);
    assert_true(fcntl(real.near, F_GETFD) >= 0);
    real_end(&real);
    assert_int_equal(lowest_free(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edge_is_reported_once_and_again_for_new_bytes),
        cmocka_unit_test(a_level_is_reported_until_it_is_gone),
        cmocka_unit_test(a_oneshot_entry_sleeps_until_it_is_rearmed),
        cmocka_unit_test(a_deleted_entry_is_silent),
        cmocka_unit_test(every_bit_comes_back_as_ours),
        cmocka_unit_test(every_bit_goes_out_as_the_kernels),
        cmocka_unit_test(wakes_merge_and_are_no_notice),
        cmocka_unit_test(a_wake_of_another_thread_ends_a_sleep),
        cmocka_unit_test(a_wake_beside_a_notice_in_a_batch_of_one_loses_neither),
        cmocka_unit_test(a_batch_is_as_large_as_allowed_and_no_larger),
        cmocka_unit_test(a_deadline_is_never_early),
        cmocka_unit_test(a_deadline_that_is_over_only_looks),
        cmocka_unit_test(a_deadline_beyond_all_clocks_waits_for_a_wake),
        cmocka_unit_test(a_signal_comes_out_as_eintr),
        cmocka_unit_test(reads_tell_bytes_exhaustion_and_the_end),
        cmocka_unit_test(an_accepted_connection_is_nonblocking_and_not_inherited),
        cmocka_unit_test(errors_are_negative_errnos),
        cmocka_unit_test(without_descriptors_nothing_is_opened_or_left),
        cmocka_unit_test(freeing_closes_its_own_descriptors_only),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
