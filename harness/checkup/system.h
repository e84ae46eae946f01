/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_SYSTEM_H
#define EDGEWISE_HARNESS_CHECKUP_SYSTEM_H

/* The kernel, what stands around this process, and the libraries. */

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"

/* Rows, each for one check; `which` is not used. */
void system_kernel(const struct place *place, int which, struct finding *finding);
void system_calls(const struct place *place, int which, struct finding *finding);
void system_container(const struct place *place, int which, struct finding *finding);
void system_libraries(const struct place *place, int which, struct finding *finding);

#endif
