/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_SELECTION_H
#define EDGEWISE_HARNESS_CLI_SELECTION_H

/* From the words of a command line to plans: every script is read, and every mistake found, before
 * anything runs. */

#include "harness/catalog.h"
#include "harness/cli/options.h"
#include "harness/ledger/judge.h"
#include "harness/lines.h"
#include "harness/script/plan.h"

struct selection_item {
    struct plan *plan;
    struct judge_expected expected; /* all zero before selection_expected */
    unsigned triggers; /* those to run: the script's and the command line's; may be 0 */
    unsigned families;
};

struct selection {
    struct selection_item *items;
    size_t count;
};

/*
 * Reads the scripts that `operands` name, from the tree `scenarios` ("" when there is none) or
 * wherever they are; none at all means all. 0; -EINVAL when something is wrong, with all of it in
 * `errors`, lines ready to print, of which a --set that is wrong in many scripts takes one;
 * `ret_selection` then holds what is right. Free it with selection_free either way.
 */
int selection_scripts(const struct options *options, const char *scenarios,
                      struct selection *ret_selection, struct lines *errors);

/* Takes out what --trigger and --family leave nothing of. 0, or -EINVAL with a line in `errors`
 * when nothing is left at all. */
int selection_filter(struct selection *selection, const struct options *options,
                     struct lines *errors);

/* Whether this machine has what the scripts name: a congestion control that the kernel lacks would
 * break every run. 0, or -EINVAL with all mistakes in `errors`. */
int selection_machine(const struct selection *selection, const struct options *options,
                      struct lines *errors);

/* Reads what is expected of each. 0, or -EINVAL with all mistakes in `errors`. */
int selection_expected(struct selection *selection, struct lines *errors);

/* How many runs an item makes: triggers x families. */
size_t selection_item_runs(const struct selection_item *item);

/* And all of them together. */
size_t selection_runs(const struct selection *selection);

/* Frees the plans and what is expected of them. */
void selection_free(struct selection *selection);

#endif
