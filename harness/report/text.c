/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/text.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/report/alike.h"
#include "harness/report/cell.h"
#include "harness/report/page.h"
#include "harness/report/text_failure.h"
#include "harness/report/text_paint.h"
#include "harness/report/text_table.h"

/* How a summary counts a verdict, and what it means where a person could take it for a failure. */
static const struct {
    const char *word;
    const char *meaning;
} verdicts[] = {
    [RESULT_PASS] = {"passed", NULL},
    [RESULT_FAIL] = {"failed", NULL},
    [RESULT_LATE] = {"late", "all was right, but a peer acted too late for the run to count"},
    [RESULT_ERROR] = {"errors", "the bench could not carry it out; this says nothing of the sut"},
    [RESULT_SKIP] = {"skipped", "it cannot run here; nothing was tried"},
};
_Static_assert(sizeof(verdicts) / sizeof(*verdicts) == RESULT_VERDICT_COUNT, "words each");

static bool all_pass(const struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].verdict != RESULT_PASS)
            return false;
    return true;
}

/* Runs that passed only when repeated are told too: a machine that is often late is worth knowing.
 */
static void print_attempts(FILE *out, const struct result *result)
{
    if (result->attempts > 1 && result->verdict != RESULT_LATE)
        fprintf(out, "  %s was late %" PRIu32 " time%s before\n", cell_words(result).text,
                result->attempts - 1, result->attempts == 2 ? "" : "s");
}

/* Of repeated runs with several verdicts the table has the gravest. */
static void print_runs(FILE *out, const struct result *result)
{
    const char *separator = ": ";

    if (result->runs[result->verdict] == cell_runs(result) || cell_runs(result) == 1)
        return;
    fprintf(out, "  %s", cell_words(result).text);
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++) {
        if (result->runs[i] == 0)
            continue;
        fprintf(out, "%s%" PRIu32 " %s", separator, result->runs[i], verdicts[i].word);
        separator = ", ";
    }
    putc('\n', out);
}

/* -v: everything. */

static void print_ledger(FILE *out, const char *name, const struct lines *rows)
{
    if (rows->count == 0)
        return;
    fprintf(out, "  %s:\n", name);
    for (size_t i = 0; i < rows->count; i++)
        page_row(out, "    ", rows->line[i], NULL);
}

static void print_ledgers(FILE *out, const struct result *result)
{
    fprintf(out,
            "\n  %s: %" PRIu32
            " attempt%s, set up %lld ms, timeline %lld ms, at most %lld us late\n",
            cell_words(result).text, result->attempts, result->attempts == 1 ? "" : "s",
            cell_ms(result->setup), cell_ms(result->timeline),
            (long long)(result->worst_late.ns / 1000));
    print_ledger(out, "events", &result->events.rows);
    print_ledger(out, "wire", &result->wire.rows);
    print_ledger(out, "peers", &result->peers.rows);
    if (result->verdict == RESULT_PASS)
        print_ledger(out, "notes", &result->notes);
}

static void print_name(FILE *out, const struct text_style *style, const char *name)
{
    if (strlen(name) > PAGE_COLUMNS) {
        page_prose(out, "", 4, name);
        return;
    }
    text_paint_bold(out, style, name);
    putc('\n', out);
}

void text_scenario(FILE *out, const struct text_style *style, const struct result *results,
                   size_t count)
{
    assert(count > 0);
    if (style->quiet && all_pass(results, count))
        return;
    print_name(out, style, results->plan->name);
    if (results->plan->about && *results->plan->about)
        page_prose(out, "  ", 2, results->plan->about);
    if (results->defect)
        fprintf(out, "  with the defect %s\n", results->defect);
    text_table_print(out, style, results, count);
    for (size_t i = 0; i < count; i++) {
        print_attempts(out, &results[i]);
        print_runs(out, &results[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (results[i].verdict != RESULT_PASS && !alike_before(results, i))
            text_failure_print(out, style, results, count, i);
        if (style->verbose)
            print_ledgers(out, &results[i]);
    }
    putc('\n', out);
}

static void print_count(FILE *out, const struct text_style *style, const struct score *score,
                        enum result_verdict verdict)
{
    char text[40];

    (void)snprintf(text, sizeof(text), "%" PRIu32 " %s", score->count[verdict],
                   verdicts[verdict].word);
    if (score->count[verdict] > 0)
        text_paint(out, style, verdict, text);
    else
        fputs(text, out);
}

void text_summary(FILE *out, const struct text_style *style, const struct score *score,
                  struct duration wall)
{
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++) {
        fputs(i ? ", " : "", out);
        print_count(out, style, score, (enum result_verdict)i);
    }
    fprintf(out, " in %.3f s\n", (double)wall.ns / 1e9);
    for (int i = 0; i < RESULT_VERDICT_COUNT && !style->quiet; i++)
        if (score->count[i] > 0 && verdicts[i].meaning)
            fprintf(out, "  %s: %s\n", verdicts[i].word, verdicts[i].meaning);
}

/* As a sink. */

static void begin(void *self, const struct sink_start *start)
{
    struct text *text = self;

    text->replay = memory_text(start->replay, strlen(start->replay));
    if (text->style->quiet)
        return;
    page_command(text->out, "replay: ", text->replay);
    if (text->style->world)
        page_prose(text->out, "world: ", 4, text->style->world);
    putc('\n', text->out);
    fflush(text->out);
}

static void scenario(void *self, const struct result *results, size_t count)
{
    const struct text *text = self;

    text_scenario(text->out, text->style, results, count);
    fflush(text->out);
}

static int end(void *self, const struct sink_finish *finish)
{
    struct text *text = self;

    text_summary(text->out, text->style, finish->score, finish->wall);
    if (finish->left > 0)
        fprintf(text->out, "%zu run%s not made\n", finish->left,
                finish->left == 1 ? " was" : "s were");
    if (text->replay && (!text->style->quiet || finish->exit_status != STATUS_OK))
        page_command(text->out, "replay: ", text->replay);
    free(text->replay);
    text->replay = NULL;
    fflush(text->out);
    return ferror(text->out) ? -EIO : 0;
}

struct sink text_sink(struct text *text, FILE *out, const struct text_style *style)
{
    static const struct sink_ops ops = {.begin = begin, .scenario = scenario, .end = end};

    *text = (struct text){.out = out, .style = style};
    return (struct sink){.ops = &ops, .self = text};
}
