/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the simulated kernel costs: a round of the reactor on it, all checks on, with eight
 * connections that got eight bytes each; a copy of both, which is a snapshot; and its bytes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/reactor.h"
#include "sim/kernel/os_sim.h"
#include "tests/bench/figures.h"
#include "tests/bench/pinned.h"

#define SUT           0 /* processes */
#define PEERS         1
#define CONNECTIONS   8
#define ROUNDS        20000 /* a batch */
#define BATCHES       50
#define BATCHES_QUICK 5

/* Goals. */
#define ROUND_NS_GOAL    500
#define SNAPSHOT_GOAL    16384

static const struct kernel_config kernel_config = {
    .processes = 2, .descriptors = 12, .descriptions = 20, .items = 10, .epolls = 1,
    .sockets = 2 * CONNECTIONS + 1, .counters = 1, .blocks = 32, .block_size = 64,
    .sndbuf = 4608, .rcvbuf = 4608,
};

static const struct reactor_handlers handlers = {0};
static const struct reactor_protocol protocol = {
    .limits = {.bytes = 64, .attempts = 2}, .handlers = &handlers};
static const struct reactor_config reactor_config = {
    .slots = CONNECTIONS + 1, .collect = CONNECTIONS, .protocols = &protocol,
    .protocol_count = 1, .inbox = 2, .checks = true,
};

struct stage {
    void *memory;
    struct kernel *kernel;
    struct os_sim sim;
    struct reactor *reactor;
    int peers[CONNECTIONS];
};

static double now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void must(bool fine, const char *what)
{
    if (fine)
        return;
    (void)fprintf(stderr, "bench_sim: %s failed\n", what);
    exit(3);
}

static void round_once(struct stage *stage)
{
    must(reactor_round(stage->reactor) == 1, "a round");
}

static void stage_open(struct stage *stage)
{
    const struct kernel_address address = {
        .domain = KERNEL_IPV4, .port = 7, .bytes = {127, 0, 0, 1}};
    struct identity id;
    int listener;

    stage->memory = malloc(kernel_size(&kernel_config));
    must(stage->memory, "malloc");
    stage->kernel = kernel_init(stage->memory, &kernel_config);
    must(os_sim_open(stage->kernel, SUT, &stage->sim) == 0, "os_sim_open");
    must(reactor_open(&reactor_config, os_sim_table(&stage->sim), &stage->reactor) == 0,
         "reactor_open");
    listener = kernel_socket(stage->kernel, SUT, KERNEL_IPV4, KERNEL_STREAM);
    must(kernel_bind(stage->kernel, SUT, listener, &address) == 0 &&
             kernel_listen(stage->kernel, SUT, listener, CONNECTIONS) == 0,
         "listen");
    must(reactor_listen(stage->reactor, listener, 0, &id) == 0, "reactor_listen");
    for (int i = 0; i < CONNECTIONS; i++) {
        stage->peers[i] = kernel_socket(stage->kernel, PEERS, KERNEL_IPV4, KERNEL_STREAM);
        must(kernel_connect(stage->kernel, PEERS, stage->peers[i], &address) == -EINPROGRESS,
             "connect");
        round_once(stage);
    }
    must(reactor_account(stage->reactor)->accepts == CONNECTIONS, "accept");
}

static void stage_close(struct stage *stage)
{
    reactor_free(stage->reactor);
    free(stage->memory);
}

/* A batch of rounds: each peer has sent eight bytes, and each round reads those of one; ns a
 * round. */
static double measure_rounds(struct stage *stage)
{
    uint64_t bytes = reactor_account(stage->reactor)->bytes;
    double spent = 0;

    for (int i = 0; i < ROUNDS; i += CONNECTIONS) {
        double begin;

        for (int peer = 0; peer < CONNECTIONS; peer++)
            must(kernel_send(stage->kernel, PEERS, stage->peers[peer], "12345678", 8, 0) == 8,
                 "a send");
        begin = now_ns();
        for (int peer = 0; peer < CONNECTIONS; peer++)
            round_once(stage);
        spent += now_ns() - begin;
    }
    must(reactor_account(stage->reactor)->bytes == bytes + 8 * ROUNDS, "reading all");
    return spent / ROUNDS;
}

/* Copies of both blocks; ns a snapshot. */
static double measure_snapshots(struct stage *stage, void *copy)
{
    size_t size = kernel_size(&kernel_config);
    double begin = now_ns();

    for (int i = 0; i < ROUNDS; i++) {
        memcpy(copy, stage->kernel, size);
        must(reactor_save(stage->reactor, (uint8_t *)copy + size) == 0, "a snapshot");
    }
    return (now_ns() - begin) / ROUNDS;
}

int main(int argc, char **argv)
{
    int batches = argc > 1 && strcmp(argv[1], "--quick") == 0 ? BATCHES_QUICK : BATCHES;
    struct figures rounds = {0}, snapshots = {0};
    struct pinned before;
    struct stage stage;
    size_t kernel_bytes, reactor_bytes;
    void *copy;

    stage_open(&stage);
    kernel_bytes = kernel_size(&kernel_config);
    reactor_bytes = reactor_snapshot_size(stage.reactor);
    copy = malloc(kernel_bytes + reactor_bytes);
    must(copy, "malloc");
    (void)pinned_begin(&before);
    for (int batch = 0; batch < batches; batch++) {
        figures_add(&rounds, measure_rounds(&stage));
        figures_add(&snapshots, measure_snapshots(&stage, copy));
    }
    pinned_end(&before);
    printf("The simulated kernel, %d connections, checks on (median)\n", CONNECTIONS);
    printf("  a round                %8.0f ns    (goal %d)\n", figures_at(&rounds, 0.5),
           ROUND_NS_GOAL);
    printf("  a snapshot of both     %8.0f ns\n", figures_at(&snapshots, 0.5));
    printf("  its size               %8zu bytes (goal %d): kernel %zu, reactor %zu\n\n",
           kernel_bytes + reactor_bytes, SNAPSHOT_GOAL, kernel_bytes, reactor_bytes);
    figures_tell("sim_round", figures_at(&rounds, 0.5), "ns");
    figures_tell("sim_snapshot", figures_at(&snapshots, 0.5), "ns");
    figures_tell("sim_snapshot_size", (double)(kernel_bytes + reactor_bytes), "bytes");
    free(copy);
    stage_close(&stage);
    figures_free(&rounds);
    figures_free(&snapshots);
    return 0;
}
