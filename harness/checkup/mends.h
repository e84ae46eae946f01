/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_MENDS_H
#define EDGEWISE_HARNESS_CHECKUP_MENDS_H

/* The commands that mend that namespaces are refused. They differ by who asks and where. */

#include "harness/checkup/place.h"
#include "harness/lines.h"

#define MENDS_BYTES 320

/*
 * For a world, from the most likely one on: a limit that is too low, a filter, a switch that keeps
 * users out, rights that a container's root lacks. `root` and `all` are what the caller was before
 * it entered any user namespace. None when only sudo helps; for root there is always one.
 */
void mends_world(const struct place *place, bool root, bool all, struct lines *ret_commands);

/* The switch that keeps users out of user namespaces: false when none is closed, else `command` of
 * MENDS_BYTES opens it. */
bool mends_switch(const struct place *place, char *command);

/* The same for the limit that is too low. */
bool mends_limit(const struct place *place, char *command);

/* How a container is started otherwise: with `option` of its engine, or, as a comment that says so,
 * with `field` in the securityContext of a pod. */
void mends_container(const struct place *place, const char *option, const char *field,
                     char *command);

/* So that its root has `capability`: "SYS_NICE". */
void mends_capability(const struct place *place, const char *capability, char *command);

/* So that no system call is refused. */
void mends_filter(const struct place *place, char *command);

/* "sudo " for an ordinary user, "" for root. */
const char *mends_sudo(const struct place *place);

#endif
