/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_READINESS_VALUE_H
#define EDGEWISE_HARNESS_MODEL_READINESS_VALUE_H

/*
 * A readiness ledger as JSON. A row is a quantum:
 *
 *     {"quantum":1,"head":"A","reads":[{"asked":2,"got":2,"data":"6162"}],
 *      "stop":["bytes","attempts"],"state":"QUEUED","hint":1,"queue":["B","A"],
 *      "unread":{"A":4,"B":2}}
 *
 * `queue` and `unread` are what they are after it; `data` are hexadecimal digits, and only there
 * when bytes were got.
 */

#include <jansson.h>

#include "harness/model/readiness.h"

/* Sets "input", "rows", "totals", "peaks" and "outcome" of `object`. */
void readiness_value_put(json_t *object, const struct readiness *readiness,
                         const struct readiness_ledger *ledger);

/* Row `i` for people, in the form of the worked examples: "A:ab [B,A]"; reads of one quantum have
 * commas between them. The caller frees it. */
char *readiness_value_text(const struct readiness *readiness,
                           const struct readiness_ledger *ledger, size_t i);

#endif
