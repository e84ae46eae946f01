/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/tap.h"

#include <stdlib.h>
#include <string.h>

#include "harness/report/cell.h"
#include "harness/report/digest.h"
#include "harness/report/utf8.h"
#include "harness/report/written.h"

/* See tap.h. */
#define VERSION_LINE "TAP version 13\n"

/* Text in one line; characters that are in `escaped` stand behind a backslash. */
static void put_text(FILE *out, const char *text, const char *escaped)
{
    for (;;) {
        struct utf8_character next = utf8_next_printable(&text);

        if (next.size == 0)
            return;
        if (*next.bytes == '\n' || *next.bytes == '\t') {
            putc(' ', out);
            continue;
        }
        if (strchr(escaped, *next.bytes))
            putc('\\', out);
        fwrite(next.bytes, 1, next.size, out);
    }
}

/* No reader finds a directive in it. */
static void put_name(FILE *out, const char *name)
{
    put_text(out, name, "\\#");
}

static void put_line(FILE *out, const char *before, const char *text)
{
    fputs(before, out);
    put_text(out, text, "");
    putc('\n', out);
}

/* The YAML block. */

static void put_quoted(FILE *out, const char *key, const char *text)
{
    fprintf(out, "  %s: \"", key);
    put_text(out, text, "\\\"");
    fputs("\"\n", out);
}

static void put_ms(FILE *out, const char *key, struct duration duration)
{
    int64_t us = duration.ns / 1000;

    fprintf(out, "  %s: %.12g\n", key, (double)us / 1000);
}

static void put_runs(FILE *out, const struct result *result)
{
    fputs("  runs:\n", out);
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++)
        fprintf(out, "    %s: %u\n", result_verdict_name((enum result_verdict)i), result->runs[i]);
}

static void put_details(FILE *out, const struct result *result)
{
    struct lines details = {0};

    digest_details(&details, result);
    if (details.count > 0)
        fputs("  details: |\n", out);
    for (size_t i = 0; i < details.count; i++)
        put_line(out, "    ", details.line[i]);
    lines_free(&details);
}

static void put_next(const struct tap *tap, const struct result *result)
{
    char *command = next_command(&tap->words, result);

    put_quoted(tap->out, "next", command);
    free(command);
}

static void put_block(const struct tap *tap, const struct result *result)
{
    const char *headline = digest_headline(result);
    FILE *out = tap->out;

    fprintf(out, "  ---\n  verdict: %s\n", result_verdict_name(result->verdict));
    if (result->verdict != RESULT_PASS) {
        if (headline)
            put_quoted(out, "message", headline);
        if (result->verdict != RESULT_SKIP)
            put_next(tap, result);
    }
    put_ms(out, "wall_ms", result->wall);
    put_ms(out, "setup_ms", result->setup);
    put_ms(out, "timeline_ms", result->timeline);
    fprintf(out, "  worst_late_us: %lld\n", (long long)(result->worst_late.ns / 1000));
    put_runs(out, result);
    if (result->verdict != RESULT_PASS)
        put_details(out, result);
    fputs("  ...\n", out);
}

static void put_point(struct tap *tap, const struct result *result)
{
    static const struct {
        const char *point;
        const char *directive; /* NULL: none */
    } forms[] = {
        [RESULT_PASS] = {"ok", NULL},      [RESULT_FAIL] = {"not ok", NULL},
        [RESULT_LATE] = {"ok", "LATE"},    [RESULT_ERROR] = {"not ok", NULL},
        [RESULT_SKIP] = {"ok", "SKIP"},
    };
    FILE *out = tap->out;

    _Static_assert(sizeof(forms) / sizeof(*forms) == RESULT_VERDICT_COUNT, "a form each");
    fprintf(out, "%s %zu - ", forms[result->verdict].point, ++tap->points);
    put_name(out, result->plan->name);
    fprintf(out, " %s", cell_name(result).text);
    if (forms[result->verdict].directive) {
        fprintf(out, " # %s ", forms[result->verdict].directive);
        put_name(out, result->reason ? result->reason : "");
    }
    putc('\n', out);
    put_block(tap, result);
}

static void sink_begin(void *self, const struct sink_start *start)
{
    struct tap *tap = self;

    fputs(VERSION_LINE, tap->out);
    fprintf(tap->out, "# %s %s, seed 0x%llx, %zu run%s\n", start->tool, start->version,
            (unsigned long long)start->seed, start->runs, start->runs == 1 ? "" : "s");
    put_line(tap->out, "# replay: ", start->replay);
    tap->status = written_flush(tap->out, tap->status);
}

static void sink_scenario(void *self, const struct result *results, size_t count)
{
    struct tap *tap = self;

    for (size_t i = 0; i < count; i++)
        put_point(tap, &results[i]);
    tap->status = written_flush(tap->out, tap->status);
}

static void put_score(FILE *out, const struct sink_finish *finish)
{
    const uint32_t *count = finish->score->count;

    fprintf(out, "# runs: %u passed, %u failed, %u late, %u errors, %u skipped, %zu not made\n",
            count[RESULT_PASS], count[RESULT_FAIL], count[RESULT_LATE], count[RESULT_ERROR],
            count[RESULT_SKIP], finish->left);
    fprintf(out, "# wall %.3f s, exit %d\n", (double)finish->wall.ns / 1e9, finish->exit_status);
}

/* A reader stops at a bail-out; one that does not know it misses the plan. */
static void put_plan(const struct tap *tap, const struct sink_finish *finish)
{
    const char *name = sigabbrev_np(finish->exit_status - STATUS_SIGNAL);

    if (finish->left > 0 && finish->exit_status > STATUS_SIGNAL)
        fprintf(tap->out, "Bail out! interrupted by SIG%s; runs not made: %zu\n",
                name ? name : "?", finish->left);
    else if (finish->left > 0 && finish->exit_status == STATUS_BROKEN)
        fprintf(tap->out, "Bail out! the bench broke; runs not made: %zu\n", finish->left);
    else if (tap->points == 0)
        fputs("1..0 # SKIP no scenario has all of its runs\n", tap->out);
    else
        fprintf(tap->out, "1..%zu\n", tap->points);
}

static int sink_end(void *self, const struct sink_finish *finish)
{
    struct tap *tap = self;

    put_score(tap->out, finish);
    put_plan(tap, finish);
    tap->status = written_flush(tap->out, tap->status);
    return tap->status;
}

struct sink tap_sink(struct tap *tap, struct next_words words, FILE *out)
{
    static const struct sink_ops ops = {
        .begin = sink_begin,
        .scenario = sink_scenario,
        .end = sink_end,
    };

    *tap = (struct tap){.out = out, .words = words};
    return (struct sink){&ops, tap};
}

void tap_error(int exit_status, const struct lines *said, FILE *out)
{
    fputs(VERSION_LINE, out);
    for (size_t i = 1; i < said->count; i++)
        put_line(out, "# ", said->line[i]);
    put_line(out, exit_status == STATUS_CANNOT ? "1..0 # SKIP " : "Bail out! ",
             said->count > 0 ? said->line[0] : "");
}
