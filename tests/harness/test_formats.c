/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "harness/report/json.h"
#include "harness/report/jsonlines.h"
#include "harness/report/junit.h"
#include "harness/report/tap.h"
#include "tests/harness/sample_sink.h"

/*
 * One set of results in every format. As a test: that the formats agree with each other and with
 * their schema. With a folder as its argument it writes them there, for programs that read such
 * formats to judge (tests/test_formats.sh).
 */

#define CELLS_MAX 8

struct set {
    const char *name;
    struct result cells[CELLS_MAX];
    size_t count;
    size_t left;
    int exit_status;
};

static const struct plan hostile_plan = {.file = SAMPLE_HOSTILE, .name = "a/" SAMPLE_HOSTILE};

static void add(struct set *set, struct result result)
{
    assert_in_range(set->count, 0, CELLS_MAX - 1);
    set->cells[set->count++] = sample_once(result);
}

static struct result with_reason(enum reactor_trigger trigger, enum result_verdict verdict)
{
    return sample_with_reason(trigger, PLAN_IPV6, verdict, "it \"was\" late: 12.5 ms # SKIP");
}

static struct result hostile(enum result_verdict verdict)
{
    struct result result =
        sample_with_reason(REACTOR_OS, PLAN_UNIX, verdict, "\n" SAMPLE_HOSTILE);

    result.plan = &hostile_plan;
    lines_add(&result.wire.diff, "%s", SAMPLE_HOSTILE);
    lines_add(&result.wire.diff, "%s", "");
    lines_add(&result.left_over, "%s", "   \n---\n...\nnot ok 1\nBail out!\r\n" SAMPLE_HOSTILE);
    return result;
}

static struct result long_one(void)
{
    struct result result = sample_fail(REACTOR_LT, PLAN_PIPE);

    for (int i = 0; i < 2 * JSON_LINES_MAX; i++)
        lines_add(&result.events.diff, "  - c quantum %d", i);
    return result;
}

static struct result repeated(void)
{
    struct result result = sample_pass(REACTOR_LT, PLAN_IPV4, 1);

    result.runs[RESULT_LATE] = 2;
    return result;
}

static void fill_all(struct set *set)
{
    add(set, sample_pass(REACTOR_ET, PLAN_IPV4, 1));
    add(set, sample_fail(REACTOR_ET, PLAN_IPV4));
    add(set, with_reason(REACTOR_ET, RESULT_LATE));
    add(set, with_reason(REACTOR_LT, RESULT_ERROR));
    add(set, with_reason(REACTOR_OS, RESULT_SKIP));
    add(set, repeated());
    add(set, long_one());
}

static void fill(struct set *set)
{
    const char *name = set->name;

    if (strcmp(name, "all") == 0)
        fill_all(set);
    else if (strcmp(name, "bail") == 0 || strcmp(name, "pass") == 0)
        add(set, sample_pass(REACTOR_ET, PLAN_IPV4, 1));
    else if (strcmp(name, "fail") == 0)
        add(set, sample_fail(REACTOR_ET, PLAN_IPV4));
    else if (strcmp(name, "late") == 0)
        add(set, with_reason(REACTOR_ET, RESULT_LATE));
    else if (strcmp(name, "error") == 0)
        add(set, with_reason(REACTOR_ET, RESULT_ERROR));
    else if (strcmp(name, "skip") == 0)
        add(set, with_reason(REACTOR_ET, RESULT_SKIP));
    else if (strcmp(name, "hostile") == 0)
        for (int verdict = 0; verdict < RESULT_VERDICT_COUNT; verdict++)
            add(set, hostile((enum result_verdict)verdict));
}

static struct set make(const char *name)
{
    struct set set = {.name = name};

    if (strcmp(name, "bail") == 0) {
        set.left = 7;
        set.exit_status = STATUS_BROKEN;
    }
    fill(&set);
    return set;
}

static void drop(struct set *set)
{
    for (size_t i = 0; i < set->count; i++)
        result_free(&set->cells[i]);
}

static const char *const names[] = {"pass", "fail",    "late", "error", "skip",
                                    "all",  "hostile", "bail", "none"};

/* The formats. */

static struct instant fake_now(void)
{
    return (struct instant){0};
}

static union {
    struct json_document json;
    struct jsonlines jsonlines;
    struct tap tap;
    struct junit junit;
} sink_memory;

static struct sink open_json(FILE *out)
{
    return json_sink(&sink_memory.json, out);
}

static struct sink open_jsonlines(FILE *out)
{
    return jsonlines_sink(&sink_memory.jsonlines, fake_now, out);
}

static struct sink open_tap(FILE *out)
{
    return tap_sink(&sink_memory.tap, sample_words, out);
}

static struct sink open_junit(FILE *out)
{
    struct junit_origin origin = {.host = "host", .seconds = 1};

    return junit_sink(&sink_memory.junit, origin, sample_words, out);
}

static const struct {
    const char *suffix;
    struct sink (*open)(FILE *out);
} formats[] = {
    {"json", open_json}, {"jsonl", open_jsonlines}, {"tap", open_tap}, {"xml", open_junit}};

#define FORMAT_COUNT (sizeof(formats) / sizeof(*formats))

static int write_set(struct sink sink, const struct set *set)
{
    sample_begin(sink, set->count + set->left);
    if (set->count > 0)
        sample_tell(sink, set->cells, set->count);
    return sample_end(sink, set->left, set->exit_status);
}

/* As programs find it. */

static FILE *create(const char *folder, const char *name, const char *suffix)
{
    char path[4096];
    FILE *out;

    snprintf(path, sizeof(path), "%s/%s.%s", folder, name, suffix);
    out = fopen(path, "we");
    if (!out)
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return out;
}

static int write_all_formats(const char *folder, const char *name)
{
    struct set set = make(name);
    int status = 0;

    for (size_t i = 0; i < FORMAT_COUNT && status == 0; i++) {
        FILE *out = create(folder, name, formats[i].suffix);

        status = out ? write_set(formats[i].open(out), &set) : -1;
        if (out)
            fclose(out);
    }
    drop(&set);
    return status;
}

static int write_result(const char *folder)
{
    struct set set = make("fail");
    FILE *out = create(folder, "result", "json");
    char *text = json_result_text(&set.cells[0]);

    if (out) {
        fputs(text, out);
        fclose(out);
    }
    free(text);
    drop(&set);
    return out ? 0 : -1;
}

static int write_refusal(const char *folder, const char *name, int exit_status)
{
    struct junit_origin origin = {.host = "host", .seconds = 1};
    struct lines said = {0};
    FILE *out[FORMAT_COUNT];
    int status = 0;

    lines_add(&said, "%s", "it cannot run: " SAMPLE_HOSTILE);
    lines_add(&said, "type this");
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        out[i] = create(folder, name, formats[i].suffix);
        if (!out[i])
            return -1;
    }
    json_error("edgewise", "1.2.3", exit_status, &said, out[0]);
    jsonlines_error("edgewise", "1.2.3", exit_status, &said, out[1]);
    tap_error(exit_status, &said, out[2]);
    status = junit_error("edgewise", origin, exit_status, &said, out[3]);
    for (size_t i = 0; i < FORMAT_COUNT; i++)
        status |= fclose(out[i]);
    lines_free(&said);
    return status;
}

static int write_folder(const char *folder)
{
    int status = write_result(folder);

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        status |= write_all_formats(folder, names[i]);
    status |= write_refusal(folder, "usage", STATUS_USAGE);
    status |= write_refusal(folder, "cannot", STATUS_CANNOT);
    return status;
}

/* The tests. */

static void every_set_can_be_written_in_every_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct set set = make(names[i]);

        for (size_t format = 0; format < FORMAT_COUNT; format++) {
            struct sample_stream stream;
            char *text;

            sample_open(&stream);
            assert_int_equal(write_set(formats[format].open(stream.out), &set), 0);
            text = sample_text(&stream);
            assert_int_equal(text[strlen(text) - 1], '\n');
            free(text);
        }
        drop(&set);
    }
}

static bool holds(const json_t *list, const char *word)
{
    size_t index;
    json_t *item;

    json_array_foreach(list, index, item)
        if (strcmp(json_string_value(item), word) == 0)
            return true;
    return false;
}

static void lists(const json_t *schema, const char *definition, const char *const *words,
                  size_t count)
{
    const json_t *list = json_object_get(
        json_object_get(json_object_get(schema, "definitions"), definition), "enum");

    assert_non_null(list);
    for (size_t i = 0; i < count; i++)
        if (!holds(list, words[i]))
            fail_msg("docs/result.schema.json: %s lacks \"%s\"", definition, words[i]);
    assert_int_equal(json_array_size(list), count);
}

/* Words that are in the program but not in the schema would refuse a right document. */
static void the_schema_knows_every_word(void **state)
{
    const char *verdicts[RESULT_VERDICT_COUNT];
    const char *worlds[RESULT_WORLD_COUNT];
    const char *triggers[REACTOR_TRIGGER_COUNT];
    const char *families[PLAN_FAMILY_COUNT];
    json_t *schema = json_load_file("docs/result.schema.json", JSON_REJECT_DUPLICATES, NULL);

    (void)state;
    assert_non_null(schema);
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++)
        verdicts[i] = result_verdict_name((enum result_verdict)i);
    for (int i = 0; i < RESULT_WORLD_COUNT; i++)
        worlds[i] = result_world_name((enum result_world)i);
    for (int i = 0; i < REACTOR_TRIGGER_COUNT; i++)
        triggers[i] = reactor_trigger_name((enum reactor_trigger)i);
    for (int i = 0; i < PLAN_FAMILY_COUNT; i++)
        families[i] = plan_family_name((enum plan_family)i);
    lists(schema, "verdict", verdicts, RESULT_VERDICT_COUNT);
    lists(schema, "world", worlds, RESULT_WORLD_COUNT);
    lists(schema, "trigger", triggers, REACTOR_TRIGGER_COUNT);
    lists(schema, "family", families, PLAN_FAMILY_COUNT);
    json_decref(schema);
}

static void the_schema_has_the_bound_of_the_lists(void **state)
{
    json_t *schema = json_load_file("docs/result.schema.json", 0, NULL);
    const json_t *lines =
        json_object_get(json_object_get(schema, "definitions"), "lines");

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(lines, "maxItems")), JSON_LINES_MAX);
    json_decref(schema);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_can_be_written_in_every_format),
        cmocka_unit_test(the_schema_knows_every_word),
        cmocka_unit_test(the_schema_has_the_bound_of_the_lists),
    };

    if (argc == 2)
        return write_folder(argv[1]) != 0;
    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
