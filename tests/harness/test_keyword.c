/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/keyword.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/script.h"

static const char *const names[] = {"send", "shutdown", "connect", "et"};

/* What is told of `text` when it is looked for. */
static void assert_told(const char *text, const char *told)
{
    struct lexer_word word = {text, strlen(text), {4, 2}, false};
    struct mistakes mistakes = {.file = "t.scn"};

    assert_int_equal(keyword_require(KEYWORD_TABLE(names), word, "verb", &mistakes), -1);
    assert_int_equal(mistakes.lines.count, 1);
    assert_string_equal(mistakes.lines.line[0], told);
    mistakes_free(&mistakes);
}

static void a_known_word_is_found_unless_it_is_quoted(void **state)
{
    struct lexer_word word = {"connect", 7, {1, 1}, false};

    (void)state;
    assert_int_equal(keyword_find(KEYWORD_TABLE(names), word), 2);
    word.quoted = true;
    assert_int_equal(keyword_find(KEYWORD_TABLE(names), word), -1);
    word = (struct lexer_word){"connec", 6, {1, 1}, false};
    assert_int_equal(keyword_find(KEYWORD_TABLE(names), word), -1);
}

static void a_slip_is_answered_with_the_word_that_was_meant(void **state)
{
    (void)state;
    assert_told("sned", "t.scn:4:2: unknown verb 'sned'; did you mean 'send'?");
    assert_told("senf", "t.scn:4:2: unknown verb 'senf'; did you mean 'send'?");
    assert_told("sends", "t.scn:4:2: unknown verb 'sends'; did you mean 'send'?");
    assert_told("conect", "t.scn:4:2: unknown verb 'conect'; did you mean 'connect'?");
    assert_told("shotdwn", "t.scn:4:2: unknown verb 'shotdwn'; did you mean 'shutdown'?");
}

static void a_strange_word_is_answered_with_all_that_are_known(void **state)
{
    (void)state;
    assert_told("receive", "t.scn:4:2: unknown verb 'receive'; known: send, shutdown, connect, et");
    assert_told("ex", "t.scn:4:2: unknown verb 'ex'; known: send, shutdown, connect, et");
    assert_told("aaaaaaaaaaaaaaaaaaaaaaaaa",
                "t.scn:4:2: unknown verb 'aaaaaaaaaaaaaaaaaaaaaaaa..'; known: send, shutdown, "
                "connect, et");
}

static void a_list_that_is_too_long_is_cut_at_a_name(void **state)
{
    char text[18];

    (void)state;
    keyword_list(KEYWORD_TABLE(names), text, sizeof(text));
    assert_string_equal(text, "send, shutdown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_word_is_found_unless_it_is_quoted),
        cmocka_unit_test(a_slip_is_answered_with_the_word_that_was_meant),
        cmocka_unit_test(a_strange_word_is_answered_with_all_that_are_known),
        cmocka_unit_test(a_list_that_is_too_long_is_cut_at_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
