/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/mistakes.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

#define TEXT_MAX 1024

void mistakes_add(struct mistakes *mistakes, struct plan_place place, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list args;

    if (mistakes->lines.count == MISTAKES_MAX) {
        mistakes->more++;
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    assert(place.column > 0);
    if (place.line == 0)
        lines_add(&mistakes->lines, "--set %s: %s", mistakes->sets[place.column - 1], text);
    else
        lines_add(&mistakes->lines, "%s:%u:%u: %s", mistakes->file, place.line, place.column, text);
}

void mistakes_free(struct mistakes *mistakes)
{
    lines_free(&mistakes->lines);
    mistakes->more = 0;
}
