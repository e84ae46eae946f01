/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/bench.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/conduct/conductor.h"
#include "harness/cpu.h"
#include "harness/interrupted.h"
#include "harness/sut/inproc.h"
#include "harness/sut/process.h"
#include "harness/urgency.h"
#include "harness/wall.h"
#include "harness/world/sim.h"
#include "harness/world/veth.h"

/* All parts of one run. */
struct bench {
    const struct bench_job *job;
    union {
        struct veth veth;
        struct sim sim;
    } ground;
    union {
        struct process process;
        struct inproc inproc;
    } body;
    struct world world;
    struct sut sut;
    struct happened *happened;
    struct failure failure;
    cpu_set_t cpus;
    struct urgency urgency;
};

static void bench_choose(struct bench *bench)
{
    switch (bench->job->world) {
    case RESULT_WORLD_SIM:
        bench->world = sim_world(&bench->ground.sim, bench->job->plan);
        bench->sut = inproc_sut(&bench->body.inproc);
        return;
    case RESULT_WORLD_VETH:
    case RESULT_WORLD_COUNT:
        break;
    }
    bench->world = veth_world(&bench->ground.veth);
    bench->sut = process_sut(&bench->body.process);
}

bool bench_exact(const struct plan *plan, enum result_world world)
{
    return plan->pace == PLAN_LOCKSTEP && world != RESULT_WORLD_SIM;
}

static int bench_allocate(struct bench *bench)
{
    const struct plan *plan = bench->job->plan;
    struct happened *happened = bench->happened;

    happened->sources = calloc(plan->peer_count + 1, sizeof(*happened->sources));
    happened->actions = calloc(plan->statement_count + 1, sizeof(*happened->actions));
    happened->peers = calloc(plan->peer_count + 1, sizeof(*happened->peers));
    happened->packets = calloc(1, sizeof(*happened->packets));
    happened->peer_count = plan->peer_count;
    if (!happened->sources || !happened->actions || !happened->peers || !happened->packets)
        return failure_set(&bench->failure, -ENOMEM, "the run's record");
    packet_list_init(happened->packets, PACKET_LIST_COUNT_MAX, PACKET_LIST_BYTES_MAX);
    return 0;
}

/* Lock-step puts everything on one CPU; a free run gives the sut one of its own. Where nothing
 * depends on it nobody is pinned. The sut's. */
static int bench_pin(const struct bench *bench)
{
    bool lockstep = bench->job->plan->pace == PLAN_LOCKSTEP;
    struct cpu_place place = bench->job->place;
    int ours;

    if (place.claim == CPU_NONE || bench->world.ops->stepped)
        return -1;
    if (place.claim == CPU_OWN) {
        place.sut = cpu_choose(&bench->cpus, 0);
        place.bench = cpu_choose(&bench->cpus, 1);
    }
    ours = lockstep ? place.sut : place.bench;
    /* The move to another CPU waits for a turn: an urgent thread gets it at once. */
    (void)urgency_raise(URGENCY_BENCH);
    if (ours >= 0)
        (void)cpu_pin(ours);
    return place.sut;
}

static int bench_conduct(struct bench *bench)
{
    struct conductor *conductor = malloc(sizeof(*conductor));
    int rc;

    if (!conductor)
        return failure_set(&bench->failure, -ENOMEM, "the conductor");
    conductor_open(conductor, bench->world, bench->sut, bench->happened, &bench->failure);
    rc = conductor_run(conductor);
    conductor_close(conductor);
    free(conductor);
    return rc;
}

static int bench_carry_out(struct bench *bench, int cpu)
{
    const struct bench_job *job = bench->job;
    struct sys_linux kernel;
    struct sys sys = sys_linux_open(&kernel, NULL);
    struct instant begin = sys_now(sys);
    struct sut_start start = {
        .plan = job->plan,
        .trigger = job->trigger,
        .family = job->family,
        .defect = job->defect,
        .cpu = cpu,
        .patient = job->place.claim == CPU_NONE,
        .block = job->block,
        .trail = job->trail,
    };
    int rc = bench->world.ops->open(bench->world.self, job->family, &bench->failure);

    if (rc < 0)
        return rc;
    start.space = bench->world.ops->sut_space(bench->world.self);
    if (bench->world.ops->sut_kernel)
        start.kernel = bench->world.ops->sut_kernel(bench->world.self);
    rc = bench->sut.ops->start(bench->sut.self, &start, &bench->failure);
    if (rc < 0)
        return rc;
    bench->happened->setup = instant_since(sys_now(sys), begin);
    bench->happened->wall_offset_ns = wall_offset(sys);
    return bench_conduct(bench);
}

static void bench_explain(const struct bench *bench, int rc, struct bench_failure *failure)
{
    const char *text = bench->failure.text[0] ? bench->failure.text : strerror(-rc);

    failure->code = -rc;
    (void)snprintf(failure->text, sizeof(failure->text), "%s",
                   rc == -EINTR ? "interrupted" : text);
}

int bench_run(const struct bench_job *job, struct happened *ret_happened,
              struct bench_failure *failure)
{
    struct happened happened = {
        .plan = job->plan,
        .trigger = job->trigger,
        .family = job->family,
        .trail = job->trail,
    };
    struct bench bench = {.job = job, .happened = &happened};
    int rc;

    bench_choose(&bench);
    urgency_save(&bench.urgency);
    rc = cpu_save(&bench.cpus);
    if (rc < 0)
        (void)failure_set(&bench.failure, rc, "ask on which CPUs to run");
    if (rc == 0)
        rc = bench_allocate(&bench);
    if (rc == 0)
        rc = bench_carry_out(&bench, bench_pin(&bench));
    bench.sut.ops->close(bench.sut.self, &happened);
    if (happened.packets && !bench.world.ops->has_link(bench.world.self)) {
        free(happened.packets);
        happened.packets = NULL;
    }
    if (!job->leave)
        bench.world.ops->close(bench.world.self);
    cpu_restore(&bench.cpus);
    urgency_restore(&bench.urgency);
    if (rc < 0) {
        bench_explain(&bench, rc, failure);
        happened_free(&happened);
        return rc;
    }
    happened.trail = NULL;
    *ret_happened = happened;
    return 0;
}

static int bench_nothing(void *arg)
{
    (void)arg;
    return 0;
}

/* Both ends of a link, and the right to see its packets: that comes with CAP_NET_RAW, and an
 * internet socket takes less time to close than a packet socket. IPv6 is left to the runs that
 * want it. */
static int bench_try_link(const struct space *sut, struct failure *failure)
{
    const struct link_options options = {.ipv4 = true};
    struct space peer = SPACE_NONE;
    struct link link = LINK_NONE;
    int fd = -1;
    int rc = space_open(&peer, failure);

    if (rc == 0)
        rc = link_open(&link, sut, &peer, &options, failure);
    if (rc == 0)
        rc = fd = space_socket(sut, AF_INET, SOCK_RAW, IPPROTO_RAW, failure);
    if (fd >= 0)
        (void)close(fd);
    link_close(&link);
    space_close(&peer);
    return rc < 0 ? rc : 0;
}

/* What every run needs, made once and let go: namespaces, a link, a PID namespace. */
static int bench_try(struct failure *failure)
{
    struct space space = SPACE_NONE;
    struct pidspace pidspace = PIDSPACE_NONE;
    int rc = space_open(&space, failure);

    if (rc == 0)
        rc = bench_try_link(&space, failure);
    if (rc == 0)
        rc = pidspace_spawn(&pidspace, NULL, bench_nothing, NULL, failure);
    pidspace_close(&pidspace);
    space_close(&space);
    return rc;
}

static int bench_prepare_veth(struct bench_failure *failure)
{
    struct failure refused = {0};
    struct failure why = {0};
    bool root = geteuid() == 0;
    int rc = bench_try(&refused);

    why = refused;
    if (rc == -EPERM) {
        rc = space_user_enter(&why);
        if (rc == 0)
            rc = bench_try(&why);
    }
    if (rc == 0)
        return 0;
    failure->code = -rc;
    /* That an ordinary user may not is known; what root may not is the cause. */
    if (root && strcmp(refused.text, why.text) != 0)
        (void)snprintf(failure->text, sizeof(failure->text), "%.150s; %.150s", refused.text,
                       why.text);
    else
        (void)snprintf(failure->text, sizeof(failure->text), "%s", why.text);
    return rc;
}

int bench_prepare(enum result_world world, struct bench_failure *failure)
{
    return world == RESULT_WORLD_SIM ? 0 : bench_prepare_veth(failure);
}

void bench_interrupt(void)
{
    interrupted_set();
}
