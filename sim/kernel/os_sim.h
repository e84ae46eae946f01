/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_OS_SIM_H
#define EDGEWISE_SIM_KERNEL_OS_SIM_H

/* A process of a simulated kernel as the kernel of a reactor: core/os.h in virtual time. */

#include "core/os.h"
#include "sim/kernel/kernel.h"

/* Numbers only, but for `kernel`: a copy of both is a snapshot. */
struct os_sim {
    struct kernel *kernel;
    uint32_t process;
    int epoll;
    int wake;
};

/* Makes the epoll and the counter that wakes it, in `process`. 0; -EMFILE, -ENFILE, -ENOSPC: then
 * nothing is left. `kernel` is borrowed. */
int os_sim_open(struct kernel *kernel, uint32_t process, struct os_sim *ret_sim);
void os_sim_close(struct os_sim *self);

/* The table, valid as long as `self` stays where it is. A wait that nothing in the kernel can end
 * is -EDEADLK: os_gate asks somebody else first. */
struct os os_sim_table(struct os_sim *self);

#endif
