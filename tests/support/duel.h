/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_DUEL_H
#define EDGEWISE_TESTS_SUPPORT_DUEL_H

/* Random walks on the real kernel and on the simulated one, which must agree at every step. */

#include <stdint.h>

#include "tests/support/rig.h"
#include "tests/support/walk.h"

/* A number from the environment. */
uint64_t duel_setting(const char *name, uint64_t otherwise);

/* Makes `walks` walks of a scene, from WALK_SEED on (default 1), on the rig's kernel and on a
 * simulated one. Where they differ, the fewest steps that show it are printed, and the test
 * fails. */
void duel_walks(struct rig *rig, enum walk_scene scene, uint64_t walks);

#endif
