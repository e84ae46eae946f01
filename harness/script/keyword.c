/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/keyword.h"

#include <assert.h>
#include <string.h>

/* Longer words are nobody's slip. */
#define NEAR_SIZE_MAX 24
#define LIST_MAX      512

static const char *name_at(struct keyword_table table, size_t i)
{
    const char *name;

    memcpy(&name, (const char *)table.entries + i * table.stride, sizeof(name));
    return name;
}

int keyword_find(struct keyword_table table, struct lexer_word word)
{
    for (size_t i = 0; i < table.count; i++)
        if (lexer_is(word, name_at(table, i)))
            return (int)i;
    return -1;
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, changes and swaps of neighbours that make `b` of `a` (Damerau,
 * Levenshtein). */
static unsigned edits(const char *a, size_t a_size, const char *b, size_t b_size)
{
    unsigned rows[3][NEAR_SIZE_MAX + 1]; /* the last three prefixes of `a`, by length mod 3 */

    assert(b_size <= NEAR_SIZE_MAX);
    for (size_t i = 0; i <= a_size; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i + 2) % 3];
        const unsigned *before = rows[(i + 1) % 3];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_size; j++) {
            if (i == 0) {
                row[j] = (unsigned)j;
                continue;
            }
            row[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), least(row[j - 1], above[j]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[a_size % 3][b_size];
}

/* The known word that a slip of at most two letters, and of less than half the word, made of it. */
static const char *nearest(struct keyword_table table, struct lexer_word word)
{
    const char *best = NULL;
    unsigned best_edits = 3;

    if (word.quoted || word.size > NEAR_SIZE_MAX)
        return NULL;
    for (size_t i = 0; i < table.count; i++) {
        const char *name = name_at(table, i);
        size_t size = strlen(name);
        unsigned n;

        if (size > NEAR_SIZE_MAX)
            continue;
        n = edits(word.text, word.size, name, size);
        if (n < best_edits && 2 * n < size) {
            best = name;
            best_edits = n;
        }
    }
    return best;
}

void keyword_list(struct keyword_table table, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < table.count; i++) {
        const char *name = name_at(table, i);

        if (used + strlen(name) + sizeof(", ") > size)
            return;
        used = (size_t)(stpcpy(stpcpy(text + used, i ? ", " : ""), name) - text);
    }
}

void keyword_unknown(struct keyword_table table, struct lexer_word word, const char *what,
                     struct mistakes *mistakes)
{
    const char *near = nearest(table, word);
    char known[LIST_MAX];

    if (near) {
        mistakes_add(mistakes, word.place, "unknown %s %s; did you mean '%s'?", what,
                     lexer_show(word).text, near);
        return;
    }
    keyword_list(table, known, sizeof(known));
    mistakes_add(mistakes, word.place, "unknown %s %s; known: %s", what, lexer_show(word).text,
                 known);
}

int keyword_require(struct keyword_table table, struct lexer_word word, const char *what,
                    struct mistakes *mistakes)
{
    int i = keyword_find(table, word);

    if (i < 0)
        keyword_unknown(table, word, what, mistakes);
    return i;
}
