/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/world/veth.h"

#include <errno.h>
#include <sched.h>

#include "harness/interrupted.h"
#include "harness/sut/address.h"

/* Frames that may wait to be drained. */
#define VETH_CAPTURE_BYTES ((size_t)64 << 20)
#define VETH_FINISH_MS 2000

/* A sleep ends late by the timer slack and the way back to the CPU; the last part is spun away. */
#define VETH_SPIN DURATION_US(150)
/* How long a ^C may go unnoticed. */
#define VETH_LOOK DURATION_MS(50)
/* While a condition is awaited: how often only the CPU is given away, then how long to sleep. */
#define VETH_YIELDS 200
#define VETH_NAP DURATION_US(50)

static bool veth_family_has_link(enum plan_family family)
{
    return family == PLAN_IPV4 || family == PLAN_IPV6;
}

static int veth_open_link(struct veth *veth, struct failure *failure)
{
    struct link_options options = LINK_OPTIONS_DEFAULT;
    struct capture_place here = {&veth->peer, LINK_PEER_NAME};
    struct capture_place there = {&veth->sut, LINK_SUT_NAME};
    int rc = space_open(&veth->peer, failure);

    if (rc < 0)
        return rc;
    rc = link_open(&veth->link, &veth->sut, &veth->peer, &options, failure);
    if (rc < 0)
        return rc;
    rc = diag_open(&veth->peer_diag, &veth->peer, failure);
    if (rc < 0)
        return rc;
    return capture_open(&veth->capture, &here, &there, VETH_CAPTURE_BYTES, failure);
}

static int veth_open(void *self, enum plan_family family, struct failure *failure)
{
    struct veth *veth = self;
    int rc;

    veth->family = family;
    rc = space_open(&veth->sut, failure);
    if (rc == 0)
        rc = diag_open(&veth->sut_diag, &veth->sut, failure);
    if (rc == 0 && veth_family_has_link(family))
        rc = veth_open_link(veth, failure);
    if (rc == 0)
        veth->sys = sys_linux_open(&veth->kernel,
                                   veth_family_has_link(family) ? &veth->peer : &veth->sut);
    return rc;
}

static struct sys veth_sys(void *self)
{
    return ((struct veth *)self)->sys;
}

static const struct space *veth_sut_space(void *self)
{
    return &((struct veth *)self)->sut;
}

static int veth_listener(void *self, struct sockaddr_storage *ret_address, socklen_t *ret_length)
{
    return address_sut(((struct veth *)self)->family, ret_address, ret_length);
}

static int veth_caller(void *self, uint32_t peer, struct sockaddr_storage *ret_address,
                       socklen_t *ret_length)
{
    return address_peer(((struct veth *)self)->family, peer, ret_address, ret_length);
}

static void veth_confirm(void *self, struct confirm *ret_confirm, const struct peer *peer)
{
    struct veth *veth = self;

    confirm_open(ret_confirm, peer, &veth->sut_diag,
                 veth_family_has_link(veth->family) ? &veth->peer_diag : NULL);
}

/* Without a condition there is nothing to do before `until`: sleep, then spin. */
static int veth_sleep(struct veth *veth, struct instant until)
{
    struct instant wake = instant_add(until, (struct duration){-VETH_SPIN.ns});
    struct instant now = sys_now(veth->sys);

    while (instant_before(now, until) && !interrupted()) {
        if (instant_before(now, wake))
            (void)sys_sleep_until(veth->sys, instant_earlier(wake, instant_add(now, VETH_LOOK)));
        now = sys_now(veth->sys);
    }
    return interrupted() ? -EINTR : 0;
}

static int veth_pump(void *self, struct instant until, bool (*condition)(void *arg), void *arg)
{
    struct veth *veth = self;

    if (!condition)
        return veth_sleep(veth, until);
    for (unsigned turn = 0;; turn++) {
        struct instant now;

        if (condition(arg))
            return 1;
        if (interrupted())
            return -EINTR;
        now = sys_now(veth->sys);
        if (!instant_before(now, until))
            return 0;
        if (turn < VETH_YIELDS)
            (void)sched_yield();
        else
            (void)sys_sleep_until(veth->sys, instant_earlier(until, instant_add(now, VETH_NAP)));
    }
}

static int veth_take(void *arg, const struct capture_frame *frame)
{
    struct packet packet = {
        .stamp_ns = (int64_t)frame->stamp_ns,
        .captured_bytes = (uint32_t)frame->length,
        .original_bytes = (uint32_t)frame->full_length,
        .bytes = frame->bytes,
    };

    return packet_list_append(arg, &packet);
}

static int veth_collect(void *self, struct packet_list *packets, struct failure *failure)
{
    struct veth *veth = self;

    if (!veth_family_has_link(veth->family))
        return 0;
    return capture_drain(&veth->capture, veth_take, packets, failure);
}

static int veth_finish(void *self, struct packet_list *packets, struct failure *failure)
{
    struct veth *veth = self;

    if (!veth_family_has_link(veth->family))
        return 0;
    return capture_finish(&veth->capture, VETH_FINISH_MS, veth_take, packets, failure);
}

static bool veth_has_link(void *self)
{
    return veth_family_has_link(((struct veth *)self)->family);
}

static void veth_close(void *self)
{
    struct veth *veth = self;

    capture_close(&veth->capture);
    diag_close(&veth->peer_diag);
    diag_close(&veth->sut_diag);
    link_close(&veth->link);
    space_close(&veth->peer);
    space_close(&veth->sut);
}

static const struct world_ops veth_ops = {
    .open = veth_open,
    .sys = veth_sys,
    .sut_space = veth_sut_space,
    .listener = veth_listener,
    .caller = veth_caller,
    .confirm = veth_confirm,
    .pump = veth_pump,
    .collect = veth_collect,
    .finish = veth_finish,
    .has_link = veth_has_link,
    .close = veth_close,
};

struct world veth_world(struct veth *veth)
{
    *veth = (struct veth){
        .sut = SPACE_NONE,
        .peer = SPACE_NONE,
        .link = LINK_NONE,
        .sut_diag = DIAG_NONE,
        .peer_diag = DIAG_NONE,
        .capture = CAPTURE_NONE,
    };
    return (struct world){.ops = &veth_ops, .self = veth};
}
