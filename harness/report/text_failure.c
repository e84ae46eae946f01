/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/text_failure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/report/alike.h"
#include "harness/report/artefacts.h"
#include "harness/report/cell.h"
#include "harness/report/next.h"
#include "harness/report/page.h"
#include "harness/report/requirement.h"
#include "harness/report/text_paint.h"
#include "harness/shell.h"

#define MARK 4 /* columns before a row in a difference: "  - " */

/* Paths are told as a person would type them here. The caller frees it. */
static char *shortened(const struct text_style *style, const char *text)
{
    size_t length = style->here ? strlen(style->here) : 0;
    char *copy = memory_text(text, strlen(text));
    char *at = copy;

    for (const char *from = text; *from; from++) {
        bool begins = from == text || from[-1] == ' ';

        if (begins && length > 1 && strncmp(from, style->here, length) == 0)
            from += length;
        *at++ = *from;
        if (!*from)
            break;
    }
    *at = '\0';
    return copy;
}

static void print_prose(FILE *out, const struct text_style *style, const char *first, int hang,
                        const char *text)
{
    char *text_here = shortened(style, text);

    page_prose(out, first, hang, text_here);
    free(text_here);
}

/* Who it concerns. */

static char *concerned(const struct result *results, size_t count, size_t index)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));
    size_t all = 0;
    size_t named = 0;

    for (size_t i = index; i < count; i++)
        all += alike(&results[i], &results[index]);
    for (size_t i = index; i < count && (named == 0 || all <= TEXT_FAILURE_NAMED); i++) {
        uint32_t runs = cell_runs(&results[i]);

        if (!alike(&results[i], &results[index]))
            continue;
        fprintf(out, "%s%s", named++ ? ", " : "", cell_words(&results[i]).text);
        if (runs > 1)
            fprintf(out, " (%" PRIu32 " of %" PRIu32 ")", results[i].runs[results[i].verdict],
                    runs);
    }
    if (named < all)
        fprintf(out, " and %zu more alike", all - named);
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}

static void print_concerned(FILE *out, const struct text_style *style, const struct result *results,
                            size_t count, size_t index)
{
    char *text = concerned(results, count, index);

    fputs("\n  ", out);
    text_paint(out, style, results[index].verdict, cell_verdict_word(results[index].verdict));
    page_prose(out, "  ", 4, text);
    free(text);
}

/* Lists. */

static void print_more(FILE *out, size_t count, size_t limit)
{
    if (count > limit)
        fprintf(out, "    .. and %zu more lines (-v shows all)\n", count - limit);
}

static size_t limit_of(const struct text_style *style, size_t limit)
{
    return style->verbose ? SIZE_MAX : limit;
}

/* The lines from `first` on. */
static void print_list(FILE *out, const struct text_style *style, const char *title,
                       const struct lines *lines, size_t first)
{
    size_t limit = limit_of(style, TEXT_FAILURE_LIST);

    if (lines->count <= first)
        return;
    fprintf(out, "  %s:\n", title);
    for (size_t i = first; i < lines->count && i - first < limit; i++)
        print_prose(out, style, "    ", 6, lines->line[i]);
    print_more(out, lines->count - first, limit);
}

/* Differences. */

static bool is_row(const char *line)
{
    return strncmp(line, "    ", MARK) == 0 || strncmp(line, "  - ", MARK) == 0 ||
           strncmp(line, "  + ", MARK) == 0;
}

/* Marks below the row before. */
static bool is_carets(const char *line)
{
    return strncmp(line, "    ", MARK) == 0 && strchr(line, '^') &&
           strspn(line, " ^") == strlen(line);
}

/* "caused by x.scn:26:  3ms  c send 54" stays one line or becomes two: never is a statement broken
 * in its midst for the length of a path. */
static void print_about(FILE *out, const struct text_style *style, const char *text)
{
    char *line = shortened(style, text + strspn(text, " "));
    char *statement = strstr(line, ":  ");

    if (statement && strlen(line) + 2 > PAGE_COLUMNS) {
        *statement = '\0';
        page_prose(out, "  ", 4, line);
        page_prose(out, "      ", 8, statement + 3);
    } else {
        page_prose(out, "  ", 4, line);
    }
    free(line);
}

static void print_diff(FILE *out, const struct text_style *style, const struct lines *diff)
{
    size_t limit = limit_of(style, TEXT_FAILURE_DIFF);

    for (size_t i = 0; i < diff->count && i < limit; i++) {
        const char *line = diff->line[i];
        const char *next = i + 1 < diff->count ? diff->line[i + 1] : "";
        char mark[MARK + 1] = "";

        if (!is_row(line)) {
            print_about(out, style, line);
            continue;
        }
        memcpy(mark, line, MARK);
        page_row(out, mark, line + MARK, is_carets(next) ? next + MARK : NULL);
        i += is_carets(next);
    }
    print_more(out, diff->count, limit);
}

/* The end of a sut that did not stop when told. */
static void print_end(FILE *out, const struct text_style *style, const struct result *result)
{
    if (!result->cut_short || result->failed.count == 0)
        return;
    print_prose(out, style, "  ", 4, result->failed.line[0]);
    if (result->last.count > 0)
        fputs("  its last rows:\n", out);
    for (size_t i = 0; i < result->last.count; i++)
        page_row(out, "    ", result->last.line[i], NULL);
}

static void print_required(FILE *out, const struct result *result)
{
    const struct plan *plan = result->plan;

    if (result->verdict != RESULT_FAIL || plan->cover_count == 0)
        return;
    fputs("  required:\n", out);
    for (uint32_t i = 0; i < plan->cover_count; i++) {
        const char *text = requirement_text(plan->covers[i]);
        char first[32];

        if (snprintf(first, sizeof(first), "    %-8s ", plan->covers[i]) < (int)sizeof(first) &&
            text)
            page_prose(out, first, 13, text);
        else
            page_prose(out, "    ", 6, plan->covers[i]);
    }
}

static void print_packets(FILE *out, const struct result *result)
{
    const struct lines *packets = &result->packets;

    for (size_t i = 0; i < packets->count; i++)
        if (i == 0)
            page_prose(out, "  ", 4, packets->line[i]);
        else
            page_row(out, "", packets->line[i], NULL);
}

/* Settings of sockets explain nothing; a call that failed does. */
static bool notes_wanted(const struct text_style *style, const struct result *result)
{
    return style->verbose || result->verdict == RESULT_ERROR || result->peers.diff.count > 0;
}

/* What to type. */

/* A command that is being written. */
struct command {
    FILE *out;
    char *text;
    size_t size;
};

static void command_begin(struct command *command)
{
    *command = (struct command){0};
    command->out = memory_must(open_memstream(&command->text, &command->size));
}

static void command_end(struct command *command, FILE *out, const char *label)
{
    memory_must(fclose(command->out) == 0 ? command->text : NULL);
    page_command(out, label, command->text);
    free(command->text);
}

static void print_files(FILE *out, const struct result *result, const char *path)
{
    struct command command;

    command_begin(&command);
    shell_quote(command.out, path);
    command_end(&command, out, "  files  ");
    if (result->wire.rows.count == 0 && result->packets.count == 0)
        return;
    command_begin(&command);
    fputs("tshark -r ", command.out);
    shell_quote(command.out, path);
    fputs("/" ARTEFACTS_CAPTURE, command.out);
    command_end(&command, out, "  pcap   ");
}

static void print_next(FILE *out, const struct text_style *style, const struct result *result)
{
    struct next_words words = {style->command, style->scenarios, style->options};
    char path[FOLDER_PATH_MAX + 1];
    struct command command;
    char *next;

    if (result->verdict == RESULT_SKIP)
        return;
    artefacts_path(style->out, result, path, sizeof(path));
    if (*path)
        print_files(out, result, path);
    next = next_command(&words, result);
    page_command(out, "  next   ", next);
    free(next);
    if (result->verdict != RESULT_ERROR)
        return;
    command_begin(&command);
    fprintf(command.out, "%s doctor", style->command);
    command_end(&command, out, "  or     ");
}

void text_failure_print(FILE *out, const struct text_style *style, const struct result *results,
                        size_t count, size_t index)
{
    const struct result *result = &results[index];

    print_concerned(out, style, results, count, index);
    if (result->reason)
        print_prose(out, style, "  ", 4, result->reason);
    print_end(out, style, result);
    print_diff(out, style, &result->events.diff);
    print_diff(out, style, &result->wire.diff);
    print_list(out, style, "what the peers did does not fit", &result->peers.diff, 0);
    print_list(out, style, "does not hold", &result->failed, result->cut_short ? 1 : 0);
    print_list(out, style, "left over", &result->left_over, 0);
    print_required(out, result);
    print_packets(out, result);
    if (notes_wanted(style, result))
        print_list(out, style, "notes", &result->notes, 0);
    print_next(out, style, result);
}
