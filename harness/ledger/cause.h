/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_CAUSE_H
#define EDGEWISE_HARNESS_LEDGER_CAUSE_H

/* From a row back to the script: the statement whose instant it belongs to. */

#include <stddef.h>

#include "harness/script/plan.h"

/* Room for the text of any statement with a sensible name in it; a longer one loses its end. */
#define CAUSE_TEXT_MAX 160

/* Script time in its largest whole unit: "4ms", "200us", "1s". */
void cause_time(struct instant at, char *ret_text, size_t size);

/* A duration, not below 0, for reading: whole ns below 10 us, whole us below 10 ms, else ms. */
void cause_span(struct duration span, char *ret_text, size_t size);

/* The statement as the script would say it, without its time: "c send 54 00 02". */
void cause_statement(const struct plan *plan, const struct plan_statement *statement,
                     char ret_text[static CAUSE_TEXT_MAX]);

/* The last statement at or before `at`, NULL when the timeline had not begun. */
const struct plan_statement *cause_find(const struct plan *plan, struct instant at);

/* The same for a row of the events ledger: of the statements of that instant the last about the one
 * that the row is about, if there is any. */
const struct plan_statement *cause_of_row(const struct plan *plan, struct instant at,
                                          const char *row);

#endif
