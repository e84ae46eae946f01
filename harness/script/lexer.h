/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_LEXER_H
#define EDGEWISE_HARNESS_SCRIPT_LEXER_H

/*
 * One line of a script as words. Blanks (space, tab) part words, `#` outside quotes begins a
 * comment. A word in quotes may hold blanks and the escapes \xNN \n \r \t \0 \\ \".
 */

#include <stdbool.h>
#include <stddef.h>

#include "harness/script/mistakes.h"
#include "harness/script/plan.h"
#include "harness/script/plan_memory.h"

/* The longest line in bytes, without its newline. */
#define LEXER_LINE_MAX ((size_t)64 << 10)

struct lexer_word {
    const char *text; /* not NUL-terminated; of a quoted word: without quotes, escapes replaced */
    size_t size;
    struct plan_place place;
    bool quoted;
};

struct lexer_line {
    const struct lexer_word *words;
    size_t count;
    struct plan_place end; /* behind the last word: where a missing word would stand */
};

/* Splits lines; the words of a line stay valid until the next one, their text as long as the
 * memory. */
struct lexer {
    struct plan_memory *memory;
    struct mistakes *mistakes;
    struct lexer_word *words;
    size_t room;
};

/* Splits line number `number` (from 1). 0, or -EINVAL: a mistake was added. */
int lexer_split(struct lexer *lexer, const char *text, size_t size, uint32_t number,
                struct lexer_line *ret_line);

/* Splits a plain word `key=value`; false when it has no `=`. */
bool lexer_pair(struct lexer_word word, struct lexer_word *ret_key, struct lexer_word *ret_value);

/* True when the word is not quoted and says `text`. */
bool lexer_is(struct lexer_word word, const char *text);

/* True when the word is not quoted and begins with `text`. */
bool lexer_begins(struct lexer_word word, const char *text);

/* The word without its first `count` bytes. */
struct lexer_word lexer_skip(struct lexer_word word, size_t count);

/* A word as messages print it. */
struct lexer_shown {
    char text[128];
};

/* The word in quotes, printable, cut when long. */
struct lexer_shown lexer_show(struct lexer_word word);

#endif
