/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CONTAINER_RIGHTS_H
#define EDGEWISE_TESTS_CONTAINER_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

/* A set of capabilities, bit by number. */
typedef uint64_t rights;

/* What `docker run` leaves to root when nothing is asked for. */
rights rights_default(void);

/* All that the caller has: a machine may have taken some from its root. */
rights rights_all(void);

/* The bit of NET_ADMIN, of CAP_NET_ADMIN, or all for ALL; 0 for a name that there is not. */
rights rights_named(const char *name);

/* Takes all others from the bounding set, so that nothing brings them back. */
void rights_bound(rights set);

/* Makes the set the permitted and effective one; nothing is inheritable. */
void rights_keep(rights set);

#endif
