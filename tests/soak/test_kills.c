/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/breaking/kills.h"

#define MOMENTS 112 /* SOAK times as many */

static void nothing_remains_after_a_hundred_kills(void **state)
{
    const char *soak = getenv("SOAK");

    kills_strike_often(state, MOMENTS * (soak ? strtoull(soak, NULL, 10) : 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_remains_after_a_hundred_kills),
    };

    return cmocka_run_group_tests(tests, kills_setup, NULL) != 0;
}
