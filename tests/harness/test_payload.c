/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/payload.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void assert_payload(const char *text, const void *bytes, size_t size)
{
    struct plan *plan = script_accept("00 03 \"CAT\"", text);

    assert_int_equal(plan->statements[2].bytes.size, size);
    assert_memory_equal(plan->statements[2].bytes.data, bytes, size);
    plan_free(plan);
}

static void words_of_every_kind_are_joined_in_order(void **state)
{
    (void)state;
    assert_payload("00 03 43", "\0\3C", 3);
    assert_payload("000343aF", "\0\3C\xaf", 4);
    assert_payload("\"a b\" 0a \"\\x00\"", "a b\n\0", 5);
    assert_payload("\"\" pattern:3 ff", "\0\1\2\xff", 4);
}

static void a_pattern_repeats_after_251_bytes(void **state)
{
    struct plan *plan = script_accept("00 03 \"CAT\"", "pattern:70000");

    (void)state;
    assert_int_equal(plan->statements[2].bytes.size, 70000);
    for (uint32_t i = 0; i < 70000; i++) {
        assert_int_equal(plan->statements[2].bytes.data[i], i % 251);
        assert_int_equal(payload_pattern(i), i % 251);
    }
    plan_free(plan);
}

static void a_file_is_found_beside_the_script(void **state)
{
    char folder[] = "/tmp/edgewise-payload-XXXXXX";
    char path[64];
    char *text = script_text("00 03 \"CAT\"", "@bytes.bin 21");
    struct parser_input input = {.path = path, .text = text, .size = strlen(text)};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;
    FILE *file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/bytes.bin", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite("a\0b", 1, 3, file), 3);
    assert_int_equal(fclose(file), 0);
    snprintf(path, sizeof(path), "%s/t.scn", folder);
    assert_int_equal(parser_parse(&input, &plan, &mistakes), 0);
    assert_int_equal(plan->statements[2].bytes.size, 4);
    assert_memory_equal(plan->statements[2].bytes.data, "a\0b!", 4);
    plan_free(plan);
    snprintf(path, sizeof(path), "%s/bytes.bin", folder);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    free(text);
}

static const struct script_case mistaken[] = {
    {"00 03 \"CAT\"", "00 0g",
     "18:18: '0g' is not hex; write bytes as 00 ff, \"text\", pattern:SIZE or @file"},
    {"00 03 \"CAT\"", "00 034",
     "18:17: '034' is half a byte too long; write two hex digits a byte"},
    {"00 03 \"CAT\"", "pattern:0", "18:22: pattern: '0' is out of range; write 1 to 67108864"},
    {"00 03 \"CAT\"", "pattern:", "18:22: pattern: '' is not a number; write 1 to 67108864"},
    {"00 03 \"CAT\"", "pattern:67108865",
     "18:22: pattern: '67108865' is out of range; write 1 to 67108864"},
    {"00 03 \"CAT\"", "pattern:67108864 00",
     "18:31: a payload is too large; at most 67108864 bytes"},
    {"00 03 \"CAT\"", "@",
     "18:14: '@' is not relative to the script; write @ and a path from its folder"},
    {"00 03 \"CAT\"", "@/etc/passwd",
     "18:14: '@/etc/passwd' is not relative to the script; write @ and a path from its "
     "folder"},
    {"00 03 \"CAT\"", "@missing.bin",
     "18:14: '@missing.bin': cannot be read: No such file or directory; "
     "give the path of a file that is there"},
    {"00 03 \"CAT\"", "@.", "18:14: '@.': cannot be read: this is a directory; give a file"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_every_kind_are_joined_in_order),
        cmocka_unit_test(a_pattern_repeats_after_251_bytes),
        cmocka_unit_test(a_file_is_found_beside_the_script),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
