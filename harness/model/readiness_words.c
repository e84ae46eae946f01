/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/readiness_words.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/model/decimal.h"

#define SHOWN 60

static struct readiness_source *find_source(struct readiness *readiness, const char *name,
                                            size_t length)
{
    for (uint32_t i = 0; i < readiness->count; i++) {
        struct readiness_source *source = &readiness->sources[i];

        if (strlen(source->name) == length && memcmp(source->name, name, length) == 0)
            return source;
    }
    return NULL;
}

static bool name_valid(const char *name, size_t length)
{
    if (length == 0 || length > READINESS_NAME_MAX)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]))
            return false;
    return true;
}

/* What is wrong with the sources as a whole once `name` is one of them; 0 when nothing is. */
static int check_new(struct readiness *readiness, const char *name, size_t length, size_t size,
                     size_t error_size, char *ret_error)
{
    size_t bytes = size;

    for (uint32_t i = 0; i < readiness->count; i++)
        bytes += readiness->sources[i].size;
    if (find_source(readiness, name, length))
        snprintf(ret_error, error_size, "--source: there is a source '%.*s' already", (int)length,
                 name);
    else if (readiness->count == STAGE_SOURCES_MAX)
        snprintf(ret_error, error_size, "--source can be given %d times at most",
                 STAGE_SOURCES_MAX);
    else if (bytes > READINESS_WORDS_BYTES_MAX)
        snprintf(ret_error, error_size, "--source: %d bytes at most, all sources together",
                 READINESS_WORDS_BYTES_MAX);
    else
        return 0;
    return -EINVAL;
}

int readiness_words_source(struct readiness *readiness, const char *value, size_t error_size,
                           char *ret_error)
{
    size_t length = strcspn(value, "=");
    struct readiness_source source = {.bytes = (const uint8_t *)value + length + 1};

    if (value[length] != '=' || !name_valid(value, length)) {
        snprintf(ret_error, error_size, "--source wants NAME=BYTES, NAME of 1 to %d letters and "
                 "digits, such as A=abcdef, not '%.60s'", READINESS_NAME_MAX, value);
        return -EINVAL;
    }
    if (check_new(readiness, value, length, strlen(value) - length - 1, error_size,
                  ret_error) < 0)
        return -EINVAL;
    source.size = (uint32_t)(strlen(value) - length - 1);
    memcpy(source.name, value, length);
    readiness->sources[readiness->count++] = source;
    return 0;
}

static bool read_eintr(struct readiness_source *source, const char *value)
{
    if (strcmp(value, "=always") != 0)
        return *value == '=' &&
               decimal_read(value + 1, 1, READINESS_WORDS_COUNT_MAX, &source->eintr);
    source->eintr = READINESS_FOR_EVER;
    return true;
}

static bool read_finish(struct readiness_source *source, const char *value,
                        enum readiness_finish finish)
{
    if (*value != '\0' || source->finish != READINESS_OPEN)
        return false;
    source->finish = finish;
    return true;
}

int readiness_words_modify(struct readiness *readiness, enum readiness_words_modifier modifier,
                           const char *value, size_t error_size, char *ret_error)
{
    static const char *const wants[] = {
        [READINESS_WORDS_EINTR] = "--eintr wants NAME=N, N from 1 to 10000 or always",
        [READINESS_WORDS_EOF] = "--eof wants the NAME of a source that does not end yet",
        [READINESS_WORDS_FATAL] = "--fatal wants the NAME of a source that does not end yet",
        [READINESS_WORDS_LATE] = "--late wants NAME=N, N from 1 to 10000",
    };
    size_t length = strcspn(value, "=");
    struct readiness_source *source = find_source(readiness, value, length);
    bool good = false;

    if (!source) {
        snprintf(ret_error, error_size, "%s; there is no source '%.*s'", wants[modifier],
                 (int)(length < SHOWN ? length : SHOWN), value);
        return -EINVAL;
    }
    if (modifier == READINESS_WORDS_EINTR)
        good = read_eintr(source, value + length);
    else if (modifier == READINESS_WORDS_EOF)
        good = read_finish(source, value + length, READINESS_EOF);
    else if (modifier == READINESS_WORDS_FATAL)
        good = read_finish(source, value + length, READINESS_FATAL);
    else
        good = value[length] == '=' && decimal_read(value + length + 1, 1,
                                                    READINESS_WORDS_COUNT_MAX, &source->round);
    if (!good)
        snprintf(ret_error, error_size, "%s, not '%.60s'", wants[modifier], value);
    return good ? 0 : -EINVAL;
}

int readiness_words_check(const struct readiness *readiness, size_t error_size, char *ret_error)
{
    uint64_t eintr = 0;

    for (uint32_t i = 0; i < readiness->count; i++)
        if (readiness->sources[i].eintr != READINESS_FOR_EVER)
            eintr += readiness->sources[i].eintr;
    if (eintr <= READINESS_WORDS_COUNT_MAX)
        return 0;
    snprintf(ret_error, error_size, "--eintr: %d at most, all sources together",
             READINESS_WORDS_COUNT_MAX);
    return -EINVAL;
}
