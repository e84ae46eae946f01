/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/world/sim.h"

#include <errno.h>
#include <stdlib.h>

#include "harness/interrupted.h"
#include "harness/sut/address.h"
#include "harness/sut/inproc.h"
#include "sim/kernel/backlog.h"

#define SIM_BLOCK_BYTES 256
/* As sockets of Linux have where nobody has changed it. */
#define SIM_BUFFER_BYTES 212992
/* What the kernel cuts large writes into, at the least. */
#define SIM_RECORD_BYTES 4096
/* While a condition is awaited: how long until it is asked again. */
#define SIM_NAP DURATION_US(50)

static uint32_t sim_bounded(uint64_t count)
{
    return count < KERNEL_COUNT_MAX ? (uint32_t)count : KERNEL_COUNT_MAX;
}

/* Room for all that the script sends, as if nobody read any of it. */
static struct kernel_config sim_config(const struct plan *plan)
{
    uint32_t peers = plan->peer_count + 1;
    uint64_t payload = 0;

    for (uint32_t i = 0; i < plan->statement_count; i++)
        payload += plan->statements[i].bytes.size;
    return (struct kernel_config){
        .processes = 2,
        .descriptors = 2 * peers + 8,
        .descriptions = 4 * peers + 8,
        .items = 2 * peers + 8,
        .epolls = 1,
        .sockets = 4 * peers + 8,
        .pipes = peers,
        .counters = 1,
        .records = sim_bounded(payload / SIM_RECORD_BYTES + plan->statement_count + 64),
        .blocks = sim_bounded(payload / SIM_BLOCK_BYTES * 2 + 2 * (uint64_t)plan->statement_count +
                              8 * (uint64_t)peers + 64),
        .block_size = SIM_BLOCK_BYTES,
        .sndbuf = SIM_BUFFER_BYTES,
        .rcvbuf = SIM_BUFFER_BYTES,
    };
}

static int sim_open(void *self, enum plan_family family, struct failure *failure)
{
    struct sim *sim = self;
    struct kernel_config config = sim_config(sim->plan);
    size_t size = kernel_size(&config);
    void *memory = size > 0 ? malloc(size) : NULL;

    if (!memory)
        return failure_set(failure, -ENOMEM, "a simulated kernel for all that the script sends");
    sim->family = family;
    sim->kernel = kernel_init(memory, &config);
    sim->sys = sys_sim_open(&sim->process, sim->kernel, INPROC_BENCH);
    return 0;
}

static struct sys sim_sys(void *self)
{
    return ((struct sim *)self)->sys;
}

static const struct space *sim_sut_space(void *self)
{
    (void)self;
    return NULL;
}

static struct kernel *sim_sut_kernel(void *self)
{
    return ((struct sim *)self)->kernel;
}

static int sim_listener(void *self, struct sockaddr_storage *ret_address, socklen_t *ret_length)
{
    return address_sut(((struct sim *)self)->family, ret_address, ret_length);
}

static int sim_caller(void *self, uint32_t peer, struct sockaddr_storage *ret_address,
                      socklen_t *ret_length)
{
    return address_peer(((struct sim *)self)->family, peer, ret_address, ret_length);
}

static bool sim_crowded(void *self, int fd)
{
    return backlog_blocks(((struct sim *)self)->kernel, INPROC_BENCH, fd);
}

static void sim_confirm(void *self, struct confirm *ret_confirm, const struct peer *peer)
{
    confirm_open_at_once(ret_confirm, peer, sim_crowded, self);
}

static int sim_pump(void *self, struct instant until, bool (*condition)(void *arg), void *arg)
{
    struct sim *sim = self;

    for (;;) {
        struct instant now = kernel_now(sim->kernel);

        if (condition && condition(arg))
            return 1;
        if (interrupted())
            return -EINTR;
        if (!instant_before(now, until))
            return 0;
        if (condition)
            (void)kernel_sleep(sim->kernel, instant_earlier(until, instant_add(now, SIM_NAP)));
        else
            (void)kernel_sleep(sim->kernel, until);
    }
}

static int sim_collect(void *self, struct packet_list *packets, struct failure *failure)
{
    (void)self;
    (void)packets;
    (void)failure;
    return 0;
}

static bool sim_has_link(void *self)
{
    (void)self;
    return false;
}

static void sim_close(void *self)
{
    struct sim *sim = self;

    free(sim->kernel);
    sim->kernel = NULL;
}

static const struct world_ops sim_ops = {
    .open = sim_open,
    .sys = sim_sys,
    .sut_space = sim_sut_space,
    .sut_kernel = sim_sut_kernel,
    .listener = sim_listener,
    .caller = sim_caller,
    .confirm = sim_confirm,
    .pump = sim_pump,
    .collect = sim_collect,
    .finish = sim_collect,
    .has_link = sim_has_link,
    .stepped = true,
    .close = sim_close,
};

struct world sim_world(struct sim *sim, const struct plan *plan)
{
    *sim = (struct sim){.plan = plan};
    return (struct world){.ops = &sim_ops, .self = sim};
}
