/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/payload.h"

#include <string.h>

#include "harness/script/number.h"
#include "harness/script/source.h"

#define PATTERN "pattern:"

/* Bytes that grow word by word. */
struct payload {
    struct draft *draft;
    uint8_t *data;
    size_t size;
    size_t room;
};

uint8_t payload_pattern(uint64_t i)
{
    return (uint8_t)(i % 251);
}

/* Room for `size` more bytes, NULL (with a mistake at `place`) above PLAN_PAYLOAD_MAX. */
static uint8_t *extend(struct payload *payload, size_t size, struct plan_place place)
{
    size_t old = payload->size;

    if (size > PLAN_PAYLOAD_MAX - old) {
        mistakes_add(payload->draft->mistakes, place, "a payload is too large; at most %u bytes",
                     (unsigned)PLAN_PAYLOAD_MAX);
        return NULL;
    }
    if (old + size > payload->room) {
        size_t room = old + size > 2 * old ? old + size : 2 * old;
        uint8_t *larger = plan_memory_take(payload->draft->plan.memory, room);

        if (old > 0)
            memcpy(larger, payload->data, old);
        payload->data = larger;
        payload->room = room;
    }
    payload->size += size;
    return payload->data + old;
}

static bool add_text(struct payload *payload, struct lexer_word word)
{
    uint8_t *data;

    if (word.size == 0)
        return true;
    data = extend(payload, word.size, word.place);
    if (data)
        memcpy(data, word.text, word.size);
    return data;
}

static bool add_pattern(struct payload *payload, struct lexer_word word)
{
    struct mistakes *mistakes = payload->draft->mistakes;
    uint64_t size;
    uint8_t *data;

    if (!number_read(mistakes, lexer_skip(word, sizeof(PATTERN) - 1), "pattern", 1,
                     PLAN_PAYLOAD_MAX, &size))
        return false;
    data = extend(payload, (size_t)size, word.place);
    if (!data)
        return false;
    for (uint64_t i = 0; i < size; i++)
        data[i] = payload_pattern(i);
    return true;
}

static bool add_file(struct payload *payload, struct lexer_word word)
{
    struct plan *plan = &payload->draft->plan;
    const char *slash = strrchr(plan->file, '/');
    size_t directory = slash ? (size_t)(slash - plan->file) + 1 : 0;
    struct source source;
    const char *error;
    char *path;
    bool ok;

    if (word.size == 1 || word.text[1] == '/') {
        mistakes_add(payload->draft->mistakes, word.place,
                     "%s is not relative to the script; write @ and a path from its folder",
                     lexer_show(word).text);
        return false;
    }
    path = plan_memory_take(plan->memory, directory + word.size);
    memcpy(path, plan->file, directory);
    memcpy(path + directory, word.text + 1, word.size - 1);
    error = source_read(path, PLAN_PAYLOAD_MAX, &source);
    if (error) {
        mistakes_add(payload->draft->mistakes, word.place, "%s: %s", lexer_show(word).text, error);
        return false;
    }
    ok = add_text(payload, (struct lexer_word){source.text, source.size, word.place, true});
    source_free(&source);
    return ok;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool add_hex(struct payload *payload, struct lexer_word word)
{
    uint8_t *data;

    for (size_t i = 0; i < word.size; i++)
        if (hex_digit(word.text[i]) < 0) {
            mistakes_add(payload->draft->mistakes, lexer_skip(word, i).place,
                         "%s is not hex; write bytes as 00 ff, \"text\", pattern:SIZE or @file",
                         lexer_show(word).text);
            return false;
        }
    if (word.size % 2 != 0) {
        mistakes_add(payload->draft->mistakes, word.place,
                     "%s is half a byte too long; write two hex digits a byte",
                     lexer_show(word).text);
        return false;
    }
    data = extend(payload, word.size / 2, word.place);
    for (size_t i = 0; data && i < word.size / 2; i++)
        data[i] = (uint8_t)(hex_digit(word.text[2 * i]) << 4 | hex_digit(word.text[2 * i + 1]));
    return data;
}

bool payload_read(struct draft *draft, const struct lexer_word *words, size_t count,
                  struct plan_bytes *ret_bytes)
{
    struct payload payload = {.draft = draft};

    for (size_t i = 0; i < count; i++) {
        bool ok;

        if (words[i].quoted)
            ok = add_text(&payload, words[i]);
        else if (lexer_begins(words[i], PATTERN))
            ok = add_pattern(&payload, words[i]);
        else if (lexer_begins(words[i], "@"))
            ok = add_file(&payload, words[i]);
        else
            ok = add_hex(&payload, words[i]);
        if (!ok)
            return false;
    }
    *ret_bytes = (struct plan_bytes){payload.size ? payload.data : NULL, payload.size};
    return true;
}
