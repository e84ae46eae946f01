/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes are calls to a simulated kernel that is soon out of everything, with freedoms by the
 * first byte: no call breaks it, a copy of it does the same, and once all is closed nothing is
 * alive.
 */

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/sys_sim.h"
#include "tests/support/side.h"

#define STEP_SIZE 5 /* bytes: what, two slots, an argument */
#define PORT 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct kernel_config small = {
    .processes = 1, .descriptors = 11, .descriptions = 11, .items = 8, .epolls = 2,
    .sockets = 10, .pipes = 2, .counters = 2, .timers = 2, .records = 24, .blocks = 256,
    .block_size = 64, .sndbuf = 4608, .rcvbuf = 4608,
};

static struct walk_step step_of(const uint8_t *bytes)
{
    return (struct walk_step){
        .op = bytes[0] % SIDE_OP_COUNT,
        .a = bytes[1] % WALK_SLOTS,
        .b = bytes[2] % WALK_SLOTS,
        .argument = bytes[3] | (uint32_t)bytes[4] << 8,
    };
}

/* A kernel and its side of the walk. */
struct run {
    struct kernel *kernel;
    struct sys_sim sim;
    struct side side;
};

static void run_open(struct run *run, uint8_t freedoms)
{
    struct kernel_config config = small;

    config.freedoms = freedoms & KERNEL_ADVERSARY;
    config.seed = freedoms;
    run->kernel = malloc(kernel_size(&config));
    assert(run->kernel);
    (void)kernel_init(run->kernel, &config);
    side_open(&run->side, sys_sim_open(&run->sim, run->kernel, 0), PORT);
}

static void run_copy(const struct run *run, struct run *ret_copy)
{
    size_t size = kernel_size(&small);

    ret_copy->kernel = malloc(size);
    assert(ret_copy->kernel);
    memcpy(ret_copy->kernel, run->kernel, size);
    ret_copy->side = run->side;
    ret_copy->side.sys = sys_sim_open(&ret_copy->sim, ret_copy->kernel, 0);
}

static void run_close(struct run *run)
{
    side_close(&run->side);
    assert(kernel_objects(run->kernel) == 0);
    free(run->kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run run, copy;
    size_t half = size / 2;
    char told[WALK_TEXT], again[WALK_TEXT];

    if (size < 1)
        return 0;
    run_open(&run, data[0]);
    for (size_t at = 1; at + STEP_SIZE <= half; at += STEP_SIZE) {
        struct walk_step step = step_of(data + at);

        side_take(&run.side, &step, told);
    }
    run_copy(&run, &copy);
    for (size_t at = half; at + STEP_SIZE <= size; at += STEP_SIZE) {
        struct walk_step step = step_of(data + at);

        side_take(&run.side, &step, told);
        side_take(&copy.side, &step, again);
        assert(strcmp(told, again) == 0);
    }
    assert(kernel_digest(run.kernel) == kernel_digest(copy.kernel));
    run_close(&run);
    run_close(&copy);
    return 0;
}
