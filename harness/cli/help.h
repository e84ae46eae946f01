/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_HELP_H
#define EDGEWISE_HARNESS_CLI_HELP_H

#include "harness/cli/verbs.h"

/* The verb `help`. */
int help_run(const struct verbs_call *call);

/* All verbs in a few lines, and where to start. */
void help_program(FILE *out, const char *command);

/* One verb with its options. */
void help_verb(FILE *out, const char *command, const struct verbs_verb *verb);

#endif
