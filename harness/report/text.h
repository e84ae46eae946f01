/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_TEXT_H
#define EDGEWISE_HARNESS_REPORT_TEXT_H

/*
 * The report that a person reads: one block a scenario, a table of verdicts with a row for each
 * family and a column for each trigger, and below it what went wrong, once however many runs it
 * concerns. Every line is of printable ASCII, and at most PAGE_COLUMNS wide.
 */

#include <stddef.h>
#include <stdio.h>

#include "harness/report/score.h"
#include "harness/report/sink.h"
#include "harness/report/text_style.h"
#include "harness/result.h"

struct text {
    FILE *out;
    const struct text_style *style;
    char *replay; /* from `begin` to `end` */
};

/* The report as a sink. `text` is its memory; it, `out` and `style` are borrowed until `end`, which
 * frees what `begin` made. Each scenario is flushed. */
struct sink text_sink(struct text *text, FILE *out, const struct text_style *style);

/*
 * Prints the results of one scenario: one plan and world, any triggers and families, in any order.
 * `count` is at least 1.
 */
void text_scenario(FILE *out, const struct text_style *style, const struct result *results,
                   size_t count);

/* "12 passed, 0 failed, 0 late, 0 errors, 0 skipped in 0.214 s", and unless quiet what those
 * verdicts mean that a person may take for another. */
void text_summary(FILE *out, const struct text_style *style, const struct score *score,
                  struct duration wall);

#endif
