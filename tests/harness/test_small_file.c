/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/small_file.h"

static void the_first_line_is_read_without_its_end(void **state)
{
    char path[] = "/tmp/small-file-XXXXXX";
    char text[16] = "before";
    int fd = mkstemp(path);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "reno cubic\nmore\n", 16), 16);
    close(fd);
    small_file_line(path, text, sizeof(text));
    assert_string_equal(text, "reno cubic");
    small_file_line(path, text, 5);
    assert_string_equal(text, "reno");
    assert_int_equal(unlink(path), 0);
}

static void a_file_that_cannot_be_read_is_empty(void **state)
{
    char text[16] = "before";

    (void)state;
    small_file_line("/proc/self/no-such-file", text, sizeof(text));
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_is_read_without_its_end),
        cmocka_unit_test(a_file_that_cannot_be_read_is_empty),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
