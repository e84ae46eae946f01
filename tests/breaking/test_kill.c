/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/breaking/kills.h"

/* Each signal to each process, once. */
static void nothing_remains_when_a_process_is_killed(void **state)
{
    kills_strike_often(state, KILLS_CASES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_remains_when_a_process_is_killed),
    };

    return cmocka_run_group_tests(tests, kills_setup, NULL) != 0;
}
