/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/junit.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/memory.h"
#include "harness/report/cell.h"
#include "harness/report/digest.h"
#include "harness/report/utf8.h"
#include "harness/report/written.h"

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
#define FOOT "</testsuites>\n"

/* Text. */

static const char *entity(char byte, bool attribute)
{
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return attribute ? "&quot;" : NULL;
    /* A reader would make a blank of it. */
    case '\n':
        return attribute ? "&#10;" : NULL;
    case '\t':
        return attribute ? "&#9;" : NULL;
    default:
        return NULL;
    }
}

static void put(FILE *out, const char *text, bool attribute)
{
    for (;;) {
        struct utf8_character next = utf8_next_printable(&text);
        const char *escaped;

        if (next.size == 0)
            return;
        escaped = entity(*next.bytes, attribute);
        if (escaped)
            fputs(escaped, out);
        else
            fwrite(next.bytes, 1, next.size, out);
    }
}

static void put_line(FILE *out, const char *line)
{
    put(out, line, false);
    putc('\n', out);
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put(out, value, true);
    putc('"', out);
}

static void put_time(FILE *out, struct duration time)
{
    int64_t us = time.ns / 1000;

    fprintf(out, " time=\"%" PRId64 ".%06" PRId64 "\"", us / 1000000, us % 1000000);
}

static void put_property(FILE *out, const char *name, const char *value)
{
    fputs("      <property", out);
    put_attribute(out, "name", name);
    put_attribute(out, "value", value);
    fputs("/>\n", out);
}

/* A suite. */

struct suite {
    const char *name;
    unsigned id;
    struct duration time;
    unsigned tests;
    unsigned failures;
    unsigned errors;
    unsigned skipped;
};

/* "framing" of "framing/one"; a name without a topic is its own. */
static char *topic_of(const char *name)
{
    return memory_text(name, strcspn(name, "/"));
}

/* "framing.one": what readers take for a package and a class in it. */
static char *class_of(const char *name)
{
    char *class = memory_text(name, strlen(name));

    for (char *at = strchr(class, '/'); at; at = strchr(at, '/'))
        *at = '.';
    return class;
}

static void put_when(FILE *out, int64_t seconds)
{
    time_t since_1970 = (time_t)seconds;
    char text[40] = "1970-01-01T00:00:00";
    struct tm date;

    if (gmtime_r(&since_1970, &date))
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &date);
    put_attribute(out, "timestamp", text);
}

static void put_suite(FILE *out, const struct junit_origin *origin, const struct suite *suite)
{
    char *topic = topic_of(suite->name);

    fputs("  <testsuite", out);
    put_attribute(out, "name", suite->name);
    put_attribute(out, "package", topic);
    fprintf(out, " id=\"%u\"", suite->id);
    put_when(out, origin->seconds);
    put_attribute(out, "hostname", origin->host && *origin->host ? origin->host : "localhost");
    fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\"", suite->tests,
            suite->failures, suite->errors, suite->skipped);
    put_time(out, suite->time);
    fputs(">\n", out);
    free(topic);
}

static struct suite count_cells(unsigned id, const struct result *results, size_t count)
{
    struct suite suite = {.name = results->plan->name, .id = id};

    for (size_t i = 0; i < count; i++) {
        suite.time.ns += results[i].wall.ns;
        suite.tests++;
        suite.failures += results[i].verdict == RESULT_FAIL;
        suite.errors += results[i].verdict == RESULT_ERROR;
        suite.skipped += results[i].verdict == RESULT_SKIP;
    }
    return suite;
}

static void put_properties(const struct junit *junit, const struct result *results, size_t count)
{
    FILE *out = junit->out;

    fputs("    <properties>\n", out);
    for (size_t i = 0; i + 1 < junit->properties.count; i += 2)
        put_property(out, junit->properties.line[i], junit->properties.line[i + 1]);
    for (size_t i = 0; i < count; i++) {
        char name[CELL_NAME_BYTES + 8];

        if (results[i].verdict != RESULT_LATE)
            continue;
        snprintf(name, sizeof(name), "late.%s", cell_name(&results[i]).text);
        put_property(out, name, results[i].reason ? results[i].reason : "");
    }
    fputs("    </properties>\n", out);
}

/* A case. */

static void put_trouble(const struct junit *junit, const char *element,
                        const struct result *result)
{
    const char *headline = digest_headline(result);
    char *next = next_command(&junit->words, result);
    struct lines details = {0};
    FILE *out = junit->out;

    fprintf(out, "      <%s type=\"%s\"", element, result_verdict_name(result->verdict));
    put_attribute(out, "message", headline ? headline : "");
    putc('>', out);
    if (result->reason)
        put_line(out, result->reason);
    digest_details(&details, result);
    for (size_t i = 0; i < details.count; i++)
        put_line(out, details.line[i]);
    fputs("next: ", out);
    put_line(out, next);
    fprintf(out, "</%s>\n", element);
    lines_free(&details);
    free(next);
}

static void put_skipped(FILE *out, const char *reason)
{
    fputs("      <skipped", out);
    put_attribute(out, "message", reason ? reason : "");
    fputs("/>\n", out);
}

static void put_case(const struct junit *junit, const struct result *result)
{
    FILE *out = junit->out;
    char *class = class_of(result->plan->name);

    fputs("    <testcase", out);
    put_attribute(out, "classname", class);
    put_attribute(out, "name", cell_name(result).text);
    put_time(out, result->wall);
    free(class);
    if (result->verdict == RESULT_PASS || result->verdict == RESULT_LATE) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (result->verdict == RESULT_SKIP)
        put_skipped(out, result->reason);
    else
        put_trouble(junit, result->verdict == RESULT_FAIL ? "failure" : "error", result);
    fputs("    </testcase>\n", out);
}

static void put_figures(FILE *out, const struct result *result)
{
    char *figures = digest_figures(result);

    fprintf(out, "%s %s\n", cell_name(result).text, figures);
    free(figures);
    if (result->verdict != RESULT_LATE || !result->reason)
        return;
    fputs("  ", out);
    put_line(out, result->reason);
}

static void put_output(FILE *out, const struct result *results, size_t count)
{
    fputs("    <system-out>", out);
    for (size_t i = 0; i < count; i++)
        put_figures(out, &results[i]);
    fputs("</system-out>\n    <system-err/>\n", out);
}

/* The sink. */

static void add_property(struct junit *junit, const char *name, const char *value)
{
    lines_add(&junit->properties, "%s", name);
    lines_add(&junit->properties, "%s", value);
}

static void sink_begin(void *self, const struct sink_start *start)
{
    struct junit *junit = self;
    char seed[32];

    junit->tool = memory_text(start->tool, strlen(start->tool));
    snprintf(seed, sizeof(seed), "0x%llx", (unsigned long long)start->seed);
    add_property(junit, "tool", start->tool);
    add_property(junit, "version", start->version);
    add_property(junit, "seed", seed);
    add_property(junit, "replay", start->replay);
    fputs(HEAD, junit->out);
}

static void sink_scenario(void *self, const struct result *results, size_t count)
{
    struct junit *junit = self;
    struct suite suite;

    assert(count > 0);
    suite = count_cells(junit->suites++, results, count);
    put_suite(junit->out, &junit->origin, &suite);
    put_properties(junit, results, count);
    for (size_t i = 0; i < count; i++)
        put_case(junit, &results[i]);
    put_output(junit->out, results, count);
    fputs("  </testsuite>\n", junit->out);
}

/* A suite of one case that stands for the program as a whole; `said` may be NULL. */
static void put_program(FILE *out, const struct junit_origin *origin, const struct suite *suite,
                        const char *message, const struct lines *said)
{
    put_suite(out, origin, suite);
    fputs("    <properties/>\n    <testcase", out);
    put_attribute(out, "classname", suite->name);
    fputs(" name=\"run\"", out);
    put_time(out, suite->time);
    fputs(">\n", out);
    if (suite->skipped) {
        put_skipped(out, message);
    } else {
        fputs("      <error type=\"run\"", out);
        put_attribute(out, "message", message);
        fputs("/>\n", out);
    }
    fputs("    </testcase>\n    <system-out/>\n    <system-err>", out);
    for (size_t i = 0; said && i < said->count; i++)
        put_line(out, said->line[i]);
    fputs("</system-err>\n  </testsuite>\n", out);
}

/* Otherwise what is missing would pass unseen. */
static void put_left(const struct junit *junit, const struct sink_finish *finish)
{
    bool broken = finish->exit_status == STATUS_BROKEN || finish->exit_status > STATUS_SIGNAL;
    struct suite suite = {
        .name = junit->tool,
        .id = junit->suites,
        .tests = 1,
        .errors = broken,
        .skipped = !broken,
    };
    char message[64];

    snprintf(message, sizeof(message), "runs not made: %zu; exit %d", finish->left,
             finish->exit_status);
    put_program(junit->out, &junit->origin, &suite, message, NULL);
}

static int sink_end(void *self, const struct sink_finish *finish)
{
    struct junit *junit = self;

    if (finish->left > 0)
        put_left(junit, finish);
    fputs(FOOT, junit->out);
    lines_free(&junit->properties);
    free(junit->tool);
    junit->tool = NULL;
    return written_flush(junit->out, 0);
}

struct sink junit_sink(struct junit *junit, struct junit_origin origin, struct next_words words,
                       FILE *out)
{
    static const struct sink_ops ops = {
        .begin = sink_begin,
        .scenario = sink_scenario,
        .end = sink_end,
    };

    *junit = (struct junit){.out = out, .origin = origin, .words = words};
    return (struct sink){&ops, junit};
}

int junit_error(const char *tool, struct junit_origin origin, int exit_status,
                const struct lines *said, FILE *out)
{
    bool skipped = exit_status == STATUS_CANNOT;
    struct suite suite = {.name = tool, .tests = 1, .errors = !skipped, .skipped = skipped};

    fputs(HEAD, out);
    put_program(out, &origin, &suite, said->count > 0 ? said->line[0] : "", said);
    fputs(FOOT, out);
    return written_flush(out, 0);
}
