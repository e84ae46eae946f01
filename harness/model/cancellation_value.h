/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CANCELLATION_VALUE_H
#define EDGEWISE_HARNESS_MODEL_CANCELLATION_VALUE_H

/*
 * A cancellation ledger as JSON. A row is what the account says after an event:
 *
 *     {"after":"target:ok:borrow","logical":"TIMEOUT","target":"TERMINAL(ok)",
 *      "cancel":"PENDING","d":0,"b":1,"pool":"HELD","request":"retained","logical_open":0,
 *      "unretired":1,"refused":0,"moves":["1,1","0,1"]}
 *
 * `refused` counts refusals so far. `moves` are d and b after each move of the buffer that the
 * event made: the sub-steps of a row (R-A-04).
 */

#include <jansson.h>

#include "harness/model/cancellation.h"

/* Sets "input", "rows", "totals", "peaks" and "outcome" of `object`. */
void cancellation_value_put(json_t *object, const struct cancellation *cancellation,
                            const struct cancellation_ledger *ledger);

#define CANCELLATION_VALUE_TEXT 128

/* A row for people, in the columns of the worked example:
 * "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0 (1,1)(0,1)". */
void cancellation_value_text(const struct cancellation_row *row,
                             char ret_text[CANCELLATION_VALUE_TEXT]);

#endif
