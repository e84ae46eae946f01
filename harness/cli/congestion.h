/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_CONGESTION_H
#define EDGEWISE_HARNESS_CLI_CONGESTION_H

/* Which congestion controls this kernel has. */

#include <stdbool.h>
#include <stddef.h>

#define CONGESTION_KNOWN_BYTES 320

/*
 * True when sockets here cannot have congestion control `name`, with those that the kernel lists in
 * `ret_known` ("reno, cubic"). False when they can, when asking for it loads it, and when the
 * lists cannot be read: then nobody knows.
 */
bool congestion_refused(const char *name, char ret_known[static CONGESTION_KNOWN_BYTES]);

#endif
