/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_WORLD_SIM_H
#define EDGEWISE_HARNESS_WORLD_SIM_H

/* The world of a simulated kernel in virtual time: no privilege, no link, no capture, and a second
 * of the script takes no time. Its sut is harness/sut/inproc. */

#include "harness/sys_sim.h"
#include "harness/world/world.h"

struct sim {
    enum plan_family family;
    const struct plan *plan; /* borrowed: how large the kernel must be */
    struct kernel *kernel;   /* NULL: none */
    struct sys_sim process;
    struct sys sys;
};

/* Makes the world; nothing exists yet. `ret_sim` is borrowed by it. Cannot fail. */
struct world sim_world(struct sim *ret_sim, const struct plan *plan);

#endif
