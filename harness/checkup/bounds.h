/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_BOUNDS_H
#define EDGEWISE_HARNESS_CHECKUP_BOUNDS_H

/* How much of what a run may use: descriptors, bytes in a file, a place for artefacts. */

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"

/* Rows, each for one check; `which` is not used. */
void bounds_descriptors(const struct place *place, int which, struct finding *finding);
void bounds_memory(const struct place *place, int which, struct finding *finding);
void bounds_file(const struct place *place, int which, struct finding *finding);
void bounds_out(const struct place *place, int which, struct finding *finding);

#endif
