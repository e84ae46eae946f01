/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/row.h"

#include <stddef.h>
#include <string.h>

/* Walks a row byte by byte in its normal form. */
struct walk {
    const char *at;
    bool quoted;
};

static struct walk walk_start(const char *row)
{
    return (struct walk){.at = row + strspn(row, " ")};
}

/* The next byte of the normal form, 0 at the end. */
static char walk_next(struct walk *walk)
{
    char c = *walk->at;

    if (c == '\0')
        return 0;
    walk->at++;
    if (walk->quoted) {
        walk->quoted = c != '"';
        return c;
    }
    walk->quoted = c == '"';
    if (c != ' ')
        return c;
    walk->at += strspn(walk->at, " ");
    return *walk->at ? ' ' : 0;
}

bool row_equal(const char *a, const char *b)
{
    struct walk in_a = walk_start(a), in_b = walk_start(b);
    char c;

    do {
        c = walk_next(&in_a);
        if (c != walk_next(&in_b))
            return false;
    } while (c);
    return true;
}

/* FNV-1a. */
uint64_t row_hash(const char *row)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    struct walk walk = walk_start(row);
    char c;

    while ((c = walk_next(&walk)) != 0)
        hash = (hash ^ (uint8_t)c) * UINT64_C(0x100000001b3);
    return hash;
}

const char *row_word(const char **row, int *ret_length)
{
    const char *start = *row + strspn(*row, " ");
    const char *end = start;
    bool quoted = false;

    if (*start == '\0')
        return NULL;
    for (; *end && (quoted || *end != ' '); end++)
        if (*end == '"')
            quoted = !quoted;
    *row = end;
    *ret_length = (int)(end - start);
    return start;
}

static bool word_is(const char *word, int length, const char *text)
{
    return (size_t)length == strlen(text) && memcmp(word, text, (size_t)length) == 0;
}

bool row_dialogue(const char *row)
{
    int length = 0;
    const char *word = row_word(&row, &length);

    return word && (word_is(word, length, "notice") || word_is(word, length, "ctl"));
}
