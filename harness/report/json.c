/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/report/cell.h"

#define FORMAT (JSON_INDENT(2) | JSON_REAL_PRECISION(12))

/* How many bytes a first byte announces, 0 when it can be none. */
static size_t announced_size(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >> 5 == 6)
        return 2;
    if (first >> 4 == 14)
        return 3;
    return first >> 3 == 30 ? 4 : 0;
}

/* How many bytes the character at `text` has, 0 when it is no valid UTF-8. */
static size_t character_size(const char *text)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t size = announced_size(first);
    unsigned code = size > 1 ? first & (0x7fu >> size) : first;

    for (size_t i = 1; i < size; i++) {
        unsigned char next = (unsigned char)text[i];

        if (next >> 6 != 2)
            return 0;
        code = code << 6 | (next & 0x3fu);
    }
    if (size > 1 && (code < least[size] || code > 0x10ffff || (code >> 11) == 0x1b))
        return 0;
    return size;
}

char *json_clean(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    char *clean = memory_must(malloc(3 * strlen(text) + 1));
    char *to = clean;

    while (*text) {
        size_t size = character_size(text);

        if (size > 0)
            to = mempcpy(to, text, size);
        else
            to = mempcpy(to, replacement, sizeof(replacement) - 1);
        text += size > 0 ? size : 1;
    }
    *to = '\0';
    return clean;
}

static json_t *make_string(const char *text)
{
    char *clean = json_clean(text);
    json_t *string = memory_must(json_string(clean));

    free(clean);
    return string;
}

static void put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) < 0)
        memory_must(NULL);
}

static void append(json_t *array, const char *text)
{
    if (json_array_append_new(array, make_string(text)) < 0)
        memory_must(NULL);
}

static json_t *make_lines(const struct lines *lines)
{
    json_t *array = memory_must(json_array());
    size_t shown = lines->count <= JSON_LINES_MAX ? lines->count : JSON_LINES_MAX - 1;

    for (size_t i = 0; i < shown; i++)
        append(array, lines->line[i]);
    if (shown < lines->count) {
        char rest[64];

        snprintf(rest, sizeof(rest), "... and %zu more lines", lines->count - shown);
        append(array, rest);
    }
    return array;
}

static json_t *make_ledger(const struct result_ledger *ledger)
{
    json_t *object = memory_must(json_object());

    put(object, "rows", memory_must(json_integer((json_int_t)ledger->rows.count)));
    put(object, "diff", make_lines(&ledger->diff));
    return object;
}

static json_t *make_ms(struct duration duration)
{
    /* More digits would be noise. */
    int64_t whole_us = duration.ns / 1000;

    return memory_must(json_real((double)whole_us / 1000));
}

static json_t *make_result(const struct result *result)
{
    json_t *object = memory_must(json_object());

    put(object, "scenario", make_string(result->plan->name));
    put(object, "world", make_string(result_world_name(result->world)));
    put(object, "trigger", make_string(reactor_trigger_name(result->trigger)));
    put(object, "family", make_string(plan_family_name(result->family)));
    put(object, "verdict", make_string(result_verdict_name(result->verdict)));
    if (result->reason)
        put(object, "reason", make_string(result->reason));
    put(object, "events", make_ledger(&result->events));
    put(object, "wire", make_ledger(&result->wire));
    put(object, "peers", make_ledger(&result->peers));
    put(object, "failed_expectations", make_lines(&result->failed));
    put(object, "left_over", make_lines(&result->left_over));
    put(object, "notes", make_lines(&result->notes));
    put(object, "attempts", memory_must(json_integer(result->attempts)));
    put(object, "worst_late_us", memory_must(json_integer(result->worst_late.ns / 1000)));
    put(object, "setup_ms", make_ms(result->setup));
    put(object, "timeline_ms", make_ms(result->timeline));
    put(object, "wall_ms", make_ms(result->wall));
    return object;
}

static char *print(const json_t *value)
{
    char *text = memory_must(json_dumps(value, FORMAT));
    size_t size = strlen(text);

    text = memory_must(realloc(text, size + 2));
    memcpy(text + size, "\n", 2);
    return text;
}

char *json_result_text(const struct result *result)
{
    json_t *object = make_result(result);
    char *text = print(object);

    json_decref(object);
    return text;
}

void json_document_begin(struct json_document *document, const char *tool, const char *version,
                         uint64_t seed)
{
    json_t *root = memory_must(json_object());
    char number[32];

    snprintf(number, sizeof(number), "0x%llx", (unsigned long long)seed);
    put(root, "tool", make_string(tool));
    put(root, "version", make_string(version));
    put(root, "seed", make_string(number));
    put(root, "results", memory_must(json_array()));
    document->root = root;
    document->results = json_object_get(root, "results");
}

void json_document_add(struct json_document *document, const struct result *result)
{
    if (json_array_append_new(document->results, make_result(result)) < 0)
        memory_must(NULL);
}

void json_document_end(struct json_document *document, const struct score *score, FILE *out)
{
    static const struct {
        const char *key;
        enum result_verdict verdict;
    } counts[] = {
        {"passed", RESULT_PASS}, {"failed", RESULT_FAIL},  {"late", RESULT_LATE},
        {"errors", RESULT_ERROR}, {"skipped", RESULT_SKIP},
    };
    char *text;

    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
        put(document->root, counts[i].key,
            memory_must(json_integer(score->count[counts[i].verdict])));
    text = print(document->root);
    fputs(text, out);
    free(text);
    json_document_drop(document);
}

void json_error(const char *tool, const char *version, int exit_status, const struct lines *said,
                FILE *out)
{
    json_t *root = memory_must(json_object());
    json_t *error = memory_must(json_object());
    char *lines = lines_join(said, NULL);
    char *text;

    if (*lines)
        lines[strlen(lines) - 1] = '\0';
    put(error, "exit", memory_must(json_integer(exit_status)));
    put(error, "text", make_string(lines));
    put(root, "tool", make_string(tool));
    put(root, "version", make_string(version));
    put(root, "error", error);
    text = print(root);
    fputs(text, out);
    free(text);
    free(lines);
    json_decref(root);
}

void json_document_drop(struct json_document *document)
{
    json_decref(document->root);
    *document = (struct json_document){0};
}
