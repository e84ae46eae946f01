/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/strand.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct story {
    struct strand strand;
    int steps;
    int last;
};

static void tell(void *arg)
{
    struct story *story = arg;
    uint8_t deep[64 << 10];

    memset(deep, 7, sizeof(deep));
    for (story->steps = 1; story->steps <= story->last; story->steps++)
        strand_yield(&story->strand);
    story->steps = deep[sizeof(deep) - 1];
}

static void it_goes_on_where_it_yielded_until_it_ends(void **state)
{
    struct story story = {.last = 3};

    (void)state;
    assert_int_equal(strand_open(&story.strand, tell, &story), 0);
    assert_int_equal(story.steps, 0);
    for (int i = 1; i <= 3; i++) {
        strand_resume(&story.strand);
        assert_int_equal(story.steps, i);
        assert_false(story.strand.ended);
    }
    strand_resume(&story.strand);
    assert_true(story.strand.ended);
    assert_int_equal(story.steps, 7);
    strand_close(&story.strand);
    strand_close(&story.strand);
}

static void several_take_turns_in_any_order(void **state)
{
    struct story one = {.last = 2}, other = {.last = 1};

    (void)state;
    assert_int_equal(strand_open(&one.strand, tell, &one), 0);
    assert_int_equal(strand_open(&other.strand, tell, &other), 0);
    strand_resume(&one.strand);
    strand_resume(&other.strand);
    strand_resume(&other.strand);
    assert_true(other.strand.ended);
    strand_resume(&one.strand);
    assert_int_equal(one.steps, 2);
    strand_close(&other.strand);
    /* It may be let go in the middle. */
    strand_close(&one.strand);
}

static void crash(void *arg)
{
    const int *signal = arg;

    if (*signal == SIGABRT)
        abort();
    (void)raise(*signal);
}

static int deep(volatile uint8_t *above)
{
    volatile uint8_t here[4096];

    here[0] = above[0];
    return here[0] == 1 ? 1 : deep(here) + here[0];
}

static void sink(void *arg)
{
    volatile uint8_t first[1] = {0};

    *(int *)arg = deep(first);
}

static void crashes_by(void (*run)(void *arg), void *arg, int signal)
{
    struct sigaction before, after;
    struct strand strand;

    assert_int_equal(sigaction(signal, NULL, &before), 0);
    assert_int_equal(strand_open(&strand, run, arg), 0);
    strand_resume(&strand);
    assert_int_equal(strand.signal, signal);
    assert_false(strand.ended);
    assert_int_equal(sigaction(signal, NULL, &after), 0);
    assert_ptr_equal(before.sa_handler, after.sa_handler);
    strand_close(&strand);
}

/* And again: nothing is left of the first time. */
static void a_crash_ends_the_strand_alone(void **state)
{
    int signals[] = {SIGABRT, SIGSEGV, SIGABRT, SIGFPE};

    (void)state;
    for (int i = 0; i < 4; i++)
        crashes_by(crash, &signals[i], signals[i]);
}

static void so_does_a_stack_that_is_used_up(void **state)
{
    int depth = 0;

    (void)state;
    crashes_by(sink, &depth, SIGSEGV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_goes_on_where_it_yielded_until_it_ends),
        cmocka_unit_test(several_take_turns_in_any_order),
        cmocka_unit_test(a_crash_ends_the_strand_alone),
        cmocka_unit_test(so_does_a_stack_that_is_used_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
