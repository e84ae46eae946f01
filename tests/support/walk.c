/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/support/walk.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/side.h"

#define NESTED_EPOLLS 7

static uint64_t steps_done;

void walk_describe(const struct walk_step *step, char *ret_text, size_t size)
{
    (void)snprintf(ret_text, size, "%-12s %c %c %u", side_word((enum side_op)step->op),
                   'a' + step->a, 'a' + step->b, step->argument);
}

uint64_t walk_steps_done(void)
{
    return steps_done;
}

bool walk_run(const struct walk *walk, struct sys first, struct sys second,
              struct walk_difference *ret_difference)
{
    struct side sides[2];
    bool same = true;

    side_open(&sides[0], first, walk->port);
    side_open(&sides[1], second, walk->port);
    for (size_t i = 0; i < walk->count && same; i++) {
        ret_difference->step = i;
        side_take(&sides[0], &walk->steps[i], ret_difference->first);
        side_take(&sides[1], &walk->steps[i], ret_difference->second);
        side_settle(&sides[0]);
        same = strcmp(ret_difference->first, ret_difference->second) == 0;
        steps_done += strcmp(ret_difference->first, "-") != 0;
    }
    side_close(&sides[0]);
    side_close(&sides[1]);
    return same;
}

/* The walk without one step, if the two still differ. */
static bool shrink_by(struct walk *walk, size_t step, struct sys first, struct sys second)
{
    struct walk_difference difference;
    struct walk fewer = *walk;

    memmove(&fewer.steps[step], &fewer.steps[step + 1],
            (fewer.count - step - 1) * sizeof(fewer.steps[0]));
    fewer.count--;
    if (walk_run(&fewer, first, second, &difference))
        return false;
    fewer.count = difference.step + 1;
    *walk = fewer;
    return true;
}

void walk_shrink(struct walk *walk, struct sys first, struct sys second)
{
    bool smaller;

    do {
        smaller = false;
        for (size_t i = walk->count; i-- > 0;) {
            if (i < walk->count && shrink_by(walk, i, first, second))
                smaller = true;
        }
    } while (smaller);
}

/* Making. */

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (uint32_t)(*seed >> 33) % below;
}

static void add(struct walk *walk, enum side_op op, uint8_t a, uint8_t b, uint32_t argument)
{
    assert(walk->count < WALK_STEPS);
    walk->steps[walk->count++] =
        (struct walk_step){.op = (uint8_t)op, .a = a, .b = b, .argument = argument};
}

/* Slots a and b are epolls, c a listener, d and e, f and g connections. */
static void begin_streams(struct walk *walk, enum side_kind kind)
{
    add(walk, SIDE_SOCKET, 2, 0, kind - TCP);
    add(walk, SIDE_BIND, 2, 0, 0);
    add(walk, SIDE_LISTEN, 2, 0, 2);
    for (uint8_t slot = 3; slot < 7; slot = (uint8_t)(slot + 2)) {
        add(walk, SIDE_SOCKET, slot, 0, kind - TCP);
        add(walk, SIDE_CONNECT, slot, 2, 0);
        add(walk, SIDE_ACCEPT, (uint8_t)(slot + 1), 2, 0);
    }
}

/* c and d are connected to each other, e to c. */
static void begin_datagrams(struct walk *walk, enum side_kind kind)
{
    for (uint8_t slot = 2; slot < 5; slot++) {
        add(walk, SIDE_SOCKET, slot, 0, kind - TCP);
        add(walk, SIDE_BIND, slot, 0, 0);
    }
    add(walk, SIDE_CONNECT, 2, 3, 0);
    add(walk, SIDE_CONNECT, 3, 2, 0);
    add(walk, SIDE_CONNECT, 4, 2, 0);
}

static void begin(struct walk *walk, enum walk_scene scene)
{
    add(walk, SIDE_EPOLL, 0, 0, 0);
    add(walk, SIDE_EPOLL, 1, 0, 0);
    switch (scene) {
    case WALK_TCP:
        begin_streams(walk, TCP);
        break;
    case WALK_LOCAL:
        begin_streams(walk, LOCAL);
        break;
    case WALK_PIPE:
        add(walk, SIDE_PIPE, 2, 3, 0);
        add(walk, SIDE_PIPE, 4, 5, 0);
        break;
    case WALK_UDP:
        begin_datagrams(walk, UDP);
        break;
    case WALK_LOCAL_DATAGRAM:
        begin_datagrams(walk, LOCAL_DATAGRAM);
        break;
    case WALK_NESTED:
        for (uint8_t slot = 2; slot < NESTED_EPOLLS; slot++)
            add(walk, SIDE_EPOLL, slot, 0, 0);
        add(walk, SIDE_COUNTER, NESTED_EPOLLS, 0, 0);
        add(walk, SIDE_PIPE, NESTED_EPOLLS + 1, NESTED_EPOLLS + 2, 0);
        break;
    case WALK_COUNTER:
        add(walk, SIDE_COUNTER, 2, 0, 0);
        add(walk, SIDE_COUNTER, 3, 0, 1);
        break;
    default:
        break;
    }
}

static enum side_op draw_op(uint64_t *seed)
{
    unsigned sum = 0;
    uint32_t at;
    int op = 0;

    for (int i = 0; i < SIDE_OP_COUNT; i++)
        sum += side_weight((enum side_op)i);
    at = draw(seed, sum);
    while (at >= side_weight((enum side_op)op))
        at -= side_weight((enum side_op)op++);
    return (enum side_op)op;
}

/* An epoll where one is wanted, mostly. */
static uint8_t draw_slot(uint64_t *seed, enum walk_scene scene, enum side_op op)
{
    bool epoll = op == SIDE_ADD || op == SIDE_MOD || op == SIDE_DEL || op == SIDE_LOOK;

    if (epoll && scene == WALK_NESTED)
        return (uint8_t)draw(seed, NESTED_EPOLLS);
    if (epoll && draw(seed, 32) != 0)
        return (uint8_t)(draw(seed, 4) == 0);
    return (uint8_t)draw(seed, WALK_SLOTS);
}

void walk_make(struct walk *walk, enum walk_scene scene, uint64_t seed, uint16_t port)
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;

    *walk = (struct walk){.port = port};
    begin(walk, scene);
    while (walk->count < WALK_STEPS) {
        enum side_op op = draw_op(&state);
        uint8_t a = draw_slot(&state, scene, op);
        uint8_t least = scene == WALK_NESTED ? 0 : 2;
        uint8_t b = (uint8_t)(least + draw(&state, WALK_SLOTS - least));

        add(walk, op, a, b, draw(&state, 1U << 16));
    }
}
