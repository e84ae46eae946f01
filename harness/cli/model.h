/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_MODEL_H
#define EDGEWISE_HARNESS_CLI_MODEL_H

#include "harness/cli/verbs.h"

/* The verb `model`. It reads its own words: call->options is not looked at. */
int model_run(const struct verbs_call *call);

#endif
