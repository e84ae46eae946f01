/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SYS_LINUX_H
#define EDGEWISE_HARNESS_SYS_LINUX_H

#include "harness/sys.h"
#include "netns/space.h"

/* The kernel that this program runs on, seen from one network namespace. */
struct sys_linux {
    const struct space *space;
};

/* Makes the table whose sockets are born in `space` (NULL: wherever the calling thread is); they
 * stay there for life, the thread does not. `ret_kernel` and `space` are borrowed: they live as
 * long as the table is used. Nothing to close, cannot fail; socket gives the errors of
 * space_socket() too. */
struct sys sys_linux_open(struct sys_linux *ret_kernel, const struct space *space);

/* The monotonic clock. */
struct instant sys_linux_now(void);

#endif
