/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/remarks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static struct remarks remarks;
static struct lines lines;

static int begin(void **state)
{
    (void)state;
    remarks = (struct remarks){0};
    lines = (struct lines){0};
    return 0;
}

static int end(void **state)
{
    (void)state;
    lines_free(&lines);
    return 0;
}

static void remarks_come_back_as_lines(void **state)
{
    (void)state;
    remarks_tell(&remarks, &lines);
    assert_int_equal(lines.count, 0);
    remarks_add(&remarks, "line %d: %s", 7, "one");
    remarks_add(&remarks, "two");
    remarks_tell(&remarks, &lines);
    assert_int_equal(lines.count, 2);
    assert_string_equal(lines.line[0], "line 7: one");
    assert_string_equal(lines.line[1], "two");
}

static void a_long_one_is_cut(void **state)
{
    char text[2 * REMARKS_LINE_MAX];

    (void)state;
    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    remarks_add(&remarks, "%s", text);
    remarks_tell(&remarks, &lines);
    assert_int_equal(lines.count, 1);
    assert_int_equal(strlen(lines.line[0]), REMARKS_LINE_MAX);
}

static void what_does_not_fit_is_said_once(void **state)
{
    (void)state;
    for (int i = 0; i < REMARKS_BYTES; i++)
        remarks_add(&remarks, "%d", i % 10);
    remarks_tell(&remarks, &lines);
    assert_true(lines.count > REMARKS_BYTES / 2 - 50);
    assert_string_equal(lines.line[lines.count - 1],
                        "more lines of the script that were not carried out");
    assert_string_not_equal(lines.line[lines.count - 2], lines.line[lines.count - 1]);
}

static void nothing_beyond_the_memory_is_read(void **state)
{
    (void)state;
    memset(&remarks, 'x', sizeof(remarks));
    remarks_tell(&remarks, &lines);
    assert_int_equal(lines.count, 1);
    assert_int_equal(strlen(lines.line[0]), REMARKS_BYTES);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(remarks_come_back_as_lines),
        TEST(a_long_one_is_cut),
        TEST(what_does_not_fit_is_said_once),
        TEST(nothing_beyond_the_memory_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
