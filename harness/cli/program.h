/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_PROGRAM_H
#define EDGEWISE_HARNESS_CLI_PROGRAM_H

/* Where this program lies, where its scenarios are, and what a person types to start it. */

#include <limits.h>

struct program {
    char scenarios[PATH_MAX + 32]; /* "" when there is none */
    char bare[PATH_MAX + 32];      /* "./run", "/path/to/run", "edgewise" */
    char command[PATH_MAX + 32];   /* the same, behind "sudo " when it was started so */
};

/*
 * Looks for `scenarios/` in the folders above the program, then in share/edgewise beside its
 * folder; the environment's EDGEWISE_SCENARIOS goes before both. Never fails.
 */
void program_find(struct program *ret_program);

#endif
