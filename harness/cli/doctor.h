/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_DOCTOR_H
#define EDGEWISE_HARNESS_CLI_DOCTOR_H

#include "harness/cli/verbs.h"

/* The verb `doctor`: a row for each thing that something here needs. */
int doctor_run(const struct verbs_call *call);

#endif
