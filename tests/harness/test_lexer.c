/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/lexer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/script.h"

/* Splits one line; `mistakes` says what is wrong. */
static int split(const char *text, struct plan_memory *memory, struct mistakes *mistakes,
                 struct lexer_line *line)
{
    static struct lexer lexer;

    lexer = (struct lexer){.memory = memory, .mistakes = mistakes};
    mistakes->file = "t.scn";
    return lexer_split(&lexer, text, strlen(text), 7, line);
}

static void a_line_is_words_with_places_and_a_comment(void **state)
{
    struct plan_memory *memory = plan_memory_new();
    struct mistakes mistakes = {0};
    struct lexer_line line;

    (void)state;
    assert_int_equal(split("  1ms\tc send \"a b#\" 00# rest \"", memory, &mistakes, &line), 0);
    assert_int_equal(line.count, 5);
    assert_true(lexer_is(line.words[0], "1ms"));
    assert_int_equal(line.words[0].place.line, 7);
    assert_int_equal(line.words[0].place.column, 3);
    assert_int_equal(line.words[1].place.column, 7);
    assert_true(line.words[3].quoted);
    assert_int_equal(line.words[3].size, 4);
    assert_memory_equal(line.words[3].text, "a b#", 4);
    assert_false(lexer_is(line.words[3], "a b#"));
    assert_true(lexer_is(line.words[4], "00"));
    assert_int_equal(line.end.column, 23);
    plan_memory_free(memory);
}

static void blank_lines_and_comments_hold_no_word(void **state)
{
    static const char *const empty[] = {"", "   ", "\t", "# all", "  # all"};
    struct plan_memory *memory = plan_memory_new();
    struct mistakes mistakes = {0};
    struct lexer_line line;

    (void)state;
    for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++) {
        assert_int_equal(split(empty[i], memory, &mistakes, &line), 0);
        assert_int_equal(line.count, 0);
        assert_int_equal(line.end.column, 1);
    }
    plan_memory_free(memory);
}

static void escapes_stand_for_bytes(void **state)
{
    struct plan_memory *memory = plan_memory_new();
    struct mistakes mistakes = {0};
    struct lexer_line line;

    (void)state;
    assert_int_equal(split("\"\\x00\\xfF\\n\\r\\t\\0\\\\\\\"\"", memory, &mistakes, &line), 0);
    assert_int_equal(line.count, 1);
    assert_int_equal(line.words[0].size, 8);
    assert_memory_equal(line.words[0].text, "\0\xff\n\r\t\0\\\"", 8);
    plan_memory_free(memory);
}

static void a_pair_keeps_the_columns_of_key_and_value(void **state)
{
    struct lexer_word word = {"bytes=9=", 8, {3, 10}, false};
    struct lexer_word key, value;

    (void)state;
    assert_true(lexer_pair(word, &key, &value));
    assert_true(lexer_is(key, "bytes"));
    assert_true(lexer_is(value, "9="));
    assert_int_equal(key.place.column, 10);
    assert_int_equal(value.place.column, 16);
    word.quoted = true;
    assert_false(lexer_pair(word, &key, &value));
}

static void a_word_is_shown_printable_and_cut(void **state)
{
    struct lexer_word word = {"\x01\"\xff", 3, {1, 1}, true};

    (void)state;
    assert_string_equal(lexer_show(word).text, "'\\x01\"\\xff'");
    word = (struct lexer_word){"abcdefghijklmnopqrstuvwxyz", 26, {1, 1}, false};
    assert_string_equal(lexer_show(word).text, "'abcdefghijklmnopqrstuvwx..'");
}

static const struct script_case mistaken[] = {
    {"\"CAT\"", "\"CAT", "18:20: no closing quote; end the text with \" on the same line"},
    {"\"CAT\"", "\"C\\qT\"", "18:22: unknown escape; known: \\xNN \\n \\r \\t \\0 \\\\ \\\""},
    {"\"CAT\"", "\"C\\x4\"", "18:22: unknown escape; known: \\xNN \\n \\r \\t \\0 \\\\ \\\""},
    {"\"CAT\"", "\"CAT\\", "18:24: unknown escape; known: \\xNN \\n \\r \\t \\0 \\\\ \\\""},
    {"\"CAT\"", "\"CAT\"x", "18:25: no blank behind a closing quote; put one between two words"},
    {"\"CAT\"", "x\"CAT\"", "18:21: a quote inside a word; put a blank before it"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_words_with_places_and_a_comment),
        cmocka_unit_test(blank_lines_and_comments_hold_no_word),
        cmocka_unit_test(escapes_stand_for_bytes),
        cmocka_unit_test(a_pair_keeps_the_columns_of_key_and_value),
        cmocka_unit_test(a_word_is_shown_printable_and_cut),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
