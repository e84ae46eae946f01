/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_NEXT_H
#define EDGEWISE_HARNESS_REPORT_NEXT_H

/* The command to type after a run that did not pass: that run alone, with all of its ledgers. */

#include "harness/result.h"

/* What it is made of. The strings are borrowed. */
struct next_words {
    const char *command;   /* what starts the program: "./run" */
    const char *scenarios; /* the tree whose scripts go by their names; NULL: none do */
    const char *options;   /* more words, each after a blank: " --set a=1"; NULL: none */
};

/* "./run scenario framing/one --trigger et --family ipv4 -v"; the caller frees it. */
char *next_command(const struct next_words *words, const struct result *result);

#endif
