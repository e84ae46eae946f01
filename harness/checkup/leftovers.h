/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_LEFTOVERS_H
#define EDGEWISE_HARNESS_CHECKUP_LEFTOVERS_H

/* What earlier runs, ours or another tool's, may have left on this machine. Only told, never
 * removed: somebody may need it. */

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"

/* Rows, each for one check; `which` is not used. */
void leftovers_ours(const struct place *place, int which, struct finding *finding);
void leftovers_spaces(const struct place *place, int which, struct finding *finding);
void leftovers_links(const struct place *place, int which, struct finding *finding);
void leftovers_tools(const struct place *place, int which, struct finding *finding);

#endif
