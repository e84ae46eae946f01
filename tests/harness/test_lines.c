/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_joined(const struct lines *lines, const char *text)
{
    size_t size = 99;
    char *joined = lines_join(lines, &size);

    assert_string_equal(joined, text);
    assert_int_equal(size, strlen(text));
    free(joined);
}

static void lines_are_kept_in_order(void **state)
{
    struct lines lines = {0};

    (void)state;
    expect_joined(&lines, "");
    for (int i = 0; i < 1000; i++)
        lines_add(&lines, "%d %s", i, "x");
    assert_int_equal(lines.count, 1000);
    for (int i = 0; i < 1000; i++) {
        char text[16];

        (void)snprintf(text, sizeof(text), "%d x", i);
        assert_string_equal(lines.line[i], text);
    }
    lines_free(&lines);
    assert_int_equal(lines.count, 0);
    assert_null(lines.line);
    lines_free(&lines);
}

static void a_text_is_split_at_newlines(void **state)
{
    static const struct {
        const char *text;
        size_t count;
        const char *joined;
    } texts[] = {
        {"", 0, ""},         {"\n", 1, "\n"},        {"a", 1, "a\n"},
        {"a\n", 1, "a\n"},   {"a\nb", 2, "a\nb\n"}, {"\n\na\n", 3, "\n\na\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct lines lines = {0};

        lines_split(&lines, texts[i].text, strlen(texts[i].text));
        assert_int_equal(lines.count, texts[i].count);
        expect_joined(&lines, texts[i].joined);
        lines_free(&lines);
    }
}

static void only_the_given_bytes_are_split(void **state)
{
    struct lines lines = {0};

    (void)state;
    lines_split(&lines, "ab\ncd", 4);
    expect_joined(&lines, "ab\nc\n");
    lines_split(&lines, "x", 1);
    expect_joined(&lines, "ab\nc\nx\n");
    lines_free(&lines);
}

static void the_size_may_be_left_out(void **state)
{
    struct lines lines = {0};
    char *joined;

    (void)state;
    lines_add(&lines, "a");
    joined = lines_join(&lines, NULL);
    assert_string_equal(joined, "a\n");
    free(joined);
    lines_free(&lines);
}

static void a_line_is_had_whole_or_not(void **state)
{
    struct lines lines = {0};

    (void)state;
    assert_false(lines_have(&lines, ""));
    lines_add(&lines, "ab");
    lines_add(&lines, "c");
    assert_true(lines_have(&lines, "c"));
    assert_false(lines_have(&lines, "a"));
    lines_free(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_kept_in_order),
        cmocka_unit_test(a_text_is_split_at_newlines),
        cmocka_unit_test(only_the_given_bytes_are_split),
        cmocka_unit_test(the_size_may_be_left_out),
        cmocka_unit_test(a_line_is_had_whole_or_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
