/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/digest.h"

#include <stdio.h>

#include "harness/memory.h"
#include "harness/report/json.h"

const char *digest_headline(const struct result *result)
{
    const struct lines *const lists[] = {
        &result->events.diff, &result->wire.diff, &result->peers.diff,
        &result->failed,      &result->left_over, NULL,
    };

    if (result->reason)
        return result->reason;
    for (size_t i = 0; lists[i]; i++)
        if (lists[i]->count > 0)
            return lists[i]->line[0];
    return NULL;
}

void digest_add(struct lines *lines, const char *indent, const struct lines *from)
{
    size_t told = from->count <= JSON_LINES_MAX ? from->count : JSON_LINES_MAX - 1;

    for (size_t i = 0; i < told; i++)
        lines_add(lines, "%s%s", indent, from->line[i]);
    if (told < from->count)
        lines_add(lines, "%s... and %zu more lines", indent, from->count - told);
}

static void add_section(struct lines *lines, const char *title, const struct lines *from)
{
    if (from->count == 0)
        return;
    lines_add(lines, "%s:", title);
    digest_add(lines, "  ", from);
}

void digest_details(struct lines *lines, const struct result *result)
{
    add_section(lines, "events differ from what is expected", &result->events.diff);
    add_section(lines, "wire differs from what is expected", &result->wire.diff);
    add_section(lines, "peers differ from what is expected", &result->peers.diff);
    add_section(lines, "expectations that do not hold", &result->failed);
    add_section(lines, "left over", &result->left_over);
    add_section(lines, "notes", &result->notes);
}

static double ms(struct duration duration)
{
    int64_t us = duration.ns / 1000;

    return (double)us / 1000;
}

char *digest_figures(const struct result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));
    const char *before = ", runs: ";

    fprintf(out, "%s, wall %.12g ms, set-up %.12g ms, timeline %.12g ms, at most %lld us late",
            result_verdict_name(result->verdict), ms(result->wall), ms(result->setup),
            ms(result->timeline), (long long)(result->worst_late.ns / 1000));
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++) {
        if (result->runs[i] == 0)
            continue;
        fprintf(out, "%s%u %s", before, result->runs[i],
                result_verdict_name((enum result_verdict)i));
        before = ", ";
    }
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}
