/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *memory)
{
    if (!memory) {
        fputs("edgewise: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

static void lines_append(struct lines *lines, char *line)
{
    if (lines->count == lines->room) {
        size_t room = lines->room ? 2 * lines->room : 16;

        lines->line = must(reallocarray(lines->line, room, sizeof(*lines->line)));
        lines->room = room;
    }
    lines->line[lines->count++] = line;
}

void lines_add(struct lines *lines, const char *format, ...)
{
    char *line = NULL;
    va_list args;
    int size;

    va_start(args, format);
    size = vasprintf(&line, format, args);
    va_end(args);
    lines_append(lines, must(size < 0 ? NULL : line));
}

void lines_split(struct lines *lines, const char *text, size_t size)
{
    const char *end = text + size;

    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;

        lines_append(lines, must(strndup(text, (size_t)(stop - text))));
        text = stop + 1;
    }
}

char *lines_join(const struct lines *lines, size_t *ret_size)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = must(open_memstream(&text, &size));

    for (size_t i = 0; i < lines->count; i++)
        fprintf(out, "%s\n", lines->line[i]);
    must(fclose(out) == 0 ? text : NULL);
    if (ret_size)
        *ret_size = size;
    return text;
}

void lines_free(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->line[i]);
    free(lines->line);
    *lines = (struct lines){0};
}
