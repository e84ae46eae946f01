/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/page.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

#define ROW_HANG     4 /* blanks before what goes on of a row */
#define COMMAND_HANG 4
#define ROOM_MIN     16 /* of a line, whatever stands before it */

/* `text` in printable ASCII, a backslash as it is. The caller frees it. */
static char *printable(const char *text)
{
    static const char digits[] = "0123456789abcdef";
    char *safe = memory_zeroed(4 * strlen(text) + 1, 1);
    char *at = safe;

    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte >= 0x20 && byte < 0x7f) {
            *at++ = (char)byte;
        } else if (byte == '\t') {
            *at++ = ' ';
        } else {
            *at++ = '\\';
            *at++ = 'x';
            *at++ = digits[byte >> 4];
            *at++ = digits[byte & 15];
        }
    }
    return safe;
}

/* How much of `text` goes into `room` columns: up to the last blank that lets it, all of it, or 0
 * when its first word is too long. */
static size_t fitting(const char *text, size_t room)
{
    size_t length = strlen(text);

    if (length <= room)
        return length;
    for (length = room; length > 0 && text[length] != ' ';)
        length--;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    return length;
}

static size_t room_behind(size_t width)
{
    return width + ROOM_MIN < PAGE_COLUMNS ? PAGE_COLUMNS - width : ROOM_MIN;
}

/* A part that has no blank to be broken at. */
static size_t put_broken(FILE *out, const char *text, size_t room)
{
    fprintf(out, "%.*s\\\n", (int)(room - 1), text);
    return room - 1;
}

void page_prose(FILE *out, const char *first, int hang, const char *text)
{
    char *safe = printable(text);
    const char *rest = safe + strspn(safe, " ");
    size_t width = strlen(first);

    fputs(*rest ? first : "", out);
    for (;;) {
        size_t length = fitting(rest, room_behind(width));

        if (length > 0 || *rest == '\0') {
            fprintf(out, "%.*s\n", (int)length, rest);
            rest += length;
        } else {
            rest += put_broken(out, rest, room_behind(width));
        }
        rest += strspn(rest, " ");
        if (*rest == '\0')
            break;
        width = (size_t)hang;
        fprintf(out, "%*s", hang, "");
    }
    free(safe);
}

/* One part of a row and the marks below it. */
static void put_part(FILE *out, const char *mark, int hang, const char *part, size_t length,
                     const char *carets)
{
    size_t marks = strlen(carets) < length ? strlen(carets) : length;

    fprintf(out, "%s%*s%.*s\n", mark, hang, "", (int)length, part);
    while (marks > 0 && carets[marks - 1] == ' ')
        marks--;
    if (marks > 0)
        fprintf(out, "%*s%.*s\n", (int)strlen(mark) + hang, "", (int)marks, carets);
}

void page_row(FILE *out, const char *mark, const char *row, const char *carets)
{
    char *safe = printable(row);
    const char *rest = safe;
    /* A row that had to be made printable has other columns. */
    const char *marks = carets && strcmp(safe, row) == 0 ? carets : "";
    char blanks[16] = "";
    int hang = 0;

    assert(strlen(mark) < sizeof(blanks));
    for (const char *before = mark;; before = blanks, hang = ROW_HANG) {
        size_t room = room_behind(strlen(before) + (size_t)hang);
        size_t length = fitting(rest, room);

        if (length == 0)
            length = strlen(rest) < room ? strlen(rest) : room;
        put_part(out, before, hang, rest, length, marks);
        while (rest[length] == ' ')
            length++;
        marks += strlen(marks) < length ? strlen(marks) : length;
        rest += length;
        if (*rest == '\0')
            break;
        memset(blanks, ' ', strlen(mark));
    }
    free(safe);
}

/* Within what a character of a command stands. */
enum quote {
    QUOTE_NONE,
    QUOTE_PLAIN,  /* '...' */
    QUOTE_DOLLAR, /* $'...' */
};

/* How many characters belong together: an escape, a dollar and its quote. */
static size_t unit_length(const char *text, enum quote quote)
{
    if (quote == QUOTE_NONE && text[0] == '$' && text[1] == '\'')
        return 2;
    if (text[0] != '\\' || text[1] == '\0' || quote == QUOTE_PLAIN)
        return 1;
    return quote == QUOTE_DOLLAR && text[1] == 'x' ? 4 : 2;
}

static enum quote quote_behind(const char *text, enum quote quote)
{
    if (quote == QUOTE_NONE && text[0] == '$' && text[1] == '\'')
        return QUOTE_DOLLAR;
    if (text[0] != '\'')
        return quote;
    return quote == QUOTE_NONE ? QUOTE_PLAIN : QUOTE_NONE;
}

/* Where a line of a command ends. */
struct cut {
    size_t length;
    bool within; /* a word: there was no blank */
    enum quote quote;
};

/* Best before an option, which keeps it with its words, else at a blank. */
static struct cut cut_command(const char *text, enum quote quote, size_t room)
{
    struct cut cut = {.length = strlen(text)};
    size_t blank = 0, option = 0, length;

    if (cut.length <= room)
        return cut;
    for (size_t i = 0; i + 2 <= room; i += length) {
        bool at_blank = text[i] == ' ' && quote == QUOTE_NONE;

        length = unit_length(text + i, quote);
        if (at_blank)
            blank = i;
        if (at_blank && text[i + 1] == '-')
            option = i;
        if (i + 2 < room)
            cut = (struct cut){.length = i, .within = true, .quote = quote};
        quote = quote_behind(text + i, quote);
    }
    if (blank > 0)
        cut = (struct cut){.length = option > 0 ? option : blank};
    return cut;
}

void page_command(FILE *out, const char *label, const char *command)
{
    static const char *const quotes[] = {
        [QUOTE_NONE] = "", [QUOTE_PLAIN] = "'", [QUOTE_DOLLAR] = "$'"};
    const char *rest = command;
    enum quote quote = QUOTE_NONE;
    size_t width = strlen(label);

    fputs(label, out);
    for (;;) {
        struct cut cut = cut_command(rest, quote, room_behind(width));

        fprintf(out, "%.*s", (int)cut.length, rest);
        rest += cut.length;
        if (*rest == '\0')
            break;
        /* Outside quotes a shell joins what a `\` parts, so they are closed before. */
        if (cut.within)
            fprintf(out, "%s\\\n%s", cut.quote == QUOTE_NONE ? "" : "'", quotes[cut.quote]);
        else
            fprintf(out, " \\\n%*s", COMMAND_HANG, "");
        rest += cut.within ? 0 : strspn(rest, " ");
        width = cut.within ? strlen(quotes[cut.quote]) : COMMAND_HANG;
        quote = cut.quote;
    }
    putc('\n', out);
}
