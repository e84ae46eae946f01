/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/framing_script.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/suggest.h"

#define WORD_SHOWN 40

static const char *const verbs[] = {
#define X(name, text) [FRAMING_SCRIPT_##name] = text,
    FRAMING_SCRIPT_VERBS(X)
#undef X
};

/* Where the reading stands. */
struct reading {
    struct framing_script *script;
    const char *word;
    size_t length;
    bool ended;
    uint32_t interruptions;
    size_t error_size;
    char *error;
};

static int __attribute__((format(printf, 2, 3)))
refuse(struct reading *reading, const char *format, ...)
{
    int used = snprintf(reading->error, reading->error_size, "word %u, '%.*s': ",
                        reading->script->word_count + 1,
                        (int)(reading->length < WORD_SHOWN ? reading->length : WORD_SHOWN),
                        reading->word);
    va_list args;

    if (used < 0 || (size_t)used >= reading->error_size)
        return -EINVAL;
    va_start(args, format);
    vsnprintf(reading->error + used, reading->error_size - (size_t)used, format, args);
    va_end(args);
    return -EINVAL;
}

static int find_verb(const struct reading *reading, size_t length)
{
    for (int i = 0; i < FRAMING_SCRIPT_VERB_COUNT; i++)
        if (strlen(verbs[i]) == length && memcmp(verbs[i], reading->word, length) == 0)
            return i;
    return -1;
}

static int refuse_verb(struct reading *reading, size_t length)
{
    char typed[SUGGEST_WORD_MAX + 1];
    const char *nearest;

    snprintf(typed, sizeof(typed), "%.*s", (int)(length < 100 ? length : 100), reading->word);
    nearest = suggest_nearest(typed, verbs, FRAMING_SCRIPT_VERB_COUNT);
    if (nearest)
        return refuse(reading, "did you mean %s?", nearest);
    return refuse(reading, "there is in:HEX, run[:N], consume[:N], eof, reset, eintr:N, notify");
}

static int digit(char letter)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    const char *at = letter ? strchr(digits, letter) : NULL;

    return at ? (int)((at - digits) % 16) : -1;
}

static int read_bytes(struct reading *reading, const char *value, size_t length,
                      struct framing_script_word *word)
{
    struct framing_script *script = reading->script;

    if (length == 0 || length % 2 != 0)
        return refuse(reading, "wants pairs of hexadecimal digits, such as in:034341");
    if (length / 2 > FRAMING_SCRIPT_BYTES_MAX - script->byte_count)
        return refuse(reading, "%d bytes at most can arrive", FRAMING_SCRIPT_BYTES_MAX);
    word->at = script->byte_count;
    word->size = (uint32_t)(length / 2);
    for (size_t i = 0; i < length; i += 2) {
        int high = digit(value[i]);
        int low = digit(value[i + 1]);

        if (high < 0 || low < 0)
            return refuse(reading, "wants pairs of hexadecimal digits, such as in:034341");
        script->bytes[word->at + i / 2] = (uint8_t)(high << 4 | low);
    }
    return 0;
}

static int read_count(struct reading *reading, const char *value, size_t length, uint32_t *ret)
{
    char digits[8] = "";

    if (length > 0 && length < sizeof(digits))
        memcpy(digits, value, length);
    *ret = (uint32_t)strtoul(digits, NULL, 10);
    if (length == 0 || strspn(digits, "0123456789") != length || *ret < 1 ||
        *ret > FRAMING_SCRIPT_COUNT_MAX)
        return refuse(reading, "wants a number from 1 to %d", FRAMING_SCRIPT_COUNT_MAX);
    return 0;
}

static int read_value(struct reading *reading, const char *value, size_t length,
                      struct framing_script_word *word)
{
    switch (word->verb) {
    case FRAMING_SCRIPT_IN:
        return read_bytes(reading, value, length, word);
    case FRAMING_SCRIPT_RUN:
    case FRAMING_SCRIPT_CONSUME:
    case FRAMING_SCRIPT_EINTR:
        return read_count(reading, value, length, &word->count);
    default:
        return refuse(reading, "takes no value");
    }
}

/* Nothing can come behind the end of the stream, and the interruptions have a place each. */
static int check_order(struct reading *reading, const struct framing_script_word *word)
{
    bool end = word->verb == FRAMING_SCRIPT_EOF || word->verb == FRAMING_SCRIPT_RESET;

    if (reading->ended && (end || word->verb == FRAMING_SCRIPT_IN))
        return refuse(reading, "the stream has ended already");
    reading->ended = reading->ended || end;
    if (word->verb == FRAMING_SCRIPT_EINTR &&
        ++reading->interruptions > FRAMING_SCRIPT_INTERRUPTIONS_MAX)
        return refuse(reading, "%d times at most", FRAMING_SCRIPT_INTERRUPTIONS_MAX);
    return 0;
}

static int read_word(struct reading *reading)
{
    struct framing_script *script = reading->script;
    const char *colon = memchr(reading->word, ':', reading->length);
    size_t length = colon ? (size_t)(colon - reading->word) : reading->length;
    int verb = find_verb(reading, length);
    struct framing_script_word word = {.verb = (uint8_t)verb};
    int status = 0;

    if (verb < 0)
        return refuse_verb(reading, length);
    if (script->word_count == FRAMING_SCRIPT_WORDS_MAX)
        return refuse(reading, "%d words at most", FRAMING_SCRIPT_WORDS_MAX);
    if (colon)
        status = read_value(reading, colon + 1, reading->length - length - 1, &word);
    else if (verb == FRAMING_SCRIPT_IN || verb == FRAMING_SCRIPT_EINTR)
        status = refuse(reading, "wants a value: %s", verb == FRAMING_SCRIPT_IN ? "in:034341"
                                                                                : "eintr:1");
    else if (verb == FRAMING_SCRIPT_CONSUME)
        word.count = 1;
    if (status == 0)
        status = check_order(reading, &word);
    if (status < 0)
        return status;
    script->byte_count += word.size;
    script->words[script->word_count++] = word;
    return 0;
}

int framing_script_read(const char *text, struct framing_script *ret_script, size_t error_size,
                        char *ret_error)
{
    struct reading reading = {.script = ret_script, .error_size = error_size, .error = ret_error};

    *ret_script = (struct framing_script){.text = text};
    for (reading.word = text + strspn(text, " "); *reading.word;
         reading.word += reading.length + strspn(reading.word + reading.length, " ")) {
        int status;

        reading.length = strcspn(reading.word, " ");
        status = read_word(&reading);
        if (status < 0)
            return status;
    }
    if (ret_script->word_count == 0) {
        snprintf(ret_error, error_size,
                 "there is no word in it, such as in 'in:00024f4b run eof run'");
        return -EINVAL;
    }
    return 0;
}
