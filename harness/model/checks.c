/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/checks.h"

#include <stdarg.h>
#include <stdio.h>

#include "harness/report/value.h"

#define TEXT_MAX 400

void checks_that(struct checks *checks, bool holds, const char *format, ...)
{
    char text[TEXT_MAX];
    va_list args;

    checks->run++;
    if (holds)
        return;
    checks->failed++;
    if (checks->told.count == CHECKS_TOLD_MAX)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    lines_add(&checks->told, "%s", text);
}

void checks_add(struct checks *checks, const char *name, const struct checks *part)
{
    checks->run += part->run;
    checks->failed += part->failed;
    for (size_t i = 0; i < part->told.count && checks->told.count < CHECKS_TOLD_MAX; i++)
        lines_add(&checks->told, "%s: %s", name, part->told.line[i]);
}

json_t *checks_value(const struct checks *checks)
{
    json_t *object = value_object();

    value_put(object, "run", value_number(checks->run));
    value_put(object, "failed", value_number(checks->failed));
    return object;
}

json_t *checks_failures(const struct checks *checks)
{
    json_t *list = value_list();

    for (size_t i = 0; i < checks->told.count; i++)
        value_append(list, value_text(checks->told.line[i]));
    return list;
}

void checks_free(struct checks *checks)
{
    lines_free(&checks->told);
    *checks = (struct checks){0};
}
