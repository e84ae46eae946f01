/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_FRAMING_VALUE_H
#define EDGEWISE_HARNESS_MODEL_FRAMING_VALUE_H

/*
 * A framing ledger as JSON. A row is a step; what does not apply to it is null:
 *
 *     {"step":3,"quantum":1,"event":"read","asked":2,"got":1,"data":"00","used":0,"reserved":5,
 *      "state":"RUNNING","hint":1,"queue":[],"partial":"00","unread":0}
 *
 * Events: edge, dispatch (a quantum reserves room), reserve (for one more frame), read, frame N,
 * yield and pause with what ended the quantum, end with how, consume N, resume. `unread` counts
 * bytes.
 */

#include <jansson.h>

#include "harness/model/framing.h"

/* Sets "input", "rows", "totals", "peaks" and "outcome" of `object`. */
void framing_value_put(json_t *object, const struct framing *framing,
                       const struct framing_ledger *ledger);

/* Row `i` for people, in the columns of the worked example: "3 1 read 2=00 0+5 RUNNING 1 [] 00 0".
 * The caller frees it. */
char *framing_value_text(const struct framing_ledger *ledger, size_t i);

/* The most that used + reserved was in any row. */
uint32_t framing_value_peak(const struct framing_ledger *ledger);

#endif
