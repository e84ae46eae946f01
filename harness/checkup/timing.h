/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_TIMING_H
#define EDGEWISE_HARNESS_CHECKUP_TIMING_H

/* Whether this machine can act on time: what is missing here makes runs `late`, never `fail`. */

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"

/* Whether runs may be scheduled before ordinary work, tried in a child. 0 or -errno. */
int timing_try_urgency(void);

/* Rows, each for one check; `which` is whether to be urgent for timing_timers, else not used. */
void timing_clock(const struct place *place, int which, struct finding *finding);
void timing_timers(const struct place *place, int which, struct finding *finding);
void timing_urgency(const struct place *place, int which, struct finding *finding);
void timing_cpus(const struct place *place, int which, struct finding *finding);
void timing_quota(const struct place *place, int which, struct finding *finding);
void timing_load(const struct place *place, int which, struct finding *finding);

#endif
