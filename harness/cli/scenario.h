/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_SCENARIO_H
#define EDGEWISE_HARNESS_CLI_SCENARIO_H

#include "harness/cli/verbs.h"

/* The verb `scenario`. Nothing runs before all scripts are read, the world is there and --out can
 * be written. */
int scenario_run(const struct verbs_call *call);

#endif
