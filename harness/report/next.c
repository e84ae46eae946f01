/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/next.h"

#include <stdio.h>
#include <string.h>

#include "harness/memory.h"

/* A script of the tree goes by its name, any other by its path. */
static const char *typed_name(const struct next_words *words, const struct plan *plan)
{
    size_t length = words->scenarios ? strlen(words->scenarios) : 0;

    if (length > 0 && strncmp(plan->file, words->scenarios, length) == 0 &&
        plan->file[length] == '/')
        return plan->name;
    return plan->file;
}

char *next_command(const struct next_words *words, const struct result *result)
{
    char *text = NULL;

    if (asprintf(&text, "%s scenario %s --trigger %s --family %s%s%s%s -v", words->command,
                 typed_name(words, result->plan), reactor_trigger_name(result->trigger),
                 plan_family_name(result->family), result->defect ? " --defect " : "",
                 result->defect ? result->defect : "", words->options ? words->options : "") < 0)
        memory_must(NULL);
    return text;
}
