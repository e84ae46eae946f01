/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void assert_text_mistake(const char *text, size_t size, const char *mistake)
{
    char *mistakes = script_mistakes(text, size, NULL, 0);

    assert_non_null(mistakes);
    assert_string_equal(mistakes, mistake);
    free(mistakes);
}

static void bytes_that_are_no_text_are_told_at_their_place(void **state)
{
    (void)state;
    assert_text_mistake("", 0, "1:1: the script is empty; begin with 'scenario TOPIC/BEHAVIOUR'");
    assert_text_mistake("# a\nb\0c\n", 8,
                        "2:2: byte 00 is a control character; a script is text: write \\x00 in "
                        "quotes");
    assert_text_mistake("\x7f"
                        "ELF\n",
                        5,
                        "1:1: byte 7f is a control character; a script is text: write \\x7f in "
                        "quotes");
    assert_text_mistake("# a\r\n", 5, "1:4: a carriage return; end lines with a newline alone");
    assert_text_mistake("# \xff\n", 4,
                        "1:3: byte ff is not UTF-8; a script is text: write \\xff in quotes");
    assert_text_mistake("# a\n# b", 7,
                        "2:4: no newline at the end of the script; end the last line with one");
}

static void only_whole_shortest_utf8_is_text(void **state)
{
    static const char *const good[] = {"\xc3\xa4\n", "\xe2\x82\xac\n", "\xf0\x9f\x8c\x8a\n",
                                       "\xf4\x8f\xbf\xbf\n"};
    static const char *const bad[] = {
        "\xc3\n", /* cut */
        "\xe2\x82\n",
        "\x80\n",     /* a tail alone */
        "\xc0\xaf\n", /* overlong */
        "\xe0\x80\xaf\n",
        "\xed\xa0\x80\n",     /* a surrogate */
        "\xf4\x90\x80\x80\n", /* above the last character */
        "\xf8\x88\x80\x80\n",
    };
    struct mistakes mistakes = {.file = "t.scn"};

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        assert_true(source_check(good[i], strlen(good[i]), &mistakes));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_false(source_check(bad[i], strlen(bad[i]), &mistakes));
    mistakes_free(&mistakes);
}

static void a_line_of_1_mib_is_a_mistake_of_its_line(void **state)
{
    size_t size = SOURCE_SCRIPT_MAX;
    char *text = malloc(size);

    (void)state;
    assert_non_null(text);
    memset(text, '#', size);
    text[0] = '\n';
    text[size - 1] = '\n';
    assert_text_mistake(text, size, "2:1: the line has 1048574 bytes; at most 65536");
    free(text);
}

static void files_that_cannot_be_read_say_why(void **state)
{
    char folder[] = "/tmp/edgewise-source-XXXXXX";
    char path[64];
    struct source source = {0};
    FILE *file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_string_equal(source_read(folder, 10, &source),
                        "cannot be read: this is a directory; give a file");
    snprintf(path, sizeof(path), "%s/none", folder);
    assert_string_equal(source_read(path, 10, &source),
                        "cannot be read: No such file or directory; "
                        "give the path of a file that is there");
    snprintf(path, sizeof(path), "%s/loop", folder);
    assert_int_equal(symlink(path, path), 0);
    assert_string_equal(source_read(path, 10, &source),
                        "cannot be read: Too many levels of symbolic links; "
                        "give the path of the file itself");
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/fifo", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_string_equal(source_read(path, 10, &source),
                        "cannot be read: this is no regular file; give a regular file");
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof(path), "%s/file", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fputs("0123456789", file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
    assert_non_null(strstr(source_read(path, 9, &source), "too large"));
    assert_null(source.text);
    assert_null(source_read(path, 10, &source));
    assert_int_equal(source.size, 10);
    assert_memory_equal(source.text, "0123456789", 10);
    source_free(&source);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_that_are_no_text_are_told_at_their_place),
        cmocka_unit_test(only_whole_shortest_utf8_is_text),
        cmocka_unit_test(a_line_of_1_mib_is_a_mistake_of_its_line),
        cmocka_unit_test(files_that_cannot_be_read_say_why),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
