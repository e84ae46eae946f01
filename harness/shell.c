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

void shell_quote(FILE *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=,:+@%";
    bool printable_word = is_printable(word);

    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputs(printable_word ? "'" : "$'", out);
    for (; *word; word++) {
        unsigned char byte = (unsigned char)*word;

        if (printable_word && byte == '\'')
            fputs("'\\''", out);
        else if (printable_word)
            putc(byte, out);
        else if (byte == '\'' || byte == '\\')
            fprintf(out, "\\%c", byte);
        else if (byte < 0x20 || byte >= 0x7f)
            fprintf(out, "\\x%02x", byte);
        else
            putc(byte, out);
    }
    putc('\'', out);
}
