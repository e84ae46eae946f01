/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_TEXT_H
#define EDGEWISE_HARNESS_REPORT_TEXT_H

/*
 * The report that a person reads: one block a scenario, a table of verdicts with a row for each
 * family and a column for each trigger, and below it what went wrong, once however many runs it
 * concerns.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/report/score.h"
#include "harness/result.h"

/* Differences shown in the report; the artefacts have all of them. */
#define TEXT_DIFF_LINES 24
/* Lines of any other list. */
#define TEXT_LIST_LINES 40
/* Runs alike that are named each; of more only the first, since the table shows them all. */
#define TEXT_CELLS_NAMED 3

struct text_style {
    bool colour;
    bool quiet;   /* only what did not pass */
    bool verbose; /* the ledgers too, and differences whole */
    const char *out;     /* --out, for the artefacts' paths */
    const char *command; /* what starts the program, for the next command: "./run" */
    const char *scenarios; /* the tree whose scripts go by their names; NULL: none do */
    const char *options; /* more words of the next command, each after a blank; NULL: none */
};

/*
 * Prints the results of one scenario: one plan and world, any triggers and families, in any order.
 * `count` is at least 1.
 */
void text_scenario(FILE *out, const struct text_style *style, const struct result *results,
                   size_t count);

/* "12 passed, 0 failed, 0 late, 0 errors, 0 skipped in 0.214 s" */
void text_summary(FILE *out, const struct text_style *style, const struct score *score,
                  struct duration wall);

#endif
