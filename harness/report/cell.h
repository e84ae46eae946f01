/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_CELL_H
#define EDGEWISE_HARNESS_REPORT_CELL_H

/* One run of a scenario as a cell of its table: its words, and the name that its folder has. */

#include <stdbool.h>

#include "harness/result.h"

#define CELL_NAME_BYTES 64
#define CELL_TEXT_BYTES 32

struct cell_name {
    char text[CELL_NAME_BYTES];
};

/* "veth-et-ipv4", "veth-et-ipv4+no-requeue". */
struct cell_name cell_name(const struct result *result);

/* Whether some run has this name. */
bool cell_is_name(const char *name);
/* As a person calls it beside others of its scenario: "et ipv4", and "sim et ipv4" where it is not
 * the real kernel. */
struct cell_name cell_words(const struct result *result);

/* The verdict as reports print it: "PASS", "FAIL" ... */
const char *cell_verdict_word(enum result_verdict verdict);

struct cell_text {
    char text[CELL_TEXT_BYTES];
};

/* All runs that the cell stands for, at least 1. */
uint32_t cell_runs(const struct result *result);

/* What stands behind the verdict, at most `width` characters: "61 rows 12 ms", shorter where that
 * is too long; of repeated runs "500 runs" or "3 of 500". "" for a single skip. */
struct cell_text cell_text(const struct result *result, size_t width);

/* Whole milliseconds, rounded to the nearest. */
long long cell_ms(struct duration duration);

#endif
