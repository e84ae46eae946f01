/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_INTERRUPTED_H
#define EDGEWISE_HARNESS_INTERRUPTED_H

/* Whether the bench was told to end: set by a signal handler, looked at by whoever waits. */

#include <stdbool.h>

/* From now on the bench is to end. Safe in signal handlers. */
void interrupted_set(void);

/* True once interrupted_set was called. */
bool interrupted(void);

#endif
