/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/cli/congestion.h"

#define AVAILABLE "/proc/sys/net/ipv4/tcp_available_congestion_control"

static void what_no_kernel_has_is_refused_with_what_there_is(void **state)
{
    char known[CONGESTION_KNOWN_BYTES];

    (void)state;
    if (access(AVAILABLE, R_OK) < 0) {
        print_message("this kernel does not list its congestion controls\n");
        skip();
    }
    assert_true(congestion_refused("nosuch", known));
    assert_non_null(strstr(known, "reno"));
    assert_true(congestion_refused("ren", known)); /* no part of a word */
    assert_true(congestion_refused("renos", known));
}

static void reno_is_everywhere(void **state)
{
    char known[CONGESTION_KNOWN_BYTES];

    (void)state;
    assert_false(congestion_refused("reno", known));
}

static void each_is_listed_once(void **state)
{
    char known[CONGESTION_KNOWN_BYTES];
    const char *first;

    (void)state;
    (void)congestion_refused("nosuch", known);
    first = strstr(known, "reno");
    assert_true(!first || !strstr(first + 1, "reno"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_no_kernel_has_is_refused_with_what_there_is),
        cmocka_unit_test(reno_is_everywhere),
        cmocka_unit_test(each_is_listed_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
