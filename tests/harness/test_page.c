/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/report/page.h"
#include "harness/shell.h"

struct sheet {
    FILE *out;
    char *text;
    size_t size;
};

static void sheet_begin(struct sheet *sheet)
{
    *sheet = (struct sheet){0};
    sheet->out = open_memstream(&sheet->text, &sheet->size);
}

/* Whatever is printed: no line is too wide, none ends in a blank, and all is printable. */
static void looks_right(const char *text)
{
    size_t width = 0;

    for (const char *at = text; *at; at++) {
        if (*at == '\n') {
            assert_true(at == text || at[-1] != ' ');
            width = 0;
            continue;
        }
        assert_true(*at >= 0x20 && *at < 0x7f);
        assert_true(++width <= PAGE_COLUMNS);
    }
}

static void sheet_is(struct sheet *sheet, const char *expected)
{
    fclose(sheet->out);
    looks_right(sheet->text);
    assert_string_equal(sheet->text, expected);
    free(sheet->text);
}

static void prose(const char *text, const char *expected)
{
    struct sheet sheet;

    sheet_begin(&sheet);
    page_prose(sheet.out, "  ", 4, text);
    sheet_is(&sheet, expected);
}

static void prose_is_broken_at_blanks(void **state)
{
    (void)state;
    prose("short", "  short\n");
    prose("", "\n");
    prose("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 x",
          "  0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 x\n");
    prose("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 xy",
          "  0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\n"
          "    xy\n");
}

static void a_word_wider_than_a_line_is_broken_and_marked(void **state)
{
    char word[200];
    struct sheet sheet;

    (void)state;
    memset(word, 'x', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    sheet_begin(&sheet);
    page_prose(sheet.out, "  ", 4, word);
    fclose(sheet.out);
    looks_right(sheet.text);
    assert_int_equal(strcspn(sheet.text, "\n"), PAGE_COLUMNS);
    assert_int_equal(strcspn(sheet.text, "\\"), PAGE_COLUMNS - 1);
    free(sheet.text);
}

static void nothing_moves_the_cursor_and_all_is_ascii(void **state)
{
    (void)state;
    prose("c \033[2J\rx \xc3\xbc\ty", "  c \\x1b[2J\\x0dx \\xc3\\xbc y\n");
}

static void a_row_goes_on_below_and_its_marks_follow(void **state)
{
    struct sheet sheet;

    (void)state;
    sheet_begin(&sheet);
    page_row(sheet.out, "  + ", "c stop EAGAIN", "  ^^^^");
    page_row(sheet.out, "  + ",
             "c read 64 = 64 00 01 02 03 04 05 06 07 ..   credit=0+512 queue=[a,b,c,d,e,f,g]",
             "       ^^                                                ^^^^^^^^^^^^^^^^^^^^^");
    sheet_is(&sheet, "  + c stop EAGAIN\n"
                     "      ^^^^\n"
                     "  + c read 64 = 64 00 01 02 03 04 05 06 07 ..   credit=0+512\n"
                     "           ^^\n"
                     "        queue=[a,b,c,d,e,f,g]\n"
                     "        ^^^^^^^^^^^^^^^^^^^^^\n");
}

static void a_row_without_a_blank_is_broken_where_the_line_ends(void **state)
{
    char row[180];
    size_t joined = 0;
    struct sheet sheet;

    (void)state;
    memset(row, 'q', sizeof(row) - 1);
    row[sizeof(row) - 1] = '\0';
    sheet_begin(&sheet);
    page_row(sheet.out, "  - ", row, NULL);
    fclose(sheet.out);
    looks_right(sheet.text);
    for (const char *at = sheet.text; *at; at++)
        joined += *at == 'q';
    assert_int_equal(joined, strlen(row)); /* nothing is cut */
    free(sheet.text);
}

static void a_command_is_broken_before_an_option(void **state)
{
    struct sheet sheet;

    (void)state;
    sheet_begin(&sheet);
    page_command(sheet.out, "  next   ", "./run scenario a/b");
    page_command(sheet.out, "  next   ",
                 "./run scenario framing/one-frame-per-quantum --trigger et --family ipv4 -v");
    sheet_is(&sheet, "  next   ./run scenario a/b\n"
                     "  next   ./run scenario framing/one-frame-per-quantum --trigger et \\\n"
                     "    --family ipv4 -v\n");
}

/* What a shell prints when a printed command is typed. */
static void shell(const char *command, char *text, size_t size)
{
    int ends[2], status;
    size_t used = 0;
    ssize_t got;
    pid_t child;

    assert_int_equal(pipe(ends), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        execlp("bash", "bash", "-c", command, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    while ((got = read(ends[0], text + used, size - 1 - used)) > 0)
        used += (size_t)got;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    text[used] = '\0';
}

static void shell_reads(const char *command, const char *word)
{
    struct sheet sheet;
    char text[1024];

    sheet_begin(&sheet);
    page_command(sheet.out, "", command);
    fclose(sheet.out);
    looks_right(sheet.text);
    shell(sheet.text, text, sizeof(text));
    assert_string_equal(text, word);
    free(sheet.text);
}

static void a_printed_command_can_be_typed_again(void **state)
{
    static const char *const words[] = {
        "plain", "with blank", "it's", "\xc3\xbc\n", "", "a\\b", "\x01'\\",
        "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567",
        "a path/0123456789012345678901234567890123456789'012345678901234567890123456789012345678",
        "\xc3\xbc/0123456789012345678901234567890123456789012345678901234567890123456789\xc3\xbc",
        "\xc3\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\'\\\\\\\\\\",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        struct sheet sheet;

        sheet_begin(&sheet);
        fputs("printf %s ", sheet.out);
        shell_quote(sheet.out, words[i]);
        fclose(sheet.out);
        shell_reads(sheet.text, words[i]);
        free(sheet.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prose_is_broken_at_blanks),
        cmocka_unit_test(a_word_wider_than_a_line_is_broken_and_marked),
        cmocka_unit_test(nothing_moves_the_cursor_and_all_is_ascii),
        cmocka_unit_test(a_row_goes_on_below_and_its_marks_follow),
        cmocka_unit_test(a_row_without_a_blank_is_broken_where_the_line_ends),
        cmocka_unit_test(a_command_is_broken_before_an_option),
        cmocka_unit_test(a_printed_command_can_be_typed_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
