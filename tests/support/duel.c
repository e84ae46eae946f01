/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/duel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/sys_sim.h"

/* Each walk has ports of its own, until as many have been made. */
#define PORT_FIRST 1000
#define PORT_WALKS 1000

#define SHOWN 3 /* differences, before we stop */

static const struct kernel_config config = {
    .processes = 1, .descriptors = 64, .descriptions = 64, .items = 64, .epolls = 16,
    .sockets = 64, .pipes = 8, .counters = 16, .timers = 16, .records = 4096,
    .blocks = 16384, .block_size = 248, .sndbuf = 212992, .rcvbuf = 212992,
};

uint64_t duel_setting(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

static void show(struct walk *walk, uint64_t seed, struct sys real, struct sys simulated)
{
    struct walk_difference difference = {0};
    char text[80];

    walk_shrink(walk, real, simulated);
    if (walk_run(walk, real, simulated, &difference))
        print_message("(it did not come again)\n");
    print_message("WALK_SEED=%llu:\n", (unsigned long long)seed);
    for (size_t i = 0; i < walk->count; i++) {
        walk_describe(&walk->steps[i], text, sizeof(text));
        print_message("  %s\n", text);
    }
    print_message("real:      %s\nsimulated: %s\n", difference.first, difference.second);
}

/* One walk; false when the two differ. */
static bool agree(struct sys real, enum walk_scene scene, uint64_t seed, void *memory)
{
    struct sys_sim sim;
    struct sys simulated = sys_sim_open(&sim, kernel_init(memory, &config), 0);
    uint16_t port = (uint16_t)(PORT_FIRST + seed % PORT_WALKS * WALK_SLOTS);
    struct walk_difference difference;
    struct walk walk;

    walk_make(&walk, scene, seed, port);
    if (walk_run(&walk, real, simulated, &difference))
        return true;
    walk.count = difference.step + 1;
    show(&walk, seed, real, simulated);
    return false;
}

void duel_walks(struct rig *rig, enum walk_scene scene, uint64_t walks)
{
    uint64_t seed = duel_setting("WALK_SEED", 1);
    void *memory = malloc(kernel_size(&config));
    unsigned differences = 0;

    assert_non_null(memory);
    for (uint64_t i = 0; i < walks && differences < SHOWN; i++)
        differences += !agree(rig_sys(rig), scene, seed + i, memory);
    free(memory);
    assert_int_equal(differences, 0);
}
