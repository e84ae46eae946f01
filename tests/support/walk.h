/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_WALK_H
#define EDGEWISE_TESTS_SUPPORT_WALK_H

/*
 * A random walk over the calls of sys.h, made twice at once: on one kernel and on another. Each
 * step names its descriptors by slots, so that a walk from which steps were taken is still a walk;
 * a step whose slots do not fit does nothing, on both. What a step gave comes as text, and must be
 * the same.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/sys.h"

#define WALK_SLOTS 12
#define WALK_STEPS 64
#define WALK_TEXT  512

/* What the walk is mostly about. */
#define WALK_SCENES(X) \
    X(TCP) X(LOCAL) X(PIPE) X(UDP) X(LOCAL_DATAGRAM) X(COUNTER) X(NESTED) X(MIXED)

enum walk_scene {
#define X(name) WALK_##name,
    WALK_SCENES(X)
#undef X
        WALK_SCENE_COUNT
};

struct walk_step {
    uint8_t op;
    uint8_t a; /* slots */
    uint8_t b;
    uint32_t argument;
};

struct walk {
    struct walk_step steps[WALK_STEPS];
    size_t count;
    uint16_t port; /* the first of WALK_SLOTS */
};

/* Where two kernels differ. */
struct walk_difference {
    size_t step;
    char first[WALK_TEXT];
    char second[WALK_TEXT];
};

/* The walk of a seed. */
void walk_make(struct walk *walk, enum walk_scene scene, uint64_t seed, uint16_t port);

/* Makes it on both, closing all at the end. False, and where, when they differ. After each step
 * nothing is on the way in the first. */
bool walk_run(const struct walk *walk, struct sys first, struct sys second,
              struct walk_difference *ret_difference);

/* Takes away every step without which they still differ. */
void walk_shrink(struct walk *walk, struct sys first, struct sys second);

/* A step in words: "write c 5". */
void walk_describe(const struct walk_step *step, char *ret_text, size_t size);

/* Steps that did something since the program began. */
uint64_t walk_steps_done(void);

#endif
