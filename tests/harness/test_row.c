/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/ledger/row.h"
static void words_keep_their_quotes(void **state)
{
    const char *row = "  c frame  1 \"a b\" end";
    static const char *const words[] = {"c", "frame", "1", "\"a b\"", "end"};
    int length = 0;

    (void)state;
    for (size_t i = 0; i < 5; i++) {
        const char *word = row_word(&row, &length);

        assert_int_equal(length, strlen(words[i]));
        assert_memory_equal(word, words[i], (size_t)length);
    }
    assert_null(row_word(&row, &length));
}

static void rows_that_are_equal_have_equal_hashes(void **state)
{
    static const char *const rows[] = {"a b", " a  b ", "a b c", "ab", "\"a b\"", "\"a  b\"", ""};

    (void)state;
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < 7; j++) {
            bool equal = i == j || (i < 2 && j < 2);

            assert_int_equal(row_equal(rows[i], rows[j]), equal);
            assert_int_equal(row_hash(rows[i]) == row_hash(rows[j]), equal);
        }
}

static void the_dialogue_is_told_by_its_first_word(void **state)
{
    (void)state;
    assert_true(row_dialogue("notice c IN"));
    assert_true(row_dialogue("  ctl c add"));
    assert_false(row_dialogue("c notice"));
    assert_false(row_dialogue("notices"));
    assert_false(row_dialogue(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_keep_their_quotes),
        cmocka_unit_test(rows_that_are_equal_have_equal_hashes),
        cmocka_unit_test(the_dialogue_is_told_by_its_first_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
