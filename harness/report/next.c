/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/next.h"

#include <stdio.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/shell.h"

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
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    fprintf(out, "%s scenario ", words->command);
    shell_quote(out, typed_name(words, result->plan));
    if (result->world != RESULT_WORLD_VETH)
        fprintf(out, " --world %s", result_world_name(result->world));
    fprintf(out, " --trigger %s --family %s", reactor_trigger_name(result->trigger),
            plan_family_name(result->family));
    if (result->defect)
        fprintf(out, " --defect %s", result->defect);
    fprintf(out, "%s -v", words->options ? words->options : "");
    return memory_must(fclose(out) == 0 ? text : NULL);
}
