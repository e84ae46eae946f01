/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_VARIANT_H
#define EDGEWISE_HARNESS_CLI_VARIANT_H

/*
 * The build in which rules can be taken away lies beside the plain one, in defects/ of the same
 * folder. The plain program cannot do it, and becomes the other one when it is asked to.
 */

#include "harness/cli/verbs.h"

/*
 * Sees to it that this program can do what `call` asks: STATUS_OK when it can. Otherwise becomes
 * the one that can, and does not return; or STATUS_CANNOT when there is none, with the command
 * that builds it in `said`.
 */
int variant_become(const struct verbs_call *call, struct lines *said);

#endif
