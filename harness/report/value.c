/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/value.h"

#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/report/digest.h"
#include "harness/report/utf8.h"

#define DIGITS JSON_REAL_PRECISION(12)

json_t *value_object(void)
{
    return memory_must(json_object());
}

json_t *value_list(void)
{
    return memory_must(json_array());
}

json_t *value_root(const char *tool, const char *version)
{
    json_t *root = value_object();

    value_put(root, "tool", value_text(tool));
    value_put(root, "version", value_text(version));
    return root;
}

/* The caller frees it. */
static char *make_clean(const char *text)
{
    char *clean = memory_must(malloc((sizeof(UTF8_REPLACEMENT) - 1) * strlen(text) + 1));
    char *to = clean;

    for (;;) {
        struct utf8_character next = utf8_next(&text);

        if (next.size == 0)
            break;
        to = mempcpy(to, next.bytes, next.size);
    }
    *to = '\0';
    return clean;
}

json_t *value_text(const char *text)
{
    char *clean = make_clean(text);
    json_t *string = memory_must(json_string(clean));

    free(clean);
    return string;
}

json_t *value_said(const struct lines *said)
{
    size_t size;
    char *lines = lines_join(said, &size);
    json_t *string;

    if (size > 0)
        lines[size - 1] = '\0';
    string = value_text(lines);
    free(lines);
    return string;
}

json_t *value_number(int64_t number)
{
    return memory_must(json_integer(number));
}

json_t *value_yes(bool yes)
{
    return memory_must(json_boolean(yes));
}

json_t *value_ms(struct duration duration)
{
    /* More digits would be noise. */
    int64_t whole_us = duration.ns / 1000;

    return memory_must(json_real((double)whole_us / 1000));
}

json_t *value_seed(uint64_t seed)
{
    char number[32];

    snprintf(number, sizeof(number), "0x%llx", (unsigned long long)seed);
    return value_text(number);
}

void value_put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) < 0)
        memory_must(NULL);
}

void value_append(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) < 0)
        memory_must(NULL);
}

json_t *value_runs(const uint32_t runs[RESULT_VERDICT_COUNT])
{
    json_t *object = value_object();

    for (int i = 0; i < RESULT_VERDICT_COUNT; i++)
        value_put(object, result_verdict_name((enum result_verdict)i), value_number(runs[i]));
    return object;
}

static json_t *make_lines(const struct lines *lines)
{
    json_t *list = value_list();
    struct lines told = {0};

    digest_add(&told, "", lines);
    for (size_t i = 0; i < told.count; i++)
        value_append(list, value_text(told.line[i]));
    lines_free(&told);
    return list;
}

static json_t *make_ledger(const struct result_ledger *ledger)
{
    json_t *object = value_object();

    value_put(object, "rows", value_number((int64_t)ledger->rows.count));
    value_put(object, "diff", make_lines(&ledger->diff));
    return object;
}

json_t *value_result(const struct result *result)
{
    json_t *object = value_object();

    value_put(object, "scenario", value_text(result->plan->name));
    value_put(object, "world", value_text(result_world_name(result->world)));
    value_put(object, "trigger", value_text(reactor_trigger_name(result->trigger)));
    value_put(object, "family", value_text(plan_family_name(result->family)));
    if (result->defect)
        value_put(object, "defect", value_text(result->defect));
    value_put(object, "verdict", value_text(result_verdict_name(result->verdict)));
    if (result->reason)
        value_put(object, "reason", value_text(result->reason));
    value_put(object, "events", make_ledger(&result->events));
    value_put(object, "wire", make_ledger(&result->wire));
    value_put(object, "peers", make_ledger(&result->peers));
    value_put(object, "failed_expectations", make_lines(&result->failed));
    value_put(object, "left_over", make_lines(&result->left_over));
    value_put(object, "notes", make_lines(&result->notes));
    value_put(object, "attempts", value_number(result->attempts));
    value_put(object, "runs", value_runs(result->runs));
    value_put(object, "worst_late_us", value_number(result->worst_late.ns / 1000));
    value_put(object, "setup_ms", value_ms(result->setup));
    value_put(object, "timeline_ms", value_ms(result->timeline));
    value_put(object, "wall_ms", value_ms(result->wall));
    return object;
}

void value_put_score(json_t *object, const struct score *score)
{
    static const char *const keys[] = {
        [RESULT_PASS] = "passed",  [RESULT_FAIL] = "failed",  [RESULT_LATE] = "late",
        [RESULT_ERROR] = "errors", [RESULT_SKIP] = "skipped",
    };

    _Static_assert(sizeof(keys) / sizeof(*keys) == RESULT_VERDICT_COUNT, "a key each");
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++)
        value_put(object, keys[i], value_number(score->count[i]));
}

char *value_line(const json_t *value)
{
    /* Some readers end a line at U+2028 and the like, too. */
    return memory_must(json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | DIGITS));
}

char *value_page(const json_t *value)
{
    char *text = memory_must(json_dumps(value, JSON_INDENT(2) | DIGITS));
    size_t size = strlen(text);

    text = memory_must(realloc(text, size + 2));
    memcpy(text + size, "\n", 2);
    return text;
}

void value_print(json_t *value, FILE *out)
{
    char *text = value_page(value);

    fputs(text, out);
    free(text);
    json_decref(value);
}
