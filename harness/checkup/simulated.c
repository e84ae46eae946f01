/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/checkup/simulated.h"

#include <errno.h>
#include <string.h>

#include "harness/world/sim.h"

/* A byte through a pipe of a kernel as runs have them. */
static int simulated_try(struct world world, struct failure *failure)
{
    int rc = world.ops->open(world.self, PLAN_PIPE, failure);
    char byte = 'x';
    int ends[2];

    if (rc < 0)
        return rc;
    rc = sys_pipe(world.ops->sys(world.self), ends);
    if (rc < 0)
        return rc;
    if (sys_write(world.ops->sys(world.self), ends[1], &byte, 1) != 1)
        return -EIO;
    return sys_read(world.ops->sys(world.self), ends[0], &byte, 1) == 1 && byte == 'x' ? 0 : -EIO;
}

void simulated_world(const struct place *place, int which, struct finding *finding)
{
    const struct plan plan = {.peer_count = 1};
    struct failure failure = {0};
    struct sim sim;
    struct world world = sim_world(&sim, &plan);
    int rc = simulated_try(world, &failure);

    (void)place;
    (void)which;
    world.ops->close(world.self);
    if (rc == 0) {
        finding_say(finding, "works, with no privilege");
        return;
    }
    finding_say(finding, "%s", failure.text[0] ? failure.text : strerror(-rc));
    finding_advise(finding, FINDING_NOTE, "more memory");
}
