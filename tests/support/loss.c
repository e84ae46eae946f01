/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/loss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/align.h"
#include "harness/memory.h"

#define ROWS_SHOWN 4   /* of each side of a difference */
#define FIRST_SHOWN 5 /* differences, and the last ones */
#define LAST_SHOWN 2

/* --- Lists --- */

/* Without "file:line:column: ", "line N: " and what else a comment in the script would move. */
static const char *without_place(const char *line)
{
    const char *colon = strstr(line, ".scn:");
    unsigned a, b;
    int used = 0;

    if (colon && sscanf(colon, ".scn:%u:%u: %n", &a, &b, &used) == 2 && used > 0)
        return colon + used;
    if (sscanf(line, "line %u: %n", &a, &used) == 1 && used > 0)
        return line + used;
    return line;
}

static void tell_list(struct lines *out, const char *title, const struct lines *lines)
{
    if (lines->count > 0)
        lines_add(out, "%s:", title);
    for (size_t i = 0; i < lines->count; i++)
        lines_add(out, "    %s", without_place(lines->line[i]));
}

/* --- Counts --- */

struct counts {
    unsigned quanta;
    unsigned first; /* quantum */
    unsigned reads;
    unsigned eagain;
    unsigned notices;
};

static void count(const struct lines *rows, const char *peer, struct counts *counts)
{
    for (size_t i = 0; i < rows->count; i++) {
        char a[32] = "", b[32] = "";
        unsigned number = 0;

        if (sscanf(rows->line[i], "%31s %31s %u", a, b, &number) < 2)
            continue;
        counts->notices += strcmp(a, "notice") == 0 && strcmp(b, peer) == 0;
        if (strcmp(a, peer) != 0)
            continue;
        if (strcmp(b, "quantum") == 0 && counts->quanta++ == 0)
            counts->first = number;
        counts->reads += strcmp(b, "read") == 0;
        counts->eagain += strcmp(b, "read") == 0 && strstr(rows->line[i], "= EAGAIN");
    }
}

static void tell_count(struct lines *out, const char *name, const struct counts *counts)
{
    char from[32] = "";

    if (counts->first > 0)
        (void)snprintf(from, sizeof(from), " from %u", counts->first);
    lines_add(out, "    %s: quanta %u%s, reads %u, EAGAIN %u, notices %u", name, counts->quanta,
              from, counts->reads, counts->eagain, counts->notices);
}

static void tell_counts(struct lines *out, const struct result *result)
{
    struct counts all = {0};

    lines_add(out, "counts:");
    for (uint32_t peer = 0; peer < result->plan->peer_count; peer++) {
        const char *name = result->plan->peers[peer].name;
        struct counts counts = {0};

        count(&result->events.rows, name, &counts);
        tell_count(out, name, &counts);
        all.quanta += counts.quanta;
        all.reads += counts.reads;
        all.eagain += counts.eagain;
        all.notices += counts.notices;
    }
    tell_count(out, "all", &all);
}

/* --- Rows --- */

struct rows {
    const char **expected;
    size_t expected_count;
    char *const *happened;
    size_t happened_count;
    size_t *match;
};

/* One difference; `out` NULL only steps over it. */
static void tell_difference(struct lines *out, const struct rows *rows, size_t *expected,
                            size_t *happened)
{
    size_t missing = *expected;
    size_t new = *happened;
    size_t end;

    if (out && *expected > 0 && *happened > 0)
        lines_add(out, "    %s", rows->happened[*happened - 1]);
    while (*expected < rows->expected_count && rows->match[*expected] == ALIGN_NONE)
        ++*expected;
    end = *expected < rows->expected_count ? rows->match[*expected] : rows->happened_count;
    *happened = end;
    if (!out)
        return;
    for (size_t i = missing; i < *expected && i < missing + ROWS_SHOWN; i++)
        lines_add(out, "  - %s", rows->expected[i]);
    if (*expected > missing + ROWS_SHOWN)
        lines_add(out, "  - .. and %zu more", *expected - missing - ROWS_SHOWN);
    for (size_t i = new; i < end && i < new + ROWS_SHOWN; i++)
        lines_add(out, "  + %s", rows->happened[i]);
    if (end > new + ROWS_SHOWN)
        lines_add(out, "  + .. and %zu more", end - new - ROWS_SHOWN);
}

/* Tells differences first .. last - 1 and those from `tail` on; returns how many there are. */
static size_t walk(struct lines *out, const struct rows *rows, size_t last, size_t tail)
{
    size_t expected = 0, happened = 0, differences = 0;

    while (expected < rows->expected_count || happened < rows->happened_count) {
        if (expected < rows->expected_count && rows->match[expected] == happened) {
            expected++;
            happened++;
            continue;
        }
        if (differences == last && differences < tail && out)
            lines_add(out, "  .. and %zu more differences", tail - last);
        tell_difference(differences < last || differences >= tail ? out : NULL, rows, &expected,
                        &happened);
        differences++;
    }
    return differences;
}

static void tell_rows(struct lines *out, const char *title, const struct expected *expected,
                      enum reactor_trigger trigger, const struct lines *happened)
{
    size_t count = 0;
    const struct expected_row **selected = expected_select(expected, trigger, &count);
    struct rows rows = {
        .expected = memory_zeroed(count + 1, sizeof(*rows.expected)),
        .expected_count = count,
        .happened = happened->line,
        .happened_count = happened->count,
    };
    size_t differences;

    for (size_t i = 0; i < count; i++)
        rows.expected[i] = selected[i]->text;
    rows.match = align_rows(rows.expected, count, (const char *const *)happened->line,
                            happened->count, NULL, NULL);
    differences = walk(NULL, &rows, 0, 0);
    if (differences > 0) {
        lines_add(out, "%s (- expected, + happened):", title);
        (void)walk(out, &rows, FIRST_SHOWN,
                   differences > FIRST_SHOWN + LAST_SHOWN ? differences - LAST_SHOWN : FIRST_SHOWN);
    }
    free(rows.match);
    free(rows.expected);
    free(selected);
}

void loss_tell(const struct result *result, const struct judge_expected *expected,
               struct lines *ret_lines)
{
    lines_add(ret_lines, "verdict %s", result_verdict_name(result->verdict));
    if (result->reason)
        lines_add(ret_lines, "    %s", result->reason);
    tell_list(ret_lines, "expectations that do not hold", &result->failed);
    tell_list(ret_lines, "last rows", &result->last);
    tell_list(ret_lines, "left over", &result->left_over);
    tell_counts(ret_lines, result);
    tell_rows(ret_lines, "events", &expected->events, result->trigger, &result->events.rows);
    if (result->wire.rows.count > 0)
        tell_rows(ret_lines, "wire", &expected->wire, result->trigger, &result->wire.rows);
    tell_list(ret_lines, "peers", &result->peers.diff);
}
