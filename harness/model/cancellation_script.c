/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cancellation_script.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/model/decimal.h"
#include "harness/suggest.h"

#define NUMBER_MAX 999999999 /* of tokens and generations */

/* A word without its token and its generation, and what it says. */
struct known {
    const char *text;
    bool submit;
    bool token; /* a token stands behind it */
    struct request_act act;
};

#define TARGET(result, lent) \
    {.kind = REQUEST_KIND_TARGET, .target = REQUEST_TARGET_##result, .borrow = lent}
#define CANCEL(answer) {.kind = REQUEST_KIND_CANCEL, .cancel = REQUEST_CANCEL_##answer}

static const struct known known[] = {
    {"submit", true, false, {0}},
    {"deadline", false, false, {.kind = REQUEST_KIND_DEADLINE}},
    {"deadline:submitfail", false, false, {.kind = REQUEST_KIND_DEADLINE, .unsent = true}},
    {"logical_exit", false, false, {.kind = REQUEST_KIND_EXIT}},
    {"logical_exit:submitfail", false, false, {.kind = REQUEST_KIND_EXIT, .unsent = true}},
    {"deliver", false, false, {.kind = REQUEST_KIND_DELIVER}},
    {"target:ok", false, false, TARGET(OK, false)},
    {"target:ok:borrow", false, false, TARGET(OK, true)},
    {"target:err", false, false, TARGET(ERROR, false)},
    {"target:err:borrow", false, false, TARGET(ERROR, true)},
    {"target:canceled", false, false, TARGET(CANCELED, false)},
    {"target:canceled:borrow", false, false, TARGET(CANCELED, true)},
    {"cancel:ok", false, false, CANCEL(OK)},
    {"cancel:notfound", false, false, CANCEL(NOT_FOUND)},
    {"cancel:already", false, false, CANCEL(ALREADY)},
    {"cancel:badid", false, false, CANCEL(BAD_ID)},
    {"borrow", false, false, {.kind = REQUEST_KIND_BORROW}},
    {"release", false, true, {.kind = REQUEST_KIND_RELEASE}},
    {"throw", false, true, {.kind = REQUEST_KIND_THROW}},
    {"handoff", false, true, {.kind = REQUEST_KIND_HANDOFF}},
};

#define KNOWN_COUNT (sizeof(known) / sizeof(*known))

static int refuse(uint32_t number, const char *text, const char *why, const char *more,
                  size_t error_size, char *ret_error)
{
    snprintf(ret_error, error_size, "word %u, '%.40s': %s%s", number, text, why, more);
    return -EINVAL;
}

/* The word that is meant: all of `text`, or what stands before the last colon. */
static const struct known *find(const char *text, const char **ret_token)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : 0;

    *ret_token = colon ? colon + 1 : NULL;
    for (size_t i = 0; i < KNOWN_COUNT; i++) {
        if (!known[i].token && strcmp(known[i].text, text) == 0)
            return &known[i];
        if (known[i].token && strlen(known[i].text) == (colon ? length : strlen(text)) &&
            memcmp(known[i].text, text, strlen(known[i].text)) == 0)
            return &known[i];
    }
    return NULL;
}

static int refuse_unknown(uint32_t number, const char *text, size_t error_size, char *ret_error)
{
    const char *names[KNOWN_COUNT];
    const char *nearest;

    for (size_t i = 0; i < KNOWN_COUNT; i++)
        names[i] = known[i].text;
    nearest = suggest_nearest(text, names, KNOWN_COUNT);
    return refuse(number, text, nearest ? "there is none; did you mean " : "there is none, such "
                  "as deadline, target:ok:borrow, release:0", nearest ? nearest : "", error_size,
                  ret_error);
}

/* Takes the @GEN off the end of `text`. */
static bool take_generation(char *text, struct cancellation_script_word *word)
{
    char *at = strchr(text, '@');

    if (!at)
        return true;
    *at = '\0';
    word->aged = true;
    return decimal_read(at + 1, 1, NUMBER_MAX, &word->generation);
}

static int read_word(const char *typed, size_t length, uint32_t number,
                     struct cancellation_script_word *word, size_t error_size, char *ret_error)
{
    char text[CANCELLATION_SCRIPT_WORD_SIZE];
    const struct known *meant;
    const char *token;

    snprintf(text, sizeof(text), "%.*s", (int)(length < 80 ? length : 80), typed);
    *word = (struct cancellation_script_word){0};
    memcpy(word->text, text, sizeof(text));
    if (length >= sizeof(text))
        return refuse_unknown(number, text, error_size, ret_error);
    if (!take_generation(text, word))
        return refuse(number, word->text, "@ wants a generation, such as @8", "", error_size,
                      ret_error);
    meant = find(text, &token);
    if (!meant)
        return refuse_unknown(number, text, error_size, ret_error);
    word->submit = meant->submit;
    word->act = meant->act;
    if (meant->token && (!token || !decimal_read(token, 0, NUMBER_MAX, &word->act.token)))
        return refuse(number, word->text, "wants a token, such as release:0", "", error_size,
                      ret_error);
    if (word->submit && word->aged)
        return refuse(number, word->text, "a submission has no generation yet", "", error_size,
                      ret_error);
    return 0;
}

int cancellation_script_read(const char *text, struct cancellation_script *ret_script,
                             size_t error_size, char *ret_error)
{
    size_t length;

    ret_script->word_count = 0;
    ret_script->text = text;
    for (text += strspn(text, " "); *text; text += length + strspn(text + length, " ")) {
        uint32_t number = ret_script->word_count + 1;

        length = strcspn(text, " ");
        if (number > CANCELLATION_SCRIPT_WORDS_MAX)
            return refuse(number, "...", "no more words than that", "", error_size, ret_error);
        if (read_word(text, length, number, &ret_script->words[number - 1], error_size,
                      ret_error) < 0)
            return -EINVAL;
        if (number == 1 && !ret_script->words[0].submit)
            return refuse(number, ret_script->words[0].text, "the first word is submit", "",
                          error_size, ret_error);
        ret_script->word_count = number;
    }
    if (ret_script->word_count == 0) {
        snprintf(ret_error, error_size, "there is no word in it; the first one is submit");
        return -EINVAL;
    }
    return 0;
}
