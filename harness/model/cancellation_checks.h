/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CANCELLATION_CHECKS_H
#define EDGEWISE_HARNESS_MODEL_CANCELLATION_CHECKS_H

/*
 * What must hold of every cancellation ledger, whatever happens: when a buffer returns and a record
 * retires (R-A-06), each once (R-A-05), that no answer to a cancel is taken for an end (R-A-12),
 * that a buffer is never without a holder while it is used (R-A-04, R-A-14), and that a refusal
 * changes nothing (R-A-22).
 */

#include "harness/model/cancellation.h"
#include "harness/model/checks.h"

/* Makes them, and counts them in `checks`. */
void cancellation_checks(const struct cancellation_ledger *ledger, struct checks *checks);

#endif
