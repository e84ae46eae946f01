/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_DOCUMENT_H
#define EDGEWISE_HARNESS_MODEL_DOCUMENT_H

/*
 * The model's ledgers as one JSON document. With one case it is
 *
 *     {"tool", "version", "defect"?, "case", "example"?, "about"?, "covers"?, "input", "rows",
 *      "totals", "peaks", "outcome", "checks": {"run", "failed"}, "failed_checks"?, "not_proved": [...]}
 *
 * and with all of them {"tool", "version", "defect"?, "cases": [CASE...], "checks",
 * "failed_checks"?, "not_proved"}, the checks being those of all cases. It is printed with a line for each row.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/model/ask.h"
#include "harness/model/checks.h"

/* Plays what `ask` says and prints the document. True when no check failed; `ret_checks` has all
 * of them, to be freed. */
bool document_print(const struct ask *ask, FILE *out, struct checks *ret_checks);

#endif
