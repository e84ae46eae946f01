/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_READINESS_CHECKS_H
#define EDGEWISE_HARNESS_MODEL_READINESS_CHECKS_H

/*
 * What must hold of every readiness ledger, whatever was asked for: the queue (R-Q), the budgets
 * (R-B), the hint (R-ST-05, R-ST-19), the bytes, and the order of service (R-FA-01). Each row is
 * held against the rows before it and against what the sources were given; the reactor's rules are
 * not repeated here.
 */

#include "harness/model/checks.h"
#include "harness/model/readiness.h"

/* Makes them, and counts them in `checks`. */
void readiness_checks(const struct readiness *readiness, const struct readiness_ledger *ledger,
                      struct checks *checks);

#endif
