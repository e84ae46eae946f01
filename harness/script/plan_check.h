/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_PLAN_CHECK_H
#define EDGEWISE_HARNESS_SCRIPT_PLAN_CHECK_H

/*
 * What must hold between the lines of a script that are each correct: settings that fit each
 * other, peers that act in a possible order, reactions and expectations that can come true.
 */

#include "harness/script/draft.h"

/* Adds a mistake for each thing that cannot be, at its place. */
void plan_check_all(struct draft *draft);

#endif
