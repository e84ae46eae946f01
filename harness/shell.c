/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/shell.h"

#include <stdbool.h>
#include <string.h>

static bool is_printable(const char *word)
{
    for (; *word; word++)
        if ((unsigned char)*word < 0x20 || (unsigned char)*word >= 0x7f)
            return false;
    return true;
}

/* Within '...' all is itself but the quote, which stands outside. */
static void put_quoted(FILE *out, const char *word)
{
    putc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            putc(*word, out);
    putc('\'', out);
}

/* Within $'...' bytes can have numbers. */
static void put_numbered(FILE *out, const char *word)
{
    fputs("$'", out);
    for (; *word; word++) {
        unsigned char byte = (unsigned char)*word;

        if (byte < 0x20 || byte >= 0x7f) {
            fprintf(out, "\\x%02x", byte);
            continue;
        }
        if (byte == '\'' || byte == '\\')
            putc('\\', out);
        putc(byte, out);
    }
    putc('\'', out);
}

void shell_quote(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=,:+@%";

    if (*word && strspn(word, plain) == strlen(word))
        fputs(word, out);
    else if (is_printable(word))
        put_quoted(out, word);
    else
        put_numbered(out, word);
}
