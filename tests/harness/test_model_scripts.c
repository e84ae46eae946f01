/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/model/cancellation_script.h"
#include "harness/model/framing_script.h"

struct wrong {
    const char *words;
    const char *said;
};

static void framing_words_are_read(void **state)
{
    static struct framing_script script;
    char error[200];

    (void)state;
    assert_int_equal(framing_script_read("  in:00Ff run run:3 consume consume:2 eof", &script,
                                         sizeof(error), error), 0);
    assert_int_equal(script.word_count, 6);
    assert_int_equal(script.byte_count, 2);
    assert_int_equal(script.bytes[1], 0xff);
    assert_int_equal(script.words[1].count, 0);
    assert_int_equal(script.words[2].count, 3);
    assert_int_equal(script.words[3].count, 1);
    assert_int_equal(script.words[4].count, 2);
    assert_int_equal(script.words[5].verb, FRAMING_SCRIPT_EOF);
}

static void what_is_wrong_with_framing_words_is_told(void **state)
{
    static const struct wrong wrong[] = {
        {"", "there is no word in it, such as in 'in:00024f4b run eof run'"},
        {"in", "word 1, 'in': wants a value: in:034341"},
        {"in:0", "word 1, 'in:0': wants pairs of hexadecimal digits, such as in:034341"},
        {"in:0g", "word 1, 'in:0g': wants pairs of hexadecimal digits, such as in:034341"},
        {"run:0", "word 1, 'run:0': wants a number from 1 to 10000"},
        {"run:", "word 1, 'run:': wants a number from 1 to 10000"},
        {"run:10001", "word 1, 'run:10001': wants a number from 1 to 10000"},
        {"run:123456789", "word 1, 'run:123456789': wants a number from 1 to 10000"},
        {"eintr", "word 1, 'eintr': wants a value: eintr:1"},
        {"eof run eof", "word 3, 'eof': the stream has ended already"},
        {"reset in:00", "word 2, 'in:00': the stream has ended already"},
        {"eof:1", "word 1, 'eof:1': takes no value"},
        {"rum", "word 1, 'rum': did you mean run?"},
        {"eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 "
         "eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 eintr:1 eintr:1",
         "word 17, 'eintr:1': 16 times at most"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        static struct framing_script script;
        char error[200];

        assert_int_equal(framing_script_read(wrong[i].words, &script, sizeof(error), error), -22);
        assert_string_equal(error, wrong[i].said);
    }
}

static void cancellation_words_are_read(void **state)
{
    static struct cancellation_script script;
    char error[200];

    (void)state;
    assert_int_equal(cancellation_script_read("submit target:err:borrow@8 release:12", &script,
                                              sizeof(error), error), 0);
    assert_int_equal(script.word_count, 3);
    assert_true(script.words[0].submit);
    assert_true(script.words[1].act.borrow);
    assert_int_equal(script.words[1].act.target, REQUEST_TARGET_ERROR);
    assert_true(script.words[1].aged);
    assert_int_equal(script.words[1].generation, 8);
    assert_string_equal(script.words[1].text, "target:err:borrow@8");
    assert_int_equal(script.words[2].act.token, 12);
}

static void what_is_wrong_with_cancellation_words_is_told(void **state)
{
    static const struct wrong wrong[] = {
        {" ", "there is no word in it; the first one is submit"},
        {"borrow", "word 1, 'borrow': the first word is submit"},
        {"submit gone", "word 2, 'gone': there is none, such as deadline, "
                               "target:ok:borrow, release:0"},
        {"submit target:oh", "word 2, 'target:oh': there is none; did you mean target:ok"},
        {"submit release", "word 2, 'release': wants a token, such as release:0"},
        {"submit throw:x", "word 2, 'throw:x': wants a token, such as release:0"},
        {"submit deliver@", "word 2, 'deliver@': @ wants a generation, such as @8"},
        {"submit@7", "word 1, 'submit@7': a submission has no generation yet"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        static struct cancellation_script script;
        char error[200];

        assert_int_equal(cancellation_script_read(wrong[i].words, &script, sizeof(error), error),
                         -22);
        assert_string_equal(error, wrong[i].said);
    }
}

static void scripts_have_bounds(void **state)
{
    static char text[8 * 300];
    static struct framing_script framing;
    static struct cancellation_script cancellation;
    char error[200];

    (void)state;
    for (int i = 0; i < 257; i++)
        memcpy(text + 4 * i, "run ", 5);
    assert_int_equal(framing_script_read(text, &framing, sizeof(error), error), -22);
    assert_string_equal(error, "word 257, 'run': 256 words at most");
    for (int i = 0; i < 257; i++)
        memcpy(text + 7 * i, "submit ", 8);
    assert_int_equal(cancellation_script_read(text, &cancellation, sizeof(error), error), -22);
    assert_string_equal(error, "word 257, '...': no more words than that");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(framing_words_are_read),
        cmocka_unit_test(what_is_wrong_with_framing_words_is_told),
        cmocka_unit_test(cancellation_words_are_read),
        cmocka_unit_test(what_is_wrong_with_cancellation_words_is_told),
        cmocka_unit_test(scripts_have_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
