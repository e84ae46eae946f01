/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "harness/wallclock.h"

static void it_tells_the_date(void **state)
{
    int64_t before = time(NULL);
    int64_t now = wallclock_seconds();

    (void)state;
    assert_true(before <= now);
    assert_true(now <= time(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_tells_the_date),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
