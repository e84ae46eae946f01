/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/suggest.h"
static void measures_distances_of_words(void **state)
{
    (void)state;
    assert_int_equal(suggest_distance("", ""), 0);
    assert_int_equal(suggest_distance("", "abc"), 3);
    assert_int_equal(suggest_distance("doctor", "doctor"), 0);
    assert_int_equal(suggest_distance("dcotor", "doctor"), 1);
    assert_int_equal(suggest_distance("docter", "doctor"), 1);
    assert_int_equal(suggest_distance("dctor", "doctor"), 1);
    assert_int_equal(suggest_distance("kitten", "sitting"), 3);
}

static void the_nearest_word_must_be_near(void **state)
{
    static const char *const words[] = {"scenario", "list", "lint"};

    (void)state;
    assert_string_equal(suggest_nearest("scenaro", words, 3), "scenario");
    assert_string_equal(suggest_nearest("lisr", words, 3), "list");
    assert_string_equal(suggest_nearest("lint", words, 3), "lint");
    assert_null(suggest_nearest("explore", words, 3));
    assert_null(suggest_nearest("list", words, 0));
}

static void long_words_are_near_to_nothing(void **state)
{
    char word[SUGGEST_WORD_MAX + 2];

    (void)state;
    memset(word, 'a', sizeof(word));
    word[SUGGEST_WORD_MAX + 1] = '\0';
    assert_int_equal(suggest_distance(word, word), SUGGEST_WORD_MAX);
    word[SUGGEST_WORD_MAX] = '\0';
    assert_int_equal(suggest_distance(word, word), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_distances_of_words),
        cmocka_unit_test(the_nearest_word_must_be_near),
        cmocka_unit_test(long_words_are_near_to_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
