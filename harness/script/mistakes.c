/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/mistakes.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX 1024
#define LINE_MAX_BYTES (PATH_MAX + TEXT_MAX + 32)

static void add(struct mistakes *mistakes, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct mistakes *mistakes, const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    /* A line with a repeat stands for many statements, each with the same mistake. */
    if (lines_have(&mistakes->lines, line))
        return;
    if (mistakes->lines.count == MISTAKES_MAX)
        mistakes->more++;
    else
        lines_add(&mistakes->lines, "%s", line);
}

void mistakes_add(struct mistakes *mistakes, struct plan_place place, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    assert(place.column > 0);
    if (place.line == 0)
        add(mistakes, "--set %s: %s", mistakes->sets[place.column - 1], text);
    else
        add(mistakes, "%s:%u:%u: %s", mistakes->file, place.line, place.column, text);
}

void mistakes_free(struct mistakes *mistakes)
{
    lines_free(&mistakes->lines);
    mistakes->more = 0;
}
