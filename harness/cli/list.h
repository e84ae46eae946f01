/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_LIST_H
#define EDGEWISE_HARNESS_CLI_LIST_H

#include "harness/cli/verbs.h"

/* The verb `list`. --names reads no script, so it also names those with mistakes. */
int list_run(const struct verbs_call *call);

#endif
