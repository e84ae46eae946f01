/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_WORLD_VETH_H
#define EDGEWISE_HARNESS_WORLD_VETH_H

/* The world of two network namespaces on the real kernel, joined by a veth pair. For UNIX sockets
 * and pipes the peers live in the sut's namespace and there is no link. */

#include "harness/sys_linux.h"
#include "harness/world/world.h"
#include "netns/capture.h"
#include "netns/link.h"

struct veth {
    enum plan_family family;
    struct space sut;
    struct space peer;
    struct link link;
    struct diag sut_diag;
    struct diag peer_diag;
    struct capture capture;
    struct sys_linux kernel;
    struct sys sys;
};

/* Makes the world; nothing exists yet. `ret_veth` is borrowed by it. Cannot fail. */
struct world veth_world(struct veth *ret_veth);

#endif
