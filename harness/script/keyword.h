/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_KEYWORD_H
#define EDGEWISE_HARNESS_SCRIPT_KEYWORD_H

/*
 * Words that are known at one place of a script, as a table: found by name, and listed or guessed
 * at in the message about a word that is not in it.
 */

#include <stddef.h>

#include "harness/script/lexer.h"
#include "harness/script/mistakes.h"

/* The first member of each entry is its name, a `const char *`. */
struct keyword_table {
    const void *entries;
    size_t count;
    size_t stride;
};

#define KEYWORD_TABLE(array) \
    ((struct keyword_table){array, sizeof(array) / sizeof((array)[0]), sizeof((array)[0])})

/* Index of the entry that a plain word names, -1. */
int keyword_find(struct keyword_table table, struct lexer_word word);

/* keyword_find, and "unknown WHAT 'x'; ..." as a mistake when there is none. */
int keyword_require(struct keyword_table table, struct lexer_word word, const char *what,
                    struct mistakes *mistakes);

/* "unknown WHAT 'x'; did you mean 'y'?" when a known word is near, else all that are known. */
void keyword_unknown(struct keyword_table table, struct lexer_word word, const char *what,
                     struct mistakes *mistakes);

/* All names as "a, b, c" in `text` of `size` bytes. */
void keyword_list(struct keyword_table table, char *text, size_t size);

#endif
