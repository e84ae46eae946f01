/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CHECKUP_PLACE_H
#define EDGEWISE_HARNESS_CHECKUP_PLACE_H

/* Where this process is, as far as it matters to how something is mended: the same refusal wants
 * another command from root, from a user, in a container. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/capability.h>

struct place {
    bool root;             /* effective user 0 */
    bool mapped;           /* in a user namespace that is not the first one */
    bool no_new_privs;     /* sudo gives nothing here */
    bool filtered;         /* a seccomp filter is on this process */
    const char *container; /* "docker", "kubernetes" ...; NULL: none was seen */
    const char *command;   /* how this program is called; "./run" unless the caller knows better */
    bool grants;           /* a user namespace gives the rights that a world needs */
    char refusal[256];     /* why not; "" */
    int refusal_code;      /* the same as -errno */
};

/* Looks, and tries a user namespace, in a child. */
void place_find(struct place *ret_place);

/* Whether sudo can give a process here what root has elsewhere. */
bool place_lets_sudo(const struct place *place);

/* Whether this process has a capability in a set of its own. */
bool place_has(cap_value_t capability, cap_flag_t set);

/* Whether a capability can still be had, from a file or as root. */
bool place_bounds(cap_value_t capability);

/* The capabilities that a world needs: SYS_ADMIN, NET_ADMIN and NET_RAW. */
bool place_has_all(void);

#endif
