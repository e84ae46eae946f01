/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_VERBS_H
#define EDGEWISE_HARNESS_CLI_VERBS_H

/* What the program can be told to do: one table. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/cli/options.h"
#include "harness/cli/program.h"
#include "harness/cli/status.h"
#include "harness/lines.h"

/* What a verb works with. Standard output is `out`; errors and progress go to stderr. */
struct verbs_call {
    char *const *words; /* the command line from the verb on, ended by NULL */
    const struct options *options;
    const struct program *program;
    FILE *out;
    bool colour; /* on `out` */
};

struct verbs_verb {
    const char *name;
    const char *operands; /* "NAME..." */
    const char *summary;  /* one line */
    const char *about;    /* what --help says below, lines with newlines; "" for nothing */
    unsigned options;     /* its bit in the options table; 0 with own_options */
    /* Prints the options of a verb that reads its words itself; NULL for all others. */
    void (*own_options)(FILE *out);
    int (*run)(const struct verbs_call *call); /* an enum status, or STATUS_SIGNAL + n */
};

/* Why a verb did nothing: the lines on standard error, and with `json` as a document on `out`. */
void verbs_refuse(FILE *out, bool json, int status, const struct lines *said);

/* All of them, in the order of help. */
extern const struct verbs_verb verbs_table[];

/* How many they are. */
size_t verbs_count(void);

/* The verb called `name`, or NULL. */
const struct verbs_verb *verbs_find(const char *name);

/* The verb whose name is nearest to what was typed, or NULL. */
const struct verbs_verb *verbs_nearest(const char *typed);

#endif
