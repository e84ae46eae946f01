/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/fold.h"

#include <string.h>

/* The peer whose name is the first word of `line`, PLAN_NOBODY when there is none. */
static uint32_t peer_of(const struct plan *plan, const char *line)
{
    size_t length = strcspn(line, " ");

    for (uint32_t i = 0; i < plan->peer_count; i++)
        if (strlen(plan->peers[i].name) == length && memcmp(plan->peers[i].name, line, length) == 0)
            return i;
    return PLAN_NOBODY;
}

static const char *rest_of(const char *line)
{
    return line + strcspn(line, " ");
}

/* How many lines from `first` on are one. */
static size_t run_length(const struct plan *plan, const struct lines *notes, size_t first)
{
    const char *line = notes->line[first];
    uint32_t peer = peer_of(plan, line);
    size_t count = 1;

    if (peer == PLAN_NOBODY)
        return 1;
    for (; first + count < notes->count; count++) {
        const char *next = notes->line[first + count];

        if (peer_of(plan, next) != peer + count || strcmp(rest_of(next), rest_of(line)) != 0)
            break;
    }
    return count;
}

void fold_notes(const struct plan *plan, const struct lines *notes, struct lines *ret_notes)
{
    size_t count;

    for (size_t i = 0; i < notes->count; i += count) {
        const char *line = notes->line[i];
        uint32_t peer = peer_of(plan, line);

        count = run_length(plan, notes, i);
        if (count == 1)
            lines_add(ret_notes, "%s", line);
        else
            lines_add(ret_notes, "%s%s%s%s", plan->peers[peer].name, count == 2 ? ", " : " .. ",
                      plan->peers[peer + count - 1].name, rest_of(line));
    }
}
