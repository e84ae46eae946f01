/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_CLOCK_H
#define EDGEWISE_SIM_KERNEL_CLOCK_H

/* Virtual time: it moves from one thing that is due to the next. */

#include <stdbool.h>

#include "core/instant.h"

struct kernel;

/* When something is due next; INSTANT_NEVER. */
struct instant clock_due(const struct kernel *k);

/* Time moves to whichever comes first, what is due next or `deadline`, and what is due then
 * happens. False when neither will ever come. */
bool clock_step(struct kernel *k, struct instant deadline);

#endif
