/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_SIMULATED_H
#define EDGEWISE_HARNESS_CHECKUP_SIMULATED_H

/* The world that needs nothing of the machine but memory. */

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"

/* A row; `which` is not used. */
void simulated_world(const struct place *place, int which, struct finding *finding);

#endif
