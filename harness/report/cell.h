/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_CELL_H
#define EDGEWISE_HARNESS_REPORT_CELL_H

/* One run of a scenario as a cell of its table: its words, and the name that its folder has. */

#include "harness/result.h"

#define CELL_NAME_BYTES 64

struct cell_name {
    char text[CELL_NAME_BYTES];
};

/* "veth-et-ipv4", "veth-et-ipv4+no-requeue". */
struct cell_name cell_name(const struct result *result);

/* The verdict as reports print it: "PASS", "FAIL" ... */
const char *cell_verdict_word(enum result_verdict verdict);

/* Whole milliseconds, rounded to the nearest. */
long long cell_ms(struct duration duration);

#endif
