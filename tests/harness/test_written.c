/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "harness/report/written.h"

static void what_was_written_is_no_error(void **state)
{
    FILE *out = tmpfile();

    (void)state;
    fputs("x", out);
    assert_int_equal(written_flush(out, 0), 0);
    fclose(out);
}

static void the_first_error_stays(void **state)
{
    FILE *out = fopen("/dev/full", "w");
    FILE *fine = tmpfile();
    int status;

    (void)state;
    assert_non_null(out);
    fputs("x", out);
    status = written_flush(out, 0);
    assert_int_equal(status, -ENOSPC);
    assert_int_equal(written_flush(fine, status), -ENOSPC);
    fclose(out);
    fclose(fine);
}

static void an_error_between_two_calls_is_seen(void **state)
{
    FILE *out = fopen("/dev/full", "w");

    (void)state;
    assert_non_null(out);
    setvbuf(out, NULL, _IONBF, 0);
    fputs("x", out);
    assert_int_equal(written_flush(out, 0), -EIO);
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_written_is_no_error),
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(an_error_between_two_calls_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
