/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_ASK_H
#define EDGEWISE_HARNESS_MODEL_ASK_H

/*
 * What a command line asks of the model. Its options are many and concern one case each, so they
 * have a table of their own. Options of one case choose that case; nothing is ever ignored: an
 * option that the chosen case does not have is refused (R-CK-07).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/model/cancellation.h"
#include "harness/model/framing.h"
#include "harness/model/readiness.h"

#define ASK_BUDGET_MAX 10000 /* of every budget and count */
#define ASK_CAPACITY_MAX (1 << 20)
#define ASK_ERROR_BYTES 400

enum ask_case {
    ASK_ALL,
    ASK_READINESS,
    ASK_FRAMING,
    ASK_CANCELLATION,
    ASK_CASE_COUNT
};

struct ask {
    enum ask_case which;
    struct readiness readiness;
    struct framing framing;
    struct cancellation cancellation;
    enum defects defect;
    bool help;
};

/*
 * Reads the words behind the verb; `argv[0]` is the verb itself. 0; -EINVAL with one line in
 * `ret_error`, `ret_ask` untouched. Strings are borrowed from argv. Uses getopt: one thread.
 */
int ask_parse(int argc, char **argv, struct ask *ret_ask, char ret_error[ASK_ERROR_BYTES]);

/* Prints the options, one a line, aligned. */
void ask_help(FILE *out);

#endif
