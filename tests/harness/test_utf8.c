/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/utf8.h"

typedef struct utf8_character next_fn(const char **text);

static void becomes(next_fn *next, const char *text, const char *expected)
{
    char out[200];
    size_t size = 0;

    for (struct utf8_character one = next(&text); one.size > 0; one = next(&text)) {
        assert_in_range(size + one.size, 1, sizeof(out) - 1);
        memcpy(out + size, one.bytes, one.size);
        size += one.size;
    }
    out[size] = '\0';
    assert_string_equal(out, expected);
    assert_int_equal(*text, '\0');
}

static void a_character_has_its_code(void **state)
{
    const char *text = "\xf0\x9f\x98\x80z";
    struct utf8_character next = utf8_next(&text);

    (void)state;
    assert_int_equal(next.code, 0x1f600);
    assert_int_equal(next.size, 4);
    next = utf8_next(&text);
    assert_int_equal(next.code, 'z');
    assert_int_equal(utf8_next(&text).size, 0);
    assert_int_equal(utf8_next(&text).size, 0);
}

static void what_is_no_utf8_is_replaced_byte_by_byte(void **state)
{
    (void)state;
    becomes(utf8_next, "a\xff", "a\xef\xbf\xbd");
    becomes(utf8_next, "\xc3", "\xef\xbf\xbd");
    becomes(utf8_next, "\xe2\x82z", "\xef\xbf\xbd\xef\xbf\xbdz");
    becomes(utf8_next, "\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd");
    becomes(utf8_next, "\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    becomes(utf8_next, "\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    becomes(utf8_next, "\x01\x7f", "\x01\x7f");
}

static void printable_is_what_every_format_carries(void **state)
{
    (void)state;
    becomes(utf8_next_printable, "a\tb\nc", "a\tb\nc");
    becomes(utf8_next_printable, "\r\x1b\x7f", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    becomes(utf8_next_printable, "\xc2\x80\xc2\x85\xc2\x9f\xc2\xa0",
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xc2\xa0");
    becomes(utf8_next_printable, "\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa",
            "\xef\xbf\xbd\xef\xbf\xbd\xe2\x80\xaa");
    becomes(utf8_next_printable, "\xef\xbb\xbf\xef\xbf\xbe\xef\xbf\xbf",
            "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    becomes(utf8_next_printable, "\xff\xf0\x9f\x98\x80", "\xef\xbf\xbd\xf0\x9f\x98\x80");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character_has_its_code),
        cmocka_unit_test(what_is_no_utf8_is_replaced_byte_by_byte),
        cmocka_unit_test(printable_is_what_every_format_carries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
