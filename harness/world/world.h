/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_WORLD_WORLD_H
#define EDGEWISE_HARNESS_WORLD_WORLD_H

/*
 * Where a scenario runs, as the conductor sees it: a kernel for the peers, a namespace for the sut,
 * a capture or none, and the only way to let time pass.
 */

#include <stdbool.h>

#include "harness/confirm.h"
#include "harness/script/plan.h"
#include "harness/sys.h"
#include "netns/failure.h"
#include "netns/space.h"
#include "pcaps/packet.h"

struct kernel;

struct world_ops {
    /* Builds it for one family. 0 or -errno with `failure`. */
    int (*open)(void *self, enum plan_family family, struct failure *failure);
    /* The kernel as the peers see it. */
    struct sys (*sys)(void *self);
    /* The network namespace of the sut; NULL with a simulated kernel. */
    const struct space *(*sut_space)(void *self);
    /* The simulated kernel of the sut. NULL: it is the real one. */
    struct kernel *(*sut_kernel)(void *self);
    /* Where the sut's listener is for the peers. 0 or -errno; not for PLAN_PIPE. */
    int (*listener)(void *self, struct sockaddr_storage *ret_address, socklen_t *ret_length);
    /* Where peer number `peer` calls from. 0 or -errno; not for PLAN_PIPE. NULL: from anywhere. */
    int (*caller)(void *self, uint32_t peer, struct sockaddr_storage *ret_address,
                  socklen_t *ret_length);
    /* Starts the account of what has arrived from `peer`. */
    void (*confirm)(void *self, struct confirm *ret_confirm, const struct peer *peer);
    /* Lets time pass until `until`, or until `condition` (may be NULL) is true; asks it at once and
     * then often. 1 when it is true, 0 at `until`, -EINTR when the bench was told to end. */
    int (*pump)(void *self, struct instant until, bool (*condition)(void *arg), void *arg);
    /* Appends the frames that were captured since the last time. 0 or -errno. */
    int (*collect)(void *self, struct packet_list *packets, struct failure *failure);
    /* The same, and proves that the capture is complete: to be called once, at rest. */
    int (*finish)(void *self, struct packet_list *packets, struct failure *failure);
    /* True when there is a link, and so a capture. */
    bool (*has_link)(void *self);
    /* Nothing moves by itself there: whatever pace a script asks for is lock-step. */
    bool stepped;
    /* Lets go of everything. */
    void (*close)(void *self);
};

struct world {
    const struct world_ops *ops;
    void *self;
};

#endif
