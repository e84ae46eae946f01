/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/number.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/script.h"

static struct lexer_word word_of(const char *text)
{
    return (struct lexer_word){text, strlen(text), {1, 1}, false};
}

static void numbers_are_held_to_their_range(void **state)
{
    struct mistakes mistakes = {.file = "t.scn"};
    uint64_t number = 77;

    (void)state;
    assert_true(number_read(&mistakes, word_of("0"), "n", 0, 9, &number));
    assert_int_equal(number, 0);
    assert_true(
        number_read(&mistakes, word_of("18446744073709551615"), "n", 0, UINT64_MAX, &number));
    assert_true(number == UINT64_MAX);
    number = 77;
    assert_false(
        number_read(&mistakes, word_of("18446744073709551616"), "n", 0, UINT64_MAX - 1, &number));
    assert_false(number_read(&mistakes, word_of("10"), "n", 0, 9, &number));
    assert_false(number_read(&mistakes, word_of("+1"), "n", 0, 9, &number));
    assert_false(number_read(&mistakes, word_of(""), "n", 0, 9, &number));
    assert_int_equal(number, 77);
    assert_int_equal(mistakes.lines.count, 4);
    mistakes_free(&mistakes);
}

static void durations_have_a_unit(void **state)
{
    static const struct {
        const char *text;
        int64_t ns;
    } cases[] = {
        {"0ms", 0},         {"100ns", 100},
        {"200us", 200000},  {"5ms", 5000000},
        {"1s", 1000000000}, {"86400s", NUMBER_DURATION_MAX},
        {"86401s", -1},     {"99999999999999999s", -1},
        {"1m", -1},         {"1.5ms", -1},
        {"-1ms", -1},       {"ms", -1},
        {"1 ms", -1},       {"1", -1},
    };
    struct mistakes mistakes = {.file = "t.scn"};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct duration duration = {-1};

        assert_int_equal(number_duration(&mistakes, word_of(cases[i].text), "d", &duration),
                         cases[i].ns >= 0);
        assert_int_equal(duration.ns, cases[i].ns);
    }
    mistakes_free(&mistakes);
}

static void errors_are_known_by_name(void **state)
{
    struct mistakes mistakes = {.file = "t.scn"};
    int error = 0;

    (void)state;
    assert_true(number_errno(&mistakes, word_of("ECONNRESET"), &error));
    assert_int_equal(error, ECONNRESET);
    assert_true(number_errno(&mistakes, word_of("EINTR"), &error));
    assert_int_equal(error, EINTR);
    assert_false(number_errno(&mistakes, word_of("econnreset"), &error));
    assert_false(number_errno(&mistakes, word_of("0"), &error));
    assert_int_equal(error, EINTR);
    mistakes_free(&mistakes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_held_to_their_range),
        cmocka_unit_test(durations_have_a_unit),
        cmocka_unit_test(errors_are_known_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
