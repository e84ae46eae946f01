/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "harness/cli/canonical.h"

static void a_run_without_a_network_has_no_capture(void **state)
{
    struct packet_list none;
    struct packet_list made;
    struct happened happened = {.packets = NULL};

    (void)state;
    packet_list_init(&none, 10, 1000);
    packet_list_init(&made, 10, 1000);
    assert_int_equal(canonical_make(&happened, 0, &made), -ENODATA);
    happened.packets = &none;
    assert_int_equal(canonical_make(&happened, 0, &made), -ENODATA);
    assert_int_equal(made.count, 0);
    packet_list_free(&none);
}

static void the_clocks_are_that_far_apart(void **state)
{
    struct timespec monotonic, real;
    int64_t apart;

    (void)state;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    clock_gettime(CLOCK_REALTIME, &real);
    apart = (real.tv_sec - monotonic.tv_sec) * INT64_C(1000000000) + real.tv_nsec -
            monotonic.tv_nsec;
    assert_true(llabs(canonical_clock_offset() - apart) < INT64_C(1000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_without_a_network_has_no_capture),
        cmocka_unit_test(the_clocks_are_that_far_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
