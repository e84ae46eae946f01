/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_CHECK_H
#define EDGEWISE_CORE_CHECK_H

#include "core/reactor.h"

/* Every invariant of the arena: R-Q-01..04, R-ST-19, credit, the slots, the queues. */
bool check_all(const struct reactor *r);

#endif
