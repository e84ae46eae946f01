/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/bless.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/ledger/align.h"
#include "harness/ledger/row.h"
#include "harness/memory.h"

/* Rows of the dialogue, each with the triggers that have it; the rows are borrowed. */
struct merged {
    const char **rows;
    unsigned *triggers;
    size_t count;
};

static void merged_add(struct merged *merged, const char *row, unsigned triggers)
{
    merged->rows[merged->count] = row;
    merged->triggers[merged->count++] = triggers;
}

static void merged_free(struct merged *merged)
{
    free(merged->rows);
    free(merged->triggers);
}

static struct merged merged_room(size_t count)
{
    return (struct merged){
        .rows = memory_zeroed(count, sizeof(char *)),
        .triggers = memory_zeroed(count, sizeof(unsigned)),
    };
}

/* Lays the rows of one more trigger beside those that are there: a row that both have stays one
 * row; between two of those the new trigger's own rows come last. */
static void merged_join(struct merged *merged, const char *const *rows, size_t count,
                        unsigned trigger)
{
    struct merged joined = merged_room(merged->count + count);
    size_t *match = align_rows(merged->rows, merged->count, rows, count, NULL, NULL);
    size_t next = 0;

    for (size_t i = 0; i < merged->count; i++) {
        for (; match[i] != ALIGN_NONE && next < match[i]; next++)
            merged_add(&joined, rows[next], trigger);
        if (match[i] == ALIGN_NONE) {
            merged_add(&joined, merged->rows[i], merged->triggers[i]);
        } else {
            merged_add(&joined, merged->rows[i], merged->triggers[i] | trigger);
            next++;
        }
    }
    for (; next < count; next++)
        merged_add(&joined, rows[next], trigger);
    free(match);
    merged_free(merged);
    *merged = joined;
}

static void merged_tell(const struct merged *merged, struct lines *lines)
{
    for (size_t i = 0; i < merged->count; i++) {
        char text[32];
        size_t length = 0;

        for (int t = 0; t < REACTOR_TRIGGER_COUNT; t++)
            if (merged->triggers[i] & 1u << t)
                length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s",
                                           length ? " " : "",
                                           reactor_trigger_name((enum reactor_trigger)t));
        assert(length > 0);
        lines_add(lines, "%s: %s", text, merged->rows[i]);
    }
}

/* A run of each trigger, NULL where none was made, and how far it has been merged. */
struct merge {
    const struct bless_run *run[REACTOR_TRIGGER_COUNT];
    size_t at[REACTOR_TRIGGER_COUNT];
};

static size_t gap_length(const struct lines *rows, size_t at)
{
    size_t end = at;

    while (end < rows->count && row_dialogue(rows->line[end]))
        end++;
    return end - at;
}

/* The dialogue up to the next untagged row, of all triggers. */
static void merge_gap(struct merge *merge, struct lines *lines)
{
    struct merged merged = merged_room(0);

    for (int t = 0; t < REACTOR_TRIGGER_COUNT; t++) {
        const struct lines *rows;
        size_t count;

        if (!merge->run[t])
            continue;
        rows = merge->run[t]->rows;
        count = gap_length(rows, merge->at[t]);
        if (count > 0)
            merged_join(&merged, (const char *const *)rows->line + merge->at[t], count, 1u << t);
        merge->at[t] += count;
    }
    merged_tell(&merged, lines);
    merged_free(&merged);
}

static const char *row_or_end(const struct lines *rows, size_t at)
{
    return at < rows->count ? rows->line[at] : "(nothing more)";
}

static bool same_row(const struct lines *a, size_t at, const struct lines *b, size_t b_at)
{
    if (at >= a->count || b_at >= b->count)
        return at >= a->count && b_at >= b->count;
    return row_equal(a->line[at], b->line[b_at]);
}

static void tell_parting(const struct bless_run *a, size_t at, const struct bless_run *b,
                         size_t b_at, struct lines *errors)
{
    lines_add(errors, "nothing to bless: %s and %s part", a->name, b->name);
    lines_add(errors, "  %s, row %zu:  %s", a->name, at + 1, row_or_end(a->rows, at));
    lines_add(errors, "  %s, row %zu:  %s", b->name, b_at + 1, row_or_end(b->rows, b_at));
}

/* The untagged row that stands next under every trigger. 1, 0 at the common end, -EINVAL. */
static int merge_row(struct merge *merge, struct lines *lines, struct lines *errors)
{
    int first = -1;
    bool more;

    for (int t = 0; t < REACTOR_TRIGGER_COUNT; t++) {
        if (!merge->run[t])
            continue;
        if (first < 0) {
            first = t;
        } else if (!same_row(merge->run[first]->rows, merge->at[first], merge->run[t]->rows,
                             merge->at[t])) {
            tell_parting(merge->run[first], merge->at[first], merge->run[t], merge->at[t], errors);
            return -EINVAL;
        }
    }
    assert(first >= 0);
    more = merge->at[first] < merge->run[first]->rows->count;
    if (more)
        lines_add(lines, "%s", merge->run[first]->rows->line[merge->at[first]]);
    for (int t = 0; t < REACTOR_TRIGGER_COUNT; t++)
        merge->at[t] += more;
    return more;
}

/* All rows of two runs. */
static int check_equal(const struct bless_run *a, const struct bless_run *b, struct lines *errors)
{
    for (size_t i = 0; i < a->rows->count || i < b->rows->count; i++) {
        if (same_row(a->rows, i, b->rows, i))
            continue;
        tell_parting(a, i, b, i, errors);
        return -EINVAL;
    }
    return 0;
}

/* One run of each trigger; all others of the same trigger must equal it. */
static int choose_runs(const struct bless_run *runs, size_t count, struct merge *merge,
                       struct lines *errors)
{
    for (size_t i = 0; i < count; i++) {
        enum reactor_trigger trigger = runs[i].trigger;
        int rc = 0;

        assert(trigger < REACTOR_TRIGGER_COUNT);
        if (!merge->run[trigger])
            merge->run[trigger] = &runs[i];
        else
            rc = check_equal(merge->run[trigger], &runs[i], errors);
        if (rc < 0)
            return rc;
    }
    return 0;
}

int bless_events(const struct bless_run *runs, size_t count, struct lines *ret_rows,
                 struct lines *errors)
{
    struct merge merge = {0};
    struct lines rows = {0};
    int rc;

    assert(count >= 1);
    rc = choose_runs(runs, count, &merge, errors);
    if (rc < 0)
        return rc;
    do {
        merge_gap(&merge, &rows);
        rc = merge_row(&merge, &rows, errors);
    } while (rc > 0);
    if (rc == 0)
        for (size_t i = 0; i < rows.count; i++)
            lines_add(ret_rows, "%s", rows.line[i]);
    lines_free(&rows);
    return rc;
}

int bless_plain(const struct bless_run *runs, size_t count, struct lines *ret_rows,
                struct lines *errors)
{
    assert(count >= 1);
    for (size_t i = 1; i < count; i++) {
        int rc = check_equal(&runs[0], &runs[i], errors);

        if (rc < 0)
            return rc;
    }
    for (size_t i = 0; i < runs[0].rows->count; i++)
        lines_add(ret_rows, "%s", runs[0].rows->line[i]);
    return 0;
}
