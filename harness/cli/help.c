/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/help.h"

#include <string.h>

#include "harness/cli/version.h"

void help_program(FILE *out, const char *command)
{
    fprintf(out, "%s %s: a test bench for event loops on the real kernel's epoll\n\n", VERSION_TOOL,
            VERSION_NUMBER);
    fprintf(out, "usage: %s VERB [OPTION...] [NAME...]\n\n", command);
    for (size_t i = 0; i < verbs_count(); i++)
        fprintf(out, "  %-10s %s\n", verbs_table[i].name, verbs_table[i].summary);
    /* The launcher's own verb; an installed program has no tests with it. */
    if (strcmp(command, VERSION_TOOL) != 0)
        fprintf(out, "  %-10s %s\n", "test", "build and run the tests of this checkout");
    fprintf(out, "\n%s help VERB says more; %s doctor tells what works here.\n", command, command);
}

void help_verb(FILE *out, const char *command, const struct verbs_verb *verb)
{
    bool bare = verb->options == OPTIONS_NONE;

    fprintf(out, "usage: %s %s%s%s%s\n%s\n", command, verb->name, bare ? "" : " [OPTION...]",
            *verb->operands ? " " : "", verb->operands, verb->summary);
    if (verb->own_options) {
        putc('\n', out);
        verb->own_options(out);
    } else if (verb->options != OPTIONS_NONE) {
        putc('\n', out);
        options_help(out, verb->options);
    }
    if (*verb->about)
        fprintf(out, "\n%s", verb->about);
}

int help_run(const struct verbs_call *call)
{
    const struct options *options = call->options;

    if (options->operand_count == 0) {
        help_program(call->out, call->program->bare);
        return STATUS_OK;
    }
    for (size_t i = 0; i < options->operand_count; i++) {
        const struct verbs_verb *verb = verbs_find(options->operands[i]);

        if (!verb) {
            fprintf(stderr, "%s: help: there is no verb '%.80s'; %s help lists them\n",
                    VERSION_TOOL, options->operands[i], call->program->bare);
            return STATUS_USAGE;
        }
        fputs(i ? "\n" : "", call->out);
        help_verb(call->out, call->program->bare, verb);
    }
    return STATUS_OK;
}
