/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/lexer.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SHOWN_BYTES 24

/* A position in the line that is being split. */
struct cursor {
    const char *text;
    size_t size;
    size_t at;
    uint32_t line;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Whether a plain or quoted word is over here. */
static bool at_word_end(const struct cursor *cursor)
{
    return cursor->at == cursor->size || is_blank(cursor->text[cursor->at]) ||
           cursor->text[cursor->at] == '#';
}

static struct plan_place place_at(const struct cursor *cursor, size_t at)
{
    return (struct plan_place){.line = cursor->line, .column = (uint32_t)at + 1};
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that the escape at the cursor means, -1 when it is none; moves behind it. */
static int take_escape(struct cursor *cursor)
{
    static const char letters[] = "nrt0\\\"";
    static const char meanings[] = {'\n', '\r', '\t', '\0', '\\', '"'};
    const char *rest = cursor->text + cursor->at;
    size_t left = cursor->size - cursor->at;
    const char *letter;

    _Static_assert(sizeof(meanings) == sizeof(letters) - 1, "one meaning per letter");
    if (left < 2)
        return -1;
    if (rest[1] == 'x') {
        if (left < 4 || hex_digit(rest[2]) < 0 || hex_digit(rest[3]) < 0)
            return -1;
        cursor->at += 4;
        return hex_digit(rest[2]) << 4 | hex_digit(rest[3]);
    }
    letter = rest[1] ? strchr(letters, rest[1]) : NULL;
    if (!letter)
        return -1;
    cursor->at += 2;
    return (unsigned char)meanings[letter - letters];
}

/* Decodes up to the closing quote; the cursor stands behind the opening one. */
static int take_quoted(struct lexer *lexer, struct cursor *cursor, struct lexer_word *word)
{
    size_t open = cursor->at - 1;
    char *text = plan_memory_take(lexer->memory, cursor->size - open);
    size_t size = 0;

    while (cursor->at < cursor->size && cursor->text[cursor->at] != '"') {
        int byte = (unsigned char)cursor->text[cursor->at];

        if (byte == '\\')
            byte = take_escape(cursor);
        else
            cursor->at++;
        if (byte < 0) {
            mistakes_add(lexer->mistakes, place_at(cursor, cursor->at),
                         "unknown escape; known: \\xNN \\n \\r \\t \\0 \\\\ \\\"");
            return -EINVAL;
        }
        text[size++] = (char)byte;
    }
    if (cursor->at == cursor->size) {
        mistakes_add(lexer->mistakes, place_at(cursor, open),
                     "no closing quote; end the text with \" on the same line");
        return -EINVAL;
    }
    cursor->at++;
    *word = (struct lexer_word){text, size, place_at(cursor, open), true};
    return 0;
}

static int take_word(struct lexer *lexer, struct cursor *cursor, struct lexer_word *word)
{
    size_t start = cursor->at;

    if (cursor->text[start] == '"') {
        int err;

        cursor->at++;
        err = take_quoted(lexer, cursor, word);
        if (err < 0)
            return err;
        if (at_word_end(cursor))
            return 0;
        mistakes_add(lexer->mistakes, place_at(cursor, cursor->at),
                     "no blank behind a closing quote; put one between two words");
        return -EINVAL;
    }
    while (!at_word_end(cursor) && cursor->text[cursor->at] != '"')
        cursor->at++;
    *word = (struct lexer_word){cursor->text + start, cursor->at - start, place_at(cursor, start),
                                false};
    if (at_word_end(cursor))
        return 0;
    mistakes_add(lexer->mistakes, place_at(cursor, cursor->at),
                 "a quote inside a word; put a blank before it");
    return -EINVAL;
}

int lexer_split(struct lexer *lexer, const char *text, size_t size, uint32_t number,
                struct lexer_line *ret_line)
{
    struct cursor cursor = {.text = text, .size = size, .line = number};
    struct plan_place end = place_at(&cursor, 0);
    size_t count = 0;

    assert(size <= LEXER_LINE_MAX);
    for (;;) {
        int err;

        while (cursor.at < size && is_blank(text[cursor.at]))
            cursor.at++;
        if (cursor.at == size || text[cursor.at] == '#')
            break;
        lexer->words = plan_memory_grow(lexer->memory, lexer->words, sizeof(*lexer->words), count,
                                        &lexer->room);
        err = take_word(lexer, &cursor, &lexer->words[count]);
        if (err < 0)
            return err;
        count++;
        end = place_at(&cursor, cursor.at);
    }
    *ret_line = (struct lexer_line){lexer->words, count, end};
    return 0;
}

bool lexer_pair(struct lexer_word word, struct lexer_word *ret_key, struct lexer_word *ret_value)
{
    const char *equals = word.quoted ? NULL : memchr(word.text, '=', word.size);

    if (!equals)
        return false;
    *ret_value = lexer_skip(word, (size_t)(equals - word.text) + 1);
    *ret_key = word;
    ret_key->size = (size_t)(equals - word.text);
    return true;
}

bool lexer_is(struct lexer_word word, const char *text)
{
    return word.size == strlen(text) && lexer_begins(word, text);
}

bool lexer_begins(struct lexer_word word, const char *text)
{
    size_t size = strlen(text);

    return !word.quoted && word.size >= size && memcmp(word.text, text, size) == 0;
}

struct lexer_word lexer_skip(struct lexer_word word, size_t count)
{
    assert(count <= word.size);
    word.text += count;
    word.size -= count;
    /* A word from the command line keeps its place: there is no column in it. */
    if (word.place.line > 0)
        word.place.column += (uint32_t)count;
    return word;
}

struct lexer_shown lexer_show(struct lexer_word word)
{
    struct lexer_shown shown = {"'"};
    size_t used = 1;

    _Static_assert(sizeof(shown.text) > 1 + 4 * SHOWN_BYTES + sizeof("..'"), "escapes fit");
    for (size_t i = 0; i < word.size && i < SHOWN_BYTES; i++) {
        unsigned char c = (unsigned char)word.text[i];
        bool plain = c >= ' ' && c < 0x7f;

        used += (size_t)snprintf(shown.text + used, sizeof(shown.text) - used,
                                 plain ? "%c" : "\\x%02x", c);
    }
    (void)snprintf(shown.text + used, sizeof(shown.text) - used, "%s",
                   word.size > SHOWN_BYTES ? "..'" : "'");
    return shown;
}
