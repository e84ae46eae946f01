/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_ROUND_H
#define EDGEWISE_CORE_ROUND_H

/*
 * One round (R-L-01): stop and control, one collect, one bounded turn of each local queue, one read
 * quantum. The order is what makes a resumption visible without a new notice (W6, step 15).
 */

#include "core/reactor.h"

/* 1 while there is more to come, 0 when the reactor has stopped, or -errno. */
int round_run(struct reactor *r);

#endif
