/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/suggest.h"

#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* One row of the table of distances; `before` and `last` are the two rows above it. */
static void next_row(const char *a, const char *b, size_t i, const size_t *before,
                     const size_t *last, size_t *row)
{
    row[0] = i;
    for (size_t j = 1; j <= strlen(b); j++) {
        row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = least(row[j], before[j - 2] + 1);
    }
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t rows[3][SUGGEST_WORD_MAX + 1] = {{0}};
    size_t length = strlen(a);

    if (length > SUGGEST_WORD_MAX || strlen(b) > SUGGEST_WORD_MAX)
        return SUGGEST_WORD_MAX;
    for (size_t j = 0; j <= strlen(b); j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= length; i++)
        next_row(a, b, i, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[length % 3][strlen(b)];
}

const char *suggest_nearest(const char *typed, const char *const *words, size_t count)
{
    const char *nearest = NULL;
    /* A third of the letters may be wrong, and at least one. */
    size_t limit = strlen(typed) / 3 + 1;

    for (size_t i = 0; i < count; i++) {
        size_t distance = suggest_distance(typed, words[i]);

        if (distance <= limit && distance < strlen(words[i])) {
            nearest = words[i];
            limit = distance - (distance > 0);
            if (distance == 0)
                break;
        }
    }
    return nearest;
}
