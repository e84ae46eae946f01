/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/verbs.h"

#include <string.h>

#include "harness/cli/clean.h"
#include "harness/cli/doctor.h"
#include "harness/cli/help.h"
#include "harness/cli/list.h"
#include "harness/cli/model.h"
#include "harness/cli/scenario.h"
#include "harness/cli/version.h"
#include "harness/model/ask.h"
#include "harness/report/json.h"
#include "harness/suggest.h"

const struct verbs_verb verbs_table[] = {
    {
        .name = "scenario",
        .operands = "[NAME...]",
        .summary = "run scenarios, compare with what is expected, report",
        .about =
            "NAME is a scenario (framing/one-frame-per-quantum), a topic (framing), a glob in\n"
            "quotes ('ends/*paused'), a file that ends in .scn, or all. With --defect alone\n"
            "the scenario that shows it runs.\n"
            "\n"
            "Exit status: 0 all passed, 1 a verdict failed, 2 wrong usage or script, 3 the\n"
            "bench broke, 4 nothing can run here, 5 late and nothing failed, 130 or 143\n"
            "interrupted.\n",
        .options = OPTIONS_SCENARIO,
        .run = scenario_run,
    },
    {
        .name = "list",
        .operands = "[PATTERN...]",
        .summary = "the scenarios, and what each is about",
        .about = "PATTERN is a scenario, a topic, a glob in quotes or a file, as for scenario.\n",
        .options = OPTIONS_LIST,
        .run = list_run,
    },
    {
        .name = "model",
        .operands = "",
        .summary = "play ledgers on the simulated kernel, check them, print JSON",
        .about =
            "Without options: all worked examples. Options of one case choose that case, and play\n"
            "one ledger of it.\n"
            "\n"
            "Exit status: 0 when every check holds, 1 when one failed, 2 wrong usage.\n",
        .own_options = ask_help,
        .run = model_run,
    },
    {
        .name = "doctor",
        .operands = "",
        .summary = "what works here, what for, and how to mend the rest",
        .about = "Exit status: 0 when scenarios can run here, else 4.\n",
        .options = OPTIONS_DOCTOR,
        .run = doctor_run,
    },
    {
        .name = "clean",
        .operands = "",
        .summary = "remove what runs that were killed have left behind",
        .about =
            "Removes what is provably ours and nobody's any more: processes of this program\n"
            "whose bench has gone, and below --out (and the scenarios) the files and folders\n"
            "that a run was writing when it died. All else is left, with the reason.\n"
            "\n"
            "Exit status: 0 when nothing of it remains, 3 when something could not be\n"
            "removed.\n",
        .options = OPTIONS_CLEAN,
        .run = clean_run,
    },
    {
        .name = "help",
        .operands = "[VERB]",
        .summary = "this, or the help of one verb",
        .about = "",
        .options = OPTIONS_NONE,
        .run = help_run,
    },
};

void verbs_refuse(FILE *out, bool json, int status, const struct lines *said)
{
    for (size_t i = 0; i < said->count; i++)
        fprintf(stderr, "%s\n", said->line[i]);
    if (json)
        json_error(VERSION_TOOL, VERSION_NUMBER, status, said, out);
}

size_t verbs_count(void)
{
    return sizeof(verbs_table) / sizeof(*verbs_table);
}

const struct verbs_verb *verbs_find(const char *name)
{
    for (size_t i = 0; i < verbs_count(); i++)
        if (strcmp(verbs_table[i].name, name) == 0)
            return &verbs_table[i];
    return NULL;
}

const struct verbs_verb *verbs_nearest(const char *typed)
{
    const char *names[sizeof(verbs_table) / sizeof(*verbs_table)];
    const char *nearest;

    for (size_t i = 0; i < verbs_count(); i++)
        names[i] = verbs_table[i].name;
    nearest = suggest_nearest(typed, names, verbs_count());
    return nearest ? verbs_find(nearest) : NULL;
}
