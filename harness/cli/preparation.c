/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/preparation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/cli/checkup.h"
#include "harness/cli/version.h"
#include "harness/conduct/bench.h"
#include "harness/memory.h"
#include "harness/shell.h"

#define WORLD(name) (1u << RESULT_WORLD_##name)

static enum status select_all(struct selection *selection, const struct verbs_call *call,
                              struct lines *said)
{
    int status;

    if (call->options->operand_count == 0) {
        lines_add(said, "%s: scenario: which one? %s list names them; all is all of them",
                  VERSION_TOOL, call->program->bare);
        return STATUS_USAGE;
    }
    status = selection_scripts(call->options, call->program->scenarios, selection, said);
    if (status == 0)
        status = selection_filter(selection, call->options, said);
    /* The simulated kernel takes any congestion control. */
    if (status == 0 && call->options->worlds != WORLD(SIM))
        status = selection_machine(selection, call->options, said);
    if (status == 0)
        status = selection_expected(selection, said);
    return status < 0 ? STATUS_USAGE : STATUS_OK;
}

/* This very command behind sudo. */
static char *sudo_command(const struct verbs_call *call)
{
    char *text = NULL;
    size_t size;
    FILE *out = memory_must(open_memstream(&text, &size));

    fprintf(out, "sudo %s", call->program->bare);
    for (char *const *word = call->words; *word; word++) {
        putc(' ', out);
        shell_quote(out, *word);
    }
    memory_must(fclose(out) == 0 ? text : NULL);
    return text;
}

static enum status refuse_world(const struct verbs_call *call, struct checkup_rights rights,
                                const struct bench_failure *failure, struct lines *said)
{
    struct lines commands = {0};
    char *sudo = sudo_command(call);

    checkup_mend(rights, failure->code, sudo, &commands);
    free(sudo);
    lines_add(said, "%s: cannot run here: %s", VERSION_TOOL, failure->text);
    for (size_t i = 0; i < commands.count; i++)
        lines_add(said, "%s: %s: %s", VERSION_TOOL, i == 0 ? "type" : "or", commands.line[i]);
    lines_add(said, "%s: %s doctor tells what is missing", VERSION_TOOL, call->program->bare);
    lines_free(&commands);
    return STATUS_CANNOT;
}

/* Whether the machine does not allow a world, or does not know it. All else went wrong: nobody is
 * to take a pass in another world for the answer. */
static bool denied(const struct bench_failure *why)
{
    static const int errors[] = {EPERM, EACCES, ENOSPC, ENOSYS, EOPNOTSUPP, EAFNOSUPPORT};

    for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
        if (why->code == errors[i])
            return true;
    return false;
}

/* Of several worlds that are asked for those that cannot be had are skipped; where none is asked
 * for, and the runs are to be no examples, the simulated one stands in for the real one. */
static enum status choose_worlds(struct preparation *preparation, const struct verbs_call *call,
                                 struct checkup_rights rights, struct lines *said)
{
    const struct options *options = call->options;

    preparation->worlds = options->worlds ? options->worlds : WORLD(VETH);
    if (!(preparation->worlds & WORLD(VETH)) ||
        bench_prepare(RESULT_WORLD_VETH, &preparation->why) == 0)
        return STATUS_OK;
    preparation->missing = WORLD(VETH);
    if (options->worlds == 0 && !options->bless && denied(&preparation->why))
        preparation->worlds = WORLD(SIM);
    if (preparation->worlds == WORLD(VETH) || !denied(&preparation->why))
        return refuse_world(call, rights, &preparation->why, said);
    return STATUS_OK;
}

static enum status prepare_world(struct preparation *preparation, const struct verbs_call *call,
                                 struct lines *said)
{
    struct checkup_rights rights = checkup_rights();

    /* Before a user namespace hides who called. */
    preparation->rootless = !rights.root;
    if (person_find(&preparation->person) < 0) {
        lines_add(said, "%s: SUDO_UID and SUDO_GID are no numbers of a user and a group; "
                  "unset them, or call by sudo", VERSION_TOOL);
        return STATUS_USAGE;
    }
    return choose_worlds(preparation, call, rights, said);
}

void preparation_tell(const struct preparation *preparation, const struct options *options,
                      char *ret_text, size_t size)
{
    bool veth = preparation->worlds & WORLD(VETH) & ~preparation->missing;

    ret_text[0] = '\0';
    if (veth && preparation->rootless)
        (void)snprintf(ret_text, size, "veth, in a user namespace");
    else if (options->worlds == 0 && !veth)
        (void)snprintf(ret_text, size, "sim, a simulated kernel, since there is no veth here: %s",
                       preparation->why.text);
}

static enum status prepare_out(struct preparation *preparation, const struct options *options,
                               struct lines *said)
{
    struct folder_error error;

    preparation->artefacts =
        (struct artefacts){.out = options->out, .person = &preparation->person};
    if (artefacts_probe(&preparation->artefacts, &error) == 0)
        return STATUS_OK;
    lines_add(said, "%s: cannot write artefacts: %s; --out DIR puts them elsewhere", VERSION_TOOL,
              error.text);
    return STATUS_BROKEN;
}

enum status preparation_make(struct preparation *ret_preparation, const struct verbs_call *call,
                             struct lines *said)
{
    enum status status;

    *ret_preparation = (struct preparation){0};
    status = select_all(&ret_preparation->selection, call, said);
    if (status == STATUS_OK)
        status = prepare_world(ret_preparation, call, said);
    if (status == STATUS_OK)
        status = prepare_out(ret_preparation, call->options, said);
    return status;
}

void preparation_free(struct preparation *preparation)
{
    selection_free(&preparation->selection);
}
