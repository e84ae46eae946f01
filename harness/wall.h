/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_WALL_H
#define EDGEWISE_HARNESS_WALL_H

#include <stdint.h>

#include "harness/sys.h"

/* How many ns CLOCK_REALTIME, which stamps packets, is ahead of `sys`'s monotonic clock now. */
int64_t wall_offset(struct sys sys);

#endif
