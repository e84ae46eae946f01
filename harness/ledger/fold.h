/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_FOLD_H
#define EDGEWISE_HARNESS_LEDGER_FOLD_H

/* Notes that say the same of several peers, said once: "c1 .. c8 rcvbuf 4608 sndbuf 4608". */

#include "harness/lines.h"
#include "harness/script/plan.h"

/* Appends `notes` to `ret_notes`. Lines that follow each other, begin with names of peers that
 * follow each other in `plan`, and go on alike become one: "A, B rest" or "A .. D rest". */
void fold_notes(const struct plan *plan, const struct lines *notes, struct lines *ret_notes);

#endif
