/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/model.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cli/help.h"
#include "harness/cli/variant.h"
#include "harness/cli/version.h"
#include "harness/memory.h"
#include "harness/model/document.h"

/* The document, and what failed in one line. */
static int print_document(const struct ask *ask, FILE *out)
{
    char error[ASK_ERROR_BYTES];
    struct checks checks;
    bool good;

    if (document_print(ask, out, &checks, error) < 0) {
        fprintf(stderr, "%s: model: %s\n", VERSION_TOOL, error);
        return STATUS_USAGE;
    }
    good = checks.failed == 0;
    if (!good)
        fprintf(stderr, "%s: model: %u of %u checks failed, such as: %s\n", VERSION_TOOL,
                checks.failed, checks.run, checks.told.line[0]);
    checks_free(&checks);
    return good ? STATUS_OK : STATUS_FAILED;
}

/* A rule that is taken away may make the reactor end its process: that is a failed check, too. */
static int print_defective(const struct ask *ask, FILE *out)
{
    pid_t child;
    int ended = 0;

    fflush(out);
    child = fork();
    if (child == 0) {
        int status = print_document(ask, out);

        _exit(fflush(out) == 0 ? status : STATUS_BROKEN);
    }
    if (child < 0 || waitpid(child, &ended, 0) < 0) {
        fprintf(stderr, "%s: model: a child process could not be made\n", VERSION_TOOL);
        return STATUS_BROKEN;
    }
    if (WIFEXITED(ended))
        return WEXITSTATUS(ended);
    fprintf(stderr, "%s: model: the reactor's own assertion ended it (%s)\n", VERSION_TOOL,
            strsignal(WTERMSIG(ended)));
    return STATUS_FAILED;
}

/* Becomes the build that can do it, if this one cannot. */
static int run_defective(const struct verbs_call *call, const struct ask *ask)
{
    struct options options = {.defect = defects_name(ask->defect)};
    struct verbs_call other = *call;
    struct lines said = {0};
    int status = STATUS_OK;

    other.options = &options;
    if (!defects_possible(ask->defect))
        status = variant_become(&other, &said);
    verbs_refuse(call->out, false, status, &said);
    lines_free(&said);
    return status == STATUS_OK ? print_defective(ask, call->out) : status;
}

int model_run(const struct verbs_call *call)
{
    char error[ASK_ERROR_BYTES];
    struct ask ask;
    size_t count = 0;
    char **words;
    int status;

    /* getopt moves them, and another build may want them as they were. */
    while (call->words[count])
        count++;
    words = memory_zeroed(count + 1, sizeof(*words));
    memcpy(words, call->words, count * sizeof(*words));
    status = ask_parse((int)count, words, &ask, error);
    free(words);
    if (status < 0) {
        fprintf(stderr, "%s: model: %s\n", VERSION_TOOL, error);
        return STATUS_USAGE;
    }
    if (ask.help) {
        help_verb(call->out, call->program->bare, verbs_find(call->words[0]));
        return STATUS_OK;
    }
    return ask.defect == DEFECTS_NONE ? print_document(&ask, call->out)
                                      : run_defective(call, &ask);
}
