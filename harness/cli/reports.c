/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/reports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/version.h"
#include "harness/memory.h"

/* What a command must say again to get the same scripts, and the artefacts in the same place. */
static char *repeat_rest(const struct options *options)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    for (size_t i = 0; i < options->set_count; i++) {
        fputs(" --set ", out);
        options_quote(out, options->sets[i]);
    }
    if (strcmp(options->out, OPTIONS_OUT) != 0) {
        fputs(" --out ", out);
        options_quote(out, options->out);
    }
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}

/* The command that makes the same runs in the same order. */
static char *replay_command(const struct verbs_call *call, uint64_t seed)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    fprintf(out, "%s scenario", call->program->command);
    options_repeat(out, call->options);
    fprintf(out, " --seed 0x%llx", (unsigned long long)seed);
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}

/* Text for a person. */

static void text_begin(void *self, const struct sink_start *start)
{
    const struct reports *reports = self;
    FILE *out = reports->call->out;

    if (reports->style.quiet)
        return;
    fprintf(out, "replay: %s\n", start->replay);
    if (reports->rootless)
        fprintf(out, "world: %s, in a user namespace\n", result_world_name(RESULT_WORLD_VETH));
    putc('\n', out);
    fflush(out);
}

static void text_block(void *self, const struct result *results, size_t count)
{
    const struct reports *reports = self;

    text_scenario(reports->call->out, &reports->style, results, count);
    fflush(reports->call->out);
}

static int text_end(void *self, const struct sink_finish *finish)
{
    const struct reports *reports = self;
    FILE *out = reports->call->out;

    text_summary(out, &reports->style, finish->score, finish->wall);
    if (finish->left > 0)
        fprintf(out, "%zu run%s not made\n", finish->left, finish->left == 1 ? " was" : "s were");
    if (!reports->style.quiet || finish->exit_status != STATUS_OK)
        fprintf(out, "replay: %s\n", reports->replay);
    return 0;
}

static enum status open_text(struct reports *reports, struct sink *ret_sink)
{
    static const struct sink_ops ops = {
        .begin = text_begin, .scenario = text_block, .end = text_end};
    const struct verbs_call *call = reports->call;

    reports->words = repeat_rest(call->options);
    reports->style = (struct text_style){
        .colour = call->colour,
        .quiet = call->options->quiet,
        .verbose = call->options->verbose,
        .out = call->options->out,
        .command = call->program->command,
        .scenarios = call->program->scenarios,
        .options = reports->words,
    };
    *ret_sink = (struct sink){.ops = &ops, .self = reports};
    return STATUS_OK;
}

/* One document for a program. */

static void json_begin(void *self, const struct sink_start *start)
{
    json_document_begin(&((struct reports *)self)->document, start->tool, start->version,
                        start->seed);
}

static void json_block(void *self, const struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        json_document_add(&((struct reports *)self)->document, &results[i]);
}

static int json_end(void *self, const struct sink_finish *finish)
{
    struct reports *reports = self;

    json_document_end(&reports->document, finish->score, reports->call->out);
    return 0;
}

static enum status open_json(struct reports *reports, struct sink *ret_sink)
{
    static const struct sink_ops ops = {
        .begin = json_begin, .scenario = json_block, .end = json_end};

    *ret_sink = (struct sink){.ops = &ops, .self = reports};
    return STATUS_OK;
}

/* All of them. */

bool reports_for_people(const struct options *options)
{
    return !options->json && !options->json_lines && !options->tap;
}

enum status reports_open(struct reports *ret_reports, const struct verbs_call *call,
                         const struct person *person, bool rootless, struct lines *said)
{
    const struct options *options = call->options;

    (void)person;
    *ret_reports = (struct reports){.call = call, .rootless = rootless};
    if (options->tap || options->json_lines || options->junit) {
        lines_add(said, "%s: --tap, --json-lines and --junit are not in this build", VERSION_TOOL);
        return STATUS_USAGE;
    }
    return (options->json ? open_json : open_text)(ret_reports,
                                                  &ret_reports->sinks[ret_reports->count++]);
}

void reports_begin(struct reports *reports, uint64_t seed, uint64_t runs)
{
    struct sink_start start = {
        .tool = VERSION_TOOL, .version = VERSION_NUMBER, .seed = seed, .runs = (size_t)runs};

    reports->replay = replay_command(reports->call, seed);
    start.replay = reports->replay;
    for (size_t i = 0; i < reports->count; i++)
        if (reports->sinks[i].ops->begin)
            reports->sinks[i].ops->begin(reports->sinks[i].self, &start);
}

void reports_run(struct reports *reports, const struct result *result)
{
    for (size_t i = 0; i < reports->count; i++)
        if (reports->sinks[i].ops->run)
            reports->sinks[i].ops->run(reports->sinks[i].self, result);
}

void reports_scenario(struct reports *reports, const struct result *results, size_t count)
{
    for (size_t i = 0; i < reports->count; i++)
        if (reports->sinks[i].ops->scenario)
            reports->sinks[i].ops->scenario(reports->sinks[i].self, results, count);
}

int reports_end(struct reports *reports, const struct sink_finish *finish)
{
    int first = 0;

    for (size_t i = 0; i < reports->count; i++) {
        const struct sink *sink = &reports->sinks[i];
        int status = sink->ops->end ? sink->ops->end(sink->self, finish) : 0;

        first = first < 0 ? first : status;
    }
    return first;
}

void reports_close(struct reports *reports)
{
    free(reports->words);
    free(reports->replay);
    reports->words = NULL;
    reports->replay = NULL;
}
