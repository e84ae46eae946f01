/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_OFFLOAD_H
#define EDGEWISE_NETNS_OFFLOAD_H

#include "netns/failure.h"
#include "netns/space.h"

/* The features by which an interface hands packets over that never crossed a wire like that:
 * giant segments (tso, gso, gro) and checksums left for later (rx, tx). E123. */

/* Switches all of them off. A feature that the interface does not have counts as off. 0 or -errno,
 * with the name of the feature in the text. */
int offload_disable(const struct space *space, const char *interface, struct failure *failure);

/* How many of them are on: 0 or more, -errno. */
int offload_count(const struct space *space, const char *interface, struct failure *failure);

#endif
