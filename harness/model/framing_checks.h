/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_FRAMING_CHECKS_H
#define EDGEWISE_HARNESS_MODEL_FRAMING_CHECKS_H

/*
 * What must hold of every framing ledger, whatever was asked for: the account never passes its
 * capacity (R-F-20), no byte is read that is not the present frame's (R-F-04, R-F-12), frames and
 * end are those of the bytes that arrived, and nobody stays paused who has room (R-F-07).
 */

#include "harness/model/checks.h"
#include "harness/model/framing.h"

/* Makes them, and counts them in `checks`. */
void framing_checks(const struct framing *framing, const struct framing_ledger *ledger,
                    struct checks *checks);

#endif
