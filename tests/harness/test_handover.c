/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/handover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define TURNS 10000
/* Longer than any machine needs for a turn: a test that waits for it has failed. */
#define PATIENCE DURATION_MS(30000)

/* What two processes share. The counter is plain memory: only the turn orders it. */
struct shared {
    struct handover handover;
    uint64_t counter;
};

static struct shared *share(void)
{
    struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    assert_true(shared != MAP_FAILED);
    handover_init(&shared->handover);
    return shared;
}

/* Counts its own turns; the exit status is 0 when each found the counter where it should be. */
static int count_turns(struct shared *shared, enum handover_side own)
{
    enum handover_side other = own == HANDOVER_SUT ? HANDOVER_BENCH : HANDOVER_SUT;

    for (uint64_t i = 0; i < TURNS; i++) {
        if (handover_await(&shared->handover, own, PATIENCE) < 0)
            return 1;
        if (shared->counter != 2 * i + (own == HANDOVER_SUT))
            return 2;
        shared->counter++;
        handover_pass(&shared->handover, other);
    }
    return 0;
}

static void two_processes_take_ten_thousand_turns(void **state)
{
    struct shared *shared = share();
    pid_t child = fork();
    int status;

    (void)state;
    if (child == 0)
        _exit(count_turns(shared, HANDOVER_SUT));
    assert_true(child > 0);
    assert_int_equal(count_turns(shared, HANDOVER_BENCH), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(shared->counter, 2 * TURNS);
    (void)munmap(shared, sizeof(*shared));
}

static void *thread_turns(void *arg)
{
    return (void *)(intptr_t)count_turns(arg, HANDOVER_SUT);
}

static void two_threads_do_too(void **state)
{
    struct shared *shared = share();
    pthread_t thread;
    void *result;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, thread_turns, shared), 0);
    assert_int_equal(count_turns(shared, HANDOVER_BENCH), 0);
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_null(result);
    (void)munmap(shared, sizeof(*shared));
}

/* One thread takes the orders, another answers them: as under free pace. */
struct relay {
    struct shared *shared;
    _Atomic uint32_t taken;
    _Atomic bool lost; /* an order was taken twice or passed over */
};

static void *take_orders(void *arg)
{
    struct relay *relay = arg;

    for (uint32_t order = 0; order < TURNS; order++) {
        if (handover_await_order(&relay->shared->handover, order, PATIENCE) < 0)
            break;
        if (handover_orders(&relay->shared->handover) != order + 1)
            atomic_store(&relay->lost, true);
        atomic_store(&relay->taken, order + 1);
    }
    return NULL;
}

static void *answer_orders(void *arg)
{
    struct relay *relay = arg;

    for (uint32_t order = 1; order <= TURNS; order++) {
        while (atomic_load(&relay->taken) != order)
            (void)sched_yield();
        handover_pass(&relay->shared->handover, HANDOVER_BENCH);
    }
    return NULL;
}

static void each_of_ten_thousand_orders_is_taken_once(void **state)
{
    struct relay relay = {.shared = share()};
    struct handover *handover = &relay.shared->handover;
    pthread_t taker, answerer;

    (void)state;
    assert_int_equal(pthread_create(&taker, NULL, take_orders, &relay), 0);
    assert_int_equal(pthread_create(&answerer, NULL, answer_orders, &relay), 0);
    for (uint32_t order = 1; order <= TURNS; order++) {
        handover_pass(handover, HANDOVER_SUT);
        assert_int_equal(handover_await(handover, HANDOVER_BENCH, PATIENCE), 0);
        assert_int_equal(atomic_load(&relay.taken), order);
    }
    assert_int_equal(pthread_join(taker, NULL), 0);
    assert_int_equal(pthread_join(answerer, NULL), 0);
    assert_false(atomic_load(&relay.lost));
    (void)munmap(relay.shared, sizeof(*relay.shared));
}

static void a_sut_that_left_never_keeps_the_bench_waiting(void **state)
{
    struct handover handover;

    (void)state;
    handover_init(&handover);
    assert_false(handover_left(&handover));
    handover_pass(&handover, HANDOVER_SUT);
    handover_leave(&handover);
    for (int i = 0; i < 3; i++) {
        assert_true(handover_left(&handover));
        assert_int_equal(handover_await(&handover, HANDOVER_BENCH, DURATION_ZERO), 0);
        handover_pass(&handover, HANDOVER_SUT);
    }
}

static void the_bench_has_the_first_turn(void **state)
{
    struct handover handover;

    (void)state;
    handover_init(&handover);
    assert_int_equal(handover_await(&handover, HANDOVER_BENCH, DURATION_ZERO), 0);
    assert_int_equal(handover_await(&handover, HANDOVER_SUT, DURATION_ZERO), -ETIMEDOUT);
    handover_pass(&handover, HANDOVER_SUT);
    assert_int_equal(handover_await(&handover, HANDOVER_SUT, DURATION_ZERO), 0);
}

static void a_turn_that_does_not_come_times_out(void **state)
{
    struct handover handover;

    (void)state;
    handover_init(&handover);
    for (int ms = 1; ms < 20; ms *= 2)
        assert_int_equal(handover_await(&handover, HANDOVER_SUT, DURATION_MS(ms)), -ETIMEDOUT);
}

static void ignore_signal(int signal)
{
    (void)signal;
}

/* The timer repeats, so that a signal before the sleep is followed by one in it. */
static void a_signal_ends_the_wait(void **state)
{
    struct sigaction old;
    struct sigaction action = {.sa_handler = ignore_signal};
    struct itimerval often = {.it_interval.tv_usec = 2000, .it_value.tv_usec = 2000};
    struct itimerval never = {.it_value.tv_sec = 0};
    struct handover handover;
    int result;

    (void)state;
    handover_init(&handover);
    assert_int_equal(sigaction(SIGALRM, &action, &old), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    result = handover_await(&handover, HANDOVER_SUT, PATIENCE);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(sigaction(SIGALRM, &old, NULL), 0);
    assert_int_equal(result, -EINTR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_processes_take_ten_thousand_turns),
        cmocka_unit_test(two_threads_do_too),
        cmocka_unit_test(each_of_ten_thousand_orders_is_taken_once),
        cmocka_unit_test(a_sut_that_left_never_keeps_the_bench_waiting),
        cmocka_unit_test(the_bench_has_the_first_turn),
        cmocka_unit_test(a_turn_that_does_not_come_times_out),
        cmocka_unit_test(a_signal_ends_the_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
