/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_CHECKUP_H
#define EDGEWISE_HARNESS_CLI_CHECKUP_H

/* What this machine offers, found out by trying rather than by asking what is configured: the
 * checks of harness/checkup in the order in which they are told. */

#include <stdbool.h>
#include <stddef.h>

#include "harness/checkup/finding.h"
#include "harness/checkup/place.h"
#include "harness/lines.h"

/* What this process may do; a user namespace that is entered later would hide it. */
struct checkup_rights {
    bool root;
    bool all; /* every capability that a world needs */
};

/* Those that it has now. */
struct checkup_rights checkup_rights(void);

/*
 * What mends that a process with these rights was refused a world with errno `code`, the most
 * likely first: commands to be typed. `sudo` is the same command behind sudo, told where that can
 * help. Root that was refused a right is always told one. Some tries need a child process.
 */
void checkup_mend(struct checkup_rights rights, int code, const char *sudo,
                  struct lines *ret_commands);

/* The checks there are; those of one group stand together. */
size_t checkup_count(void);

/* Tries check `index`. Some tries need a child process; none leaves anything behind. */
void checkup_try(const struct place *place, size_t index, struct finding *ret_finding);

#endif
