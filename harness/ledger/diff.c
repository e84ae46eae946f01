/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/diff.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/align.h"
#include "harness/ledger/cause.h"
#include "harness/ledger/row.h"
#include "harness/memory.h"

#define BEFORE     3 /* equal rows told before a difference */
#define AFTER      2
#define HUNK_SHOWN 8  /* rows told of each side of a difference */
#define WORDS_MAX  64 /* of one row, as far as marks go */

/* The first difference: rows [expected, expected_end) stand where [happened, happened_end) came. */
struct hunk {
    size_t expected;
    size_t expected_end;
    size_t happened;
    size_t happened_end;
};

struct telling {
    const struct diff *diff;
    const size_t *match;
    size_t seen_expected;
    size_t seen_happened;
    struct lines *lines;
};

static const char *expected_text(const struct diff *diff, size_t i)
{
    return diff->expected[i]->text;
}

/* The next difference at or behind a pair of places that are aligned. False when there is none. */
static bool find_hunk(const struct telling *telling, size_t expected, size_t happened,
                      struct hunk *ret_hunk)
{
    const struct diff *diff = telling->diff;
    struct hunk hunk;

    while (expected < diff->expected_count && telling->match[expected] == happened) {
        expected++;
        happened++;
    }
    if (expected == diff->expected_count && happened == diff->happened->count)
        return false;
    hunk = (struct hunk){.expected = expected, .happened = happened};
    while (expected < diff->expected_count && telling->match[expected] == ALIGN_NONE)
        expected++;
    hunk.expected_end = expected;
    hunk.happened_end = expected < diff->expected_count ? telling->match[expected]
                                                        : diff->happened->count;
    *ret_hunk = hunk;
    return true;
}

static void tell_head(const struct telling *telling, const struct hunk *hunk)
{
    const struct diff *diff = telling->diff;
    size_t last = diff->expected_count - 1;
    size_t equal = hunk->expected;
    char rows[64] = "";

    if (equal > 0)
        (void)snprintf(rows, sizeof(rows), ", after %zu equal row%s", equal, equal > 1 ? "s" : "");
    lines_add(telling->lines, "%s:%u: the %s ledger parts here%s; - expected, + happened",
              diff->file,
              diff->expected_count == 0 ? 1
              : hunk->expected > last   ? diff->expected[last]->line
                                        : diff->expected[hunk->expected]->line,
              diff->what, rows);
}

static void tell_before(const struct telling *telling, const struct hunk *hunk)
{
    size_t start = hunk->expected > BEFORE ? hunk->expected - BEFORE : 0;

    for (size_t i = start; i < hunk->expected; i++)
        lines_add(telling->lines, "    %s", expected_text(telling->diff, i));
}

static void tell_missing(const struct telling *telling, const struct hunk *hunk)
{
    size_t count = hunk->expected_end - hunk->expected;

    for (size_t i = 0; i < count && i < HUNK_SHOWN; i++)
        lines_add(telling->lines, "  - %s", expected_text(telling->diff, hunk->expected + i));
    if (count > HUNK_SHOWN)
        lines_add(telling->lines, "  - .. and %zu more", count - HUNK_SHOWN);
    if (hunk->expected == telling->diff->expected_count)
        lines_add(telling->lines, "  - (nothing more)");
}

/* The words of a row, and where in it each begins. */
struct words {
    char *word[WORDS_MAX];
    size_t at[WORDS_MAX];
    size_t count;
};

static struct words words_of(const char *row)
{
    struct words words = {.count = 0};
    const char *rest = row;

    while (words.count < WORDS_MAX) {
        int length = 0;
        const char *word = row_word(&rest, &length);

        if (!word)
            break;
        words.at[words.count] = (size_t)(word - row);
        words.word[words.count++] = memory_text(word, (size_t)length);
    }
    return words;
}

static void words_free(struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
}

/* Both rows say something of the same kind about the same one. */
static bool comparable(const struct words *a, const struct words *b)
{
    return a->count >= 2 && b->count >= 2 && strcmp(a->word[0], b->word[0]) == 0 &&
           strcmp(a->word[1], b->word[1]) == 0;
}

/* A caret below each byte of those words of `is` that have no partner in `should`. */
static void put_marks(const struct words *should, const struct words *is,
                      char marks[static EXPECTED_ROW_MAX + 1])
{
    size_t *match = align_rows((const char *const *)is->word, is->count,
                               (const char *const *)should->word, should->count, NULL, NULL);
    size_t end = 0;

    memset(marks, ' ', EXPECTED_ROW_MAX);
    for (size_t i = 0; i < is->count; i++) {
        size_t length = strlen(is->word[i]);

        if (match[i] != ALIGN_NONE || is->at[i] + length > EXPECTED_ROW_MAX)
            continue;
        memset(marks + is->at[i], '^', length);
        end = is->at[i] + length;
    }
    marks[end] = '\0';
    free(match);
}

/* Word by word, so that one more word or other blanks leave the rest unmarked. */
static void tell_marks(const struct telling *telling, const char *should_row, const char *is_row)
{
    struct words should = words_of(should_row), is = words_of(is_row);
    char marks[EXPECTED_ROW_MAX + 1];

    if (comparable(&should, &is)) {
        put_marks(&should, &is, marks);
        if (*marks)
            lines_add(telling->lines, "    %s", marks);
    }
    words_free(&should);
    words_free(&is);
}

static void tell_new(const struct telling *telling, const struct hunk *hunk)
{
    size_t count = hunk->happened_end - hunk->happened;
    char *const *rows = telling->diff->happened->line + hunk->happened;

    for (size_t i = 0; i < count && i < HUNK_SHOWN; i++) {
        lines_add(telling->lines, "  + %s", rows[i]);
        if (i == 0 && hunk->expected < hunk->expected_end)
            tell_marks(telling, expected_text(telling->diff, hunk->expected), rows[i]);
    }
    if (count > HUNK_SHOWN)
        lines_add(telling->lines, "  + .. and %zu more", count - HUNK_SHOWN);
    if (hunk->happened == telling->diff->happened->count)
        lines_add(telling->lines, "  + (nothing more)");
}

static void tell_after(const struct telling *telling, const struct hunk *hunk)
{
    const struct diff *diff = telling->diff;

    for (size_t i = 0; i < AFTER; i++) {
        size_t expected = hunk->expected_end + i;

        if (expected >= diff->expected_count || telling->match[expected] != hunk->happened_end + i)
            return;
        lines_add(telling->lines, "    %s", expected_text(diff, expected));
    }
}

/* A row that came belongs to its own time; one that did not come is missed at the time of the
 * row before. */
static struct diff_place place_of(const struct diff *diff, const struct hunk *hunk)
{
    struct diff_place place = {.timed = diff->at && diff->happened->count > 0};
    bool came = hunk->happened < hunk->happened_end;
    size_t row = hunk->happened;

    if (!came && row > 0)
        row--;
    if (place.timed)
        place.at = diff->at[row];
    place.row = came ? diff->happened->line[hunk->happened] : expected_text(diff, hunk->expected);
    return place;
}

static void tell_cause(const struct telling *telling, const struct diff_place *place)
{
    const struct diff *diff = telling->diff;
    const struct plan_statement *statement;
    char text[CAUSE_TEXT_MAX], time[32];

    if (!place->timed || !diff->plan)
        return;
    statement = cause_of_row(diff->plan, place->at, place->row);
    if (!statement) {
        lines_add(telling->lines, "  before the first statement of %s", diff->plan->file);
        return;
    }
    cause_statement(diff->plan, statement, text);
    cause_time(statement->at, time, sizeof(time));
    lines_add(telling->lines, "  caused by %s:%u:  %s  %s", diff->plan->file, statement->place.line,
              time, text);
}

static void tell_counts(const struct telling *telling, struct hunk hunk)
{
    const struct diff *diff = telling->diff;
    size_t equal = 0, more = 0;
    char text[64] = "";

    for (size_t i = 0; i < diff->expected_count; i++)
        equal += telling->match[i] != ALIGN_NONE;
    while (find_hunk(telling, hunk.expected_end, hunk.happened_end, &hunk))
        more++;
    if (more > 0)
        (void)snprintf(text, sizeof(text), "; %zu more difference%s below", more,
                       more > 1 ? "s" : "");
    lines_add(telling->lines, "  %zu row%s expected, %zu happened; %s%zu of them are equal%s",
              diff->expected_count, diff->expected_count == 1 ? "" : "s", diff->happened->count,
              telling->seen_expected < diff->expected_count ||
                      telling->seen_happened < diff->happened->count
                  ? "at least "
                  : "",
              equal, text);
}

bool diff_rows(const struct diff *diff, struct lines *ret_lines, struct diff_place *ret_place)
{
    struct telling telling = {.diff = diff, .lines = ret_lines};
    const char **texts = memory_zeroed(diff->expected_count, sizeof(*texts));
    struct hunk hunk;
    size_t *match;
    bool different;

    for (size_t i = 0; i < diff->expected_count; i++)
        texts[i] = expected_text(diff, i);
    match = align_rows(texts, diff->expected_count, (const char *const *)diff->happened->line,
                       diff->happened->count, &telling.seen_expected, &telling.seen_happened);
    telling.match = match;
    different = find_hunk(&telling, 0, 0, &hunk);
    if (different) {
        struct diff_place place = place_of(diff, &hunk);

        tell_head(&telling, &hunk);
        tell_before(&telling, &hunk);
        tell_missing(&telling, &hunk);
        tell_new(&telling, &hunk);
        tell_after(&telling, &hunk);
        tell_cause(&telling, &place);
        tell_counts(&telling, hunk);
        if (ret_place)
            *ret_place = place;
    }
    free(match);
    free(texts);
    return !different;
}
