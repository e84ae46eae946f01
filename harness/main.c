/* SPDX-License-Identifier: BSD-2-Clause */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/cli/help.h"
#include "harness/cli/output.h"
#include "harness/cli/reports.h"
#include "harness/cli/verbs.h"
#include "harness/cli/version.h"
#include "harness/descriptor.h"

static int usage(const char *command, const char *typed)
{
    const struct verbs_verb *nearest = typed ? verbs_nearest(typed) : NULL;

    if (!typed) {
        help_program(stderr, command);
        fprintf(stderr, "\n%s: a verb is missing; to start with, try: %s doctor\n", VERSION_TOOL,
                command);
    } else if (nearest) {
        fprintf(stderr, "%s: there is no verb '%.80s'; did you mean %s?\n", VERSION_TOOL, typed,
                nearest->name);
    } else {
        fprintf(stderr, "%s: there is no verb '%.80s'; %s help lists them\n", VERSION_TOOL, typed,
                command);
    }
    return STATUS_USAGE;
}

static bool is_among(const char *word, char *const *argv)
{
    for (; *argv && strcmp(*argv, "--") != 0; argv++)
        if (strcmp(*argv, word) == 0)
            return true;
    return false;
}

/* The form of results that stood beside an option which could not be read, one at most. */
static struct options form_of(const struct verbs_verb *verb, char *const *argv)
{
    bool runs = verb->options & OPTIONS_SCENARIO;
    struct options form = {.json = is_among("--json", argv)};

    form.json_lines = runs && !form.json && is_among("--json-lines", argv);
    form.tap = runs && !form.json && !form.json_lines && is_among("--tap", argv);
    return form;
}

static int usage_of(const struct verbs_verb *verb, const struct verbs_call *call, const char *error)
{
    struct options form = form_of(verb, call->words);
    struct verbs_call refused = *call;
    struct lines said = {0};
    int status;

    refused.options = &form;
    lines_add(&said, "%s: %s", VERSION_TOOL, error);
    lines_add(&said, "%s: %s help %s lists what there is", VERSION_TOOL, call->program->bare,
              verb->name);
    status = reports_refuse(&refused, STATUS_USAGE, &said);
    lines_free(&said);
    return status;
}

static int run_verb(const struct verbs_verb *verb, int argc, char **argv,
                    const struct program *program, FILE *out)
{
    struct options options;
    struct options_error error;
    struct verbs_call call = {
        .words = argv, .options = &options, .program = program, .out = out};

    if (verb->own_options)
        return verb->run(&call);
    if (options_parse(verb->options, argc, argv, &options, &error) < 0)
        return usage_of(verb, &call, error.text);
    if (options.help) {
        help_verb(out, program->bare, verb);
        return STATUS_OK;
    }
    call.colour = !options.no_color && output_colour(STDOUT_FILENO);
    return verb->run(&call);
}

static int run(int argc, char **argv, FILE *out)
{
    struct program program;
    const struct verbs_verb *verb;

    program_find(&program);
    if (argc < 2)
        return usage(program.bare, NULL);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        fprintf(out, "%s %s\n", VERSION_TOOL, VERSION_NUMBER);
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_program(out, program.bare);
        return STATUS_OK;
    }
    verb = verbs_find(argv[1]);
    return verb ? run_verb(verb, argc - 1, argv + 1, &program, out) : usage(program.bare, argv[1]);
}

static void ignore(int signal_number)
{
    (void)signal_number;
}

/* Whoever starts us may hand on signals that it ignores or blocks: without SIGCHLD nobody can be
 * waited for, and whatever is blocked could not end us. */
static void settle_signals(void)
{
    /* A handler instead of SIG_IGN: programs that are started from here get the default back. */
    struct sigaction told_by_write = {.sa_handler = ignore, .sa_flags = SA_RESTART};
    struct sigaction plain = {.sa_handler = SIG_DFL};
    sigset_t none;

    sigaction(SIGPIPE, &told_by_write, NULL);
    sigaction(SIGXFSZ, &told_by_write, NULL);
    sigaction(SIGCHLD, &plain, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int main(int argc, char **argv)
{
    struct output output;
    int status;
    int written;

    settle_signals();
    if (descriptor_hold_standard() < 0)
        return STATUS_BROKEN;
    if (output_open(&output, STDOUT_FILENO) < 0)
        return STATUS_BROKEN;
    status = run(argc, argv, output.stream);
    written = output_close(&output);
    if (written < 0) {
        fprintf(stderr, "%s: standard output: %s\n", VERSION_TOOL, strerror(-written));
        return status > STATUS_SIGNAL ? status : STATUS_BROKEN;
    }
    return status;
}
