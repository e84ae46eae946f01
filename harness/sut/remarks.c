/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char more[] = "more lines of the script that were not carried out\n";

void remarks_add(struct remarks *remarks, const char *format, ...)
{
    const size_t bound = sizeof(remarks->text) - (sizeof(more) - 1);
    char line[REMARKS_LINE_MAX + 1];
    va_list args;
    size_t length;

    va_start(args, format);
    (void)vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    length = strlen(line);
    if (remarks->size > bound)
        return;
    if (length + 1 > bound - remarks->size) {
        memcpy(remarks->text + remarks->size, more, sizeof(more) - 1);
        remarks->size = (uint32_t)sizeof(remarks->text);
        return;
    }
    memcpy(remarks->text + remarks->size, line, length);
    remarks->text[remarks->size + length] = '\n';
    remarks->size += (uint32_t)length + 1;
}

void remarks_tell(const struct remarks *remarks, struct lines *lines)
{
    uint32_t size = remarks->size;

    if (size > sizeof(remarks->text))
        size = (uint32_t)sizeof(remarks->text);
    lines_split(lines, remarks->text, strnlen(remarks->text, size));
}
