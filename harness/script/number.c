/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/number.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Linux numbers its errors below this. */
#define ERRNO_MAX 4095

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Leading digits as a number, held at UINT64_MAX; returns how many digits there are. */
static size_t take_digits(struct lexer_word word, uint64_t *number)
{
    size_t count = 0;

    *number = 0;
    while (!word.quoted && count < word.size && is_digit(word.text[count])) {
        uint64_t digit = (uint64_t)(word.text[count] - '0');

        if (*number > (UINT64_MAX - digit) / 10)
            *number = UINT64_MAX;
        else
            *number = *number * 10 + digit;
        count++;
    }
    return count;
}

bool number_read(struct mistakes *mistakes, struct lexer_word word, const char *what, uint64_t min,
                 uint64_t max, uint64_t *ret_number)
{
    uint64_t number;
    size_t digits = take_digits(word, &number);
    const char *wrong = digits == 0 || digits < word.size ? "is not a number" : NULL;

    if (!wrong && (number < min || number > max))
        wrong = "is out of range";
    if (wrong) {
        mistakes_add(mistakes, word.place, "%s: %s %s; write %" PRIu64 " to %" PRIu64, what,
                     lexer_show(word).text, wrong, min, max);
        return false;
    }
    *ret_number = number;
    return true;
}

static const struct {
    const char *name;
    uint64_t ns;
} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

/* Nanoseconds of the unit that `text` is, 0 when it is none. */
static uint64_t unit_ns(struct lexer_word text)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (lexer_is(text, units[i].name))
            return units[i].ns;
    return 0;
}

bool number_duration(struct mistakes *mistakes, struct lexer_word word, const char *what,
                     struct duration *ret_duration)
{
    static const char right[] = "write digits and one of ns, us, ms, s, such as 200us";
    uint64_t number;
    size_t digits = take_digits(word, &number);
    uint64_t unit = unit_ns(lexer_skip(word, digits));
    struct lexer_shown shown = lexer_show(word);
    const char *text = shown.text;

    if (digits == 0)
        mistakes_add(mistakes, word.place, "%s: %s is not a duration; %s", what, text, right);
    else if (digits == word.size)
        mistakes_add(mistakes, word.place, "%s: %s has no unit; %s", what, text, right);
    else if (unit == 0)
        mistakes_add(mistakes, word.place, "%s: %s has an unknown unit; %s", what, text, right);
    else if (number > (uint64_t)NUMBER_DURATION_MAX / unit)
        mistakes_add(mistakes, word.place, "%s: %s is too long; at most 86400s", what, text);
    else {
        *ret_duration = (struct duration){(int64_t)(number * unit)};
        return true;
    }
    return false;
}

bool number_errno(struct mistakes *mistakes, struct lexer_word word, int *ret_error)
{
    for (int error = 1; error <= ERRNO_MAX; error++) {
        const char *name = strerrorname_np(error);

        if (name && lexer_is(word, name)) {
            *ret_error = error;
            return true;
        }
    }
    mistakes_add(mistakes, word.place,
                 "unknown error %s; write the name of an errno, such as ECONNRESET",
                 lexer_show(word).text);
    return false;
}
