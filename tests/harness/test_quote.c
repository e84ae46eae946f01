/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/ledger/quote.h"
static void quotes(const void *bytes, size_t size, size_t shown, const char *golden)
{
    char text[QUOTE_SIZE(16)];

    assert_true(shown <= 16);
    quote_bytes(bytes, size, shown, text);
    assert_string_equal(text, golden);
}

static void printable_bytes_stand_as_they_are(void **state)
{
    (void)state;
    quotes("C T~", 4, 16, "\"C T~\"");
    quotes(NULL, 0, 16, "\"\"");
}

static void all_others_are_hexadecimal(void **state)
{
    (void)state;
    quotes("\"\\\n\x7f\xff", 5, 16, "\"\\x22\\x5c\\x0a\\x7f\\xff\"");
}

static void what_is_not_shown_is_two_dots(void **state)
{
    (void)state;
    quotes("abc", 3, 3, "\"abc\"");
    quotes("abcd", 4, 3, "\"abc\"..");
    quotes("\0\0\0", 3, 2, "\"\\x00\\x00\"..");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printable_bytes_stand_as_they_are),
        cmocka_unit_test(all_others_are_hexadecimal),
        cmocka_unit_test(what_is_not_shown_is_two_dots),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
