/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/interrupted.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>

static void on_signal(int signal)
{
    (void)signal;
    interrupted_set();
}

static void a_signal_handler_sets_it_for_good(void **state)
{
    struct sigaction old;
    struct sigaction action = {.sa_handler = on_signal};

    (void)state;
    assert_false(interrupted());
    assert_int_equal(sigaction(SIGUSR1, &action, &old), 0);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(sigaction(SIGUSR1, &old, NULL), 0);
    assert_true(interrupted());
    interrupted_set();
    assert_true(interrupted());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_handler_sets_it_for_good),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
