/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/text.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "harness/report/artefacts.h"
#include "harness/report/cell.h"

/* A cell: the verdict, the rows, the time. */
#define CELL_WIDTH 24

static const char *const colours[] = {
    [RESULT_PASS] = "\033[32m", [RESULT_FAIL] = "\033[1;31m", [RESULT_LATE] = "\033[33m",
    [RESULT_ERROR] = "\033[1;35m", [RESULT_SKIP] = "\033[36m",
};
_Static_assert(sizeof(colours) / sizeof(*colours) == RESULT_VERDICT_COUNT, "a colour each");

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

static void paint(FILE *out, const struct text_style *style, const char *colour, const char *text)
{
    fprintf(out, "%s%s%s", style->colour ? colour : "", text, style->colour ? PLAIN : "");
}

static void print_verdict(FILE *out, const struct text_style *style, enum result_verdict verdict)
{
    paint(out, style, colours[verdict], cell_verdict_word(verdict));
}

/* A ledger line may hold bytes of a peer: nothing in it may move the cursor. */
static void print_line(FILE *out, const char *indent, const char *line)
{
    fputs(indent, out);
    for (; *line; line++)
        putc((unsigned char)*line < 0x20 && *line != '\t' ? '?' : *line, out);
    putc('\n', out);
}

static void print_lines(FILE *out, const char *indent, const struct lines *lines, size_t limit)
{
    for (size_t i = 0; i < lines->count && i < limit; i++)
        print_line(out, indent, lines->line[i]);
}

/* Part 1: the table. */

static const struct result *find(const struct result *results, size_t count,
                                 enum plan_family family, enum reactor_trigger trigger)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].family == family && results[i].trigger == trigger)
            return &results[i];
    return NULL;
}

static bool has_family(const struct result *results, size_t count, enum plan_family family)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].family == family)
            return true;
    return false;
}

static bool has_trigger(const struct result *results, size_t count, enum reactor_trigger trigger)
{
    for (size_t i = 0; i < count; i++)
        if (results[i].trigger == trigger)
            return true;
    return false;
}

static void print_head(FILE *out, const struct result *results, size_t count)
{
    fprintf(out, "  %-6s", result_world_name(results->world));
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        bool last = true;

        if (!has_trigger(results, count, (enum reactor_trigger)trigger))
            continue;
        for (int later = trigger + 1; later < REACTOR_TRIGGER_COUNT; later++)
            last = last && !has_trigger(results, count, (enum reactor_trigger)later);
        fprintf(out, "  %-*s", last ? 0 : CELL_WIDTH,
                reactor_trigger_name((enum reactor_trigger)trigger));
    }
    putc('\n', out);
}

/* The cell without blanks behind it, which a last cell has none of; its width. */
static int print_cell(FILE *out, const struct text_style *style, const struct result *result)
{
    int width = (int)strlen(cell_verdict_word(result->verdict));

    print_verdict(out, style, result->verdict);
    if (result->verdict == RESULT_SKIP)
        return width;
    return width + fprintf(out, "%*s%zu row%s %lld ms", 6 - width, "", result->events.rows.count,
                           result->events.rows.count == 1 ? " " : "s", cell_ms(result->wall));
}

static void print_row(FILE *out, const struct text_style *style, const struct result *results,
                      size_t count, enum plan_family family)
{
    int blanks = 2;

    fprintf(out, "  %-6s", plan_family_name(family));
    for (int trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        const struct result *result;

        if (!has_trigger(results, count, (enum reactor_trigger)trigger))
            continue;
        result = find(results, count, family, (enum reactor_trigger)trigger);
        if (result) {
            fprintf(out, "%*s", blanks, "");
            blanks = CELL_WIDTH - print_cell(out, style, result) + 2;
        } else {
            blanks += CELL_WIDTH + 2;
        }
        blanks = blanks < 2 ? 2 : blanks;
    }
    putc('\n', out);
}

static void print_table(FILE *out, const struct text_style *style, const struct result *results,
                        size_t count)
{
    print_head(out, results, count);
    for (int family = 0; family < PLAN_FAMILY_COUNT; family++)
        if (has_family(results, count, (enum plan_family)family))
            print_row(out, style, results, count, (enum plan_family)family);
}

/* Part 2: what went wrong. */

/* The rows that were missing or too many; the equal ones around them depend on the trigger. */
static const char *next_change(const struct lines *diff, size_t *index)
{
    while (*index < diff->count) {
        const char *line = diff->line[(*index)++];

        line += strspn(line, " ");
        if (*line == '-' || *line == '+')
            return line;
    }
    return NULL;
}

static bool same_changes(const struct lines *a, const struct lines *b)
{
    size_t at_a = 0;
    size_t at_b = 0;

    if (!a->count != !b->count)
        return false;
    for (;;) {
        const char *one = next_change(a, &at_a);
        const char *other = next_change(b, &at_b);

        if (!one || !other)
            return one == other;
        if (strcmp(one, other) != 0)
            return false;
    }
}

static bool same_lines(const struct lines *a, const struct lines *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->line[i], b->line[i]) != 0)
            return false;
    return true;
}

/* Late runs are alike whoever was late and by how much: the machine was busy, or the script leaves
 * itself too little time. */
static bool same_reason(const struct result *a, const struct result *b)
{
    if (a->verdict == RESULT_LATE)
        return a->late_by_work == b->late_by_work;
    return !a->reason == !b->reason && (!a->reason || strcmp(a->reason, b->reason) == 0);
}

/* Whether a person would read the same words about both. */
static bool same_story(const struct result *a, const struct result *b)
{
    return a->verdict == b->verdict && same_changes(&a->events.diff, &b->events.diff) &&
           same_changes(&a->wire.diff, &b->wire.diff) &&
           same_lines(&a->peers.diff, &b->peers.diff) &&
           same_lines(&a->failed, &b->failed) && same_lines(&a->left_over, &b->left_over) &&
           same_reason(a, b);
}

static bool told_before(const struct result *results, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_story(&results[i], &results[index]))
            return true;
    return false;
}

static void print_concerned(FILE *out, const struct text_style *style, const struct result *results,
                            size_t count, size_t index)
{
    size_t alike = 0;
    size_t named = 0;

    for (size_t i = index; i < count; i++)
        alike += same_story(&results[i], &results[index]);
    fputs("\n  ", out);
    print_verdict(out, style, results[index].verdict);
    for (size_t i = index; i < count && (named == 0 || alike <= TEXT_CELLS_NAMED); i++) {
        if (!same_story(&results[i], &results[index]))
            continue;
        fprintf(out, "%s%s %s", named++ ? ", " : "  ", reactor_trigger_name(results[i].trigger),
                plan_family_name(results[i].family));
    }
    if (named < alike)
        fprintf(out, " and %zu more alike", alike - named);
    putc('\n', out);
}

static void print_diff(FILE *out, const struct text_style *style, const char *ledger,
                       const struct lines *diff)
{
    size_t limit = style->verbose ? SIZE_MAX : TEXT_DIFF_LINES;

    if (diff->count == 0)
        return;
    fprintf(out, "    %s differ from what is expected:\n", ledger);
    print_lines(out, "      ", diff, limit);
    if (diff->count > limit)
        fprintf(out, "      .. and %zu more lines (-v shows all)\n", diff->count - limit);
}

static void print_list(FILE *out, const struct text_style *style, const char *title,
                       const struct lines *lines)
{
    size_t limit = style->verbose ? SIZE_MAX : TEXT_LIST_LINES;

    if (lines->count == 0)
        return;
    fprintf(out, "    %s:\n", title);
    print_lines(out, "      ", lines, limit);
    if (lines->count > limit)
        fprintf(out, "      .. and %zu more lines (-v shows all)\n", lines->count - limit);
}

/* A script of the tree goes by its name, any other by its path. */
static const char *typed_name(const struct text_style *style, const struct plan *plan)
{
    size_t length = style->scenarios ? strlen(style->scenarios) : 0;

    if (length > 0 && strncmp(plan->file, style->scenarios, length) == 0 &&
        plan->file[length] == '/')
        return plan->name;
    return plan->file;
}

static void print_next(FILE *out, const struct text_style *style, const struct result *result)
{
    char path[FOLDER_PATH_MAX + 1];

    if (result->verdict == RESULT_SKIP)
        return;
    artefacts_path(style->out, result, path, sizeof(path));
    fprintf(out, "    files  %s\n", path);
    fprintf(out, "    next   %s scenario %s --trigger %s --family %s%s%s%s -v\n", style->command,
            typed_name(style, result->plan), reactor_trigger_name(result->trigger),
            plan_family_name(result->family), style->options ? style->options : "",
            result->defect ? " --defect " : "", result->defect ? result->defect : "");
}

static void print_story(FILE *out, const struct text_style *style, const struct result *result)
{
    if (result->reason)
        print_line(out, "    ", result->reason);
    print_diff(out, style, "events", &result->events.diff);
    print_diff(out, style, "wire", &result->wire.diff);
    print_diff(out, style, "peers", &result->peers.diff);
    print_list(out, style, "expectations that do not hold", &result->failed);
    print_list(out, style, "left over", &result->left_over);
    if (result->verdict != RESULT_SKIP)
        print_list(out, style, "notes", &result->notes);
    print_next(out, style, result);
}

/* Part 3: -v. */

static void print_ledger(FILE *out, const char *name, const struct result_ledger *ledger)
{
    if (ledger->rows.count == 0)
        return;
    fprintf(out, "    %s\n", name);
    print_lines(out, "      ", &ledger->rows, SIZE_MAX);
}

static void print_ledgers(FILE *out, const struct text_style *style, const struct result *result)
{
    fprintf(out,
            "\n  %s %s: %u attempt%s, set up %lld ms, timeline %lld ms, at most %lld us late\n",
            reactor_trigger_name(result->trigger), plan_family_name(result->family),
            result->attempts, result->attempts == 1 ? "" : "s", cell_ms(result->setup),
            cell_ms(result->timeline), (long long)(result->worst_late.ns / 1000));
    print_ledger(out, "events", &result->events);
    print_ledger(out, "wire", &result->wire);
    print_ledger(out, "peers", &result->peers);
    if (result->verdict == RESULT_PASS)
        print_list(out, style, "notes", &result->notes);
}

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
        fprintf(out, "  %s %s was late %u time%s before\n",
                reactor_trigger_name(result->trigger), plan_family_name(result->family),
                result->attempts - 1, result->attempts == 2 ? "" : "s");
}

void text_scenario(FILE *out, const struct text_style *style, const struct result *results,
                   size_t count)
{
    assert(count > 0);
    if (style->quiet && all_pass(results, count))
        return;
    paint(out, style, BOLD, results->plan->name);
    putc('\n', out);
    if (results->plan->about && *results->plan->about)
        print_line(out, "  ", results->plan->about);
    if (results->defect)
        fprintf(out, "  with the defect %s\n", results->defect);
    print_table(out, style, results, count);
    for (size_t i = 0; i < count; i++)
        print_attempts(out, &results[i]);
    for (size_t i = 0; i < count; i++) {
        if (results[i].verdict != RESULT_PASS && !told_before(results, i)) {
            print_concerned(out, style, results, count, i);
            print_story(out, style, &results[i]);
        }
        if (style->verbose)
            print_ledgers(out, style, &results[i]);
    }
    putc('\n', out);
}

static void print_count(FILE *out, const struct text_style *style, const struct score *score,
                        enum result_verdict verdict, const char *word)
{
    char text[40];

    snprintf(text, sizeof(text), "%u %s", score->count[verdict], word);
    if (score->count[verdict] > 0)
        paint(out, style, colours[verdict], text);
    else
        fputs(text, out);
}

void text_summary(FILE *out, const struct text_style *style, const struct score *score,
                  struct duration wall)
{
    static const char *const words[] = {
        [RESULT_PASS] = "passed",  [RESULT_FAIL] = "failed",   [RESULT_LATE] = "late",
        [RESULT_ERROR] = "errors", [RESULT_SKIP] = "skipped",
    };

    _Static_assert(sizeof(words) / sizeof(*words) == RESULT_VERDICT_COUNT, "a word each");
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++) {
        fputs(i ? ", " : "", out);
        print_count(out, style, score, (enum result_verdict)i, words[i]);
    }
    fprintf(out, " in %.3f s\n", (double)wall.ns / 1e9);
}
