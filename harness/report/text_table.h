/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_TEXT_TABLE_H
#define EDGEWISE_HARNESS_REPORT_TEXT_TABLE_H

/*
 * The verdicts of one scenario as a table, a row for each family and a column for each trigger:
 *
 *     veth    et                      lt                      os
 *     ipv4    PASS  61 rows 12 ms     FAIL  3 of 500          LATE  7 of 500
 */

#include <stddef.h>
#include <stdio.h>

#include "harness/report/text_style.h"
#include "harness/result.h"

/* `count` results, at least 1, of one plan: a block for each world, within it in any order. */
void text_table_print(FILE *out, const struct text_style *style, const struct result *results,
                      size_t count);

#endif
