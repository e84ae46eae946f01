/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

static void lines_append(struct lines *lines, char *line)
{
    lines->line = memory_grow(lines->line, lines->count, &lines->room, sizeof(*lines->line));
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
    lines_append(lines, memory_must(size < 0 ? NULL : line));
}

void lines_split(struct lines *lines, const char *text, size_t size)
{
    const char *end = text + size;

    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;

        lines_append(lines, memory_text(text, (size_t)(stop - text)));
        text = stop + 1;
    }
}

bool lines_have(const struct lines *lines, const char *line)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strcmp(lines->line[i], line) == 0)
            return true;
    return false;
}

char *lines_join(const struct lines *lines, size_t *ret_size)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = memory_must(open_memstream(&text, &size));

    for (size_t i = 0; i < lines->count; i++)
        fprintf(out, "%s\n", lines->line[i]);
    memory_must(fclose(out) == 0 ? text : NULL);
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
