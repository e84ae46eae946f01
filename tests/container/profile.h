/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CONTAINER_PROFILE_H
#define EDGEWISE_TESTS_CONTAINER_PROFILE_H

#include <stdbool.h>

#include "tests/container/rights.h"

/* Which filters lie between the command and the kernel. */
struct profile {
    rights held;          /* some system calls come back with a capability */
    bool seccomp;         /* the default profile of Docker; containerd's differs in nothing here */
    bool apparmor;        /* docker-default: no mount, whoever asks */
    bool no_new_privileges;
};

/* Puts the filter over this process and all that it starts. Needs CAP_SYS_ADMIN, unless no new
 * privileges are wanted. */
void profile_apply(const struct profile *profile);

#endif
