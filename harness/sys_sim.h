/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SYS_SIM_H
#define EDGEWISE_HARNESS_SYS_SIM_H

#include "harness/sys.h"
#include "sim/kernel/kernel.h"

/* A simulated kernel, as one of its processes sees it. */
struct sys_sim {
    struct kernel *kernel;
    uint32_t process;
};

/* Makes the table. `ret_sim` and `kernel` are borrowed: they live as long as the table is used.
 * Nothing to close, cannot fail. A wait or sleep that nothing in the kernel can end is -EDEADLK; an
 * option that makes no difference to the model is taken and forgotten. */
struct sys sys_sim_open(struct sys_sim *ret_sim, struct kernel *kernel, uint32_t process);

/* An address of the kernel, `ours`, as sockets have it; its length. */
socklen_t sys_sim_address(const struct kernel_address *ours, struct sockaddr_storage *theirs);

#endif
