/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_QUANTUM_H
#define EDGEWISE_CORE_QUANTUM_H

/* One read quantum of the head of Q: reads until its input is exhausted, a budget is used up,
 * downstream room is missing, or the direction ends (R-ST-07..17). */

#include "core/reactor.h"

/* Runs the head's quantum; nothing when Q is empty. */
void quantum_run(struct reactor *r);

#endif
