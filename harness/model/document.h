/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_DOCUMENT_H
#define EDGEWISE_HARNESS_MODEL_DOCUMENT_H

/*
 * The model's ledgers as one JSON document. With one case it is
 *
 *     {"tool", "version", "defect"?, "case", "example"?, "about"?, "covers"?, "input", "rows",
 *      "totals", "peaks", "outcome", "checks": {"run", "failed"}, "failed_checks"?,
 *      "not_proved": [...]}
 *
 * and with all of them {"tool", "version", "defect"?, "cases": [CASE...], "checks",
 * "failed_checks"?, "not_proved"}, the checks being those of all cases. A row is printed on one
 * line. What it says lies in readiness_value.h, framing_value.h and
 * cancellation_value.h.
 */

#include <jansson.h>
#include <stdio.h>

#include "harness/model/ask.h"
#include "harness/model/checks.h"

/* Plays what `ask` says and prints the document. 0, and `ret_checks` has all checks, to be freed;
 * -EINVAL when it cannot be played, with one line in `ret_error`, and nothing is printed. */
int document_print(const struct ask *ask, FILE *out, struct checks *ret_checks,
                   char ret_error[ASK_ERROR_BYTES]);

#endif
