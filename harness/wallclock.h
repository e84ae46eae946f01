/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_WALLCLOCK_H
#define EDGEWISE_HARNESS_WALLCLOCK_H

/* The date, for reports that name one and for the age of files. No duration is measured by it: it
 * may jump. */

#include <stdint.h>

/* Seconds since 1970, UTC. Cannot fail. */
int64_t wallclock_seconds(void);

#endif
