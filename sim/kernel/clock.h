/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_CLOCK_H
#define EDGEWISE_SIM_KERNEL_CLOCK_H

/* Virtual time: it moves from one thing that is due to the next. */

#include <stdbool.h>
#include <stdint.h>

#include "core/instant.h"

struct kernel;

/* When something is due next; INSTANT_NEVER. */
struct instant clock_due(const struct kernel *k);

/* Time moves to whichever comes first, what is due next or `deadline`, and what is due then
 * happens. False when neither will ever come. */
bool clock_step(struct kernel *k, struct instant deadline);

/* A process that waits has looked and found nothing. 0: its time is over; 1: time has passed, so it
 * looks again; -EINTR; -EDEADLK: nothing will ever come. Events beat the time-out, a time-out of 0
 * beats signals (E102). */
int clock_wait(struct kernel *k, uint32_t process, struct instant deadline);

#endif
