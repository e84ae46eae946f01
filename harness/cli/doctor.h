/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_DOCTOR_H
#define EDGEWISE_HARNESS_CLI_DOCTOR_H

#include "harness/cli/verbs.h"

/*
 * The verb `doctor`: a row for each thing that something here needs, within 80 columns; what does
 * not fit into a column goes on below it. With --json it prints
 *
 *     {"tool", "version", "works": true|false, "checks": [CHECK...]}
 *
 * CHECK is {"group", "check", "state": "ok|note|missing", "found", "needed_for", "mend",
 * "mend_is_command"}: `mend` is "" for "ok"; a command is ready for a shell, anything else is a
 * sentence. `works` is false when a check is "missing".
 *
 * STATUS_OK when scenarios can run here, STATUS_CANNOT when not; STATUS_USAGE.
 */
int doctor_run(const struct verbs_call *call);

#endif
