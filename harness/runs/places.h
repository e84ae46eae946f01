/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_PLACES_H
#define EDGEWISE_HARNESS_RUNS_PLACES_H

/*
 * The CPUs handed out to runs that go on at the same time. As many slots as there are CPUs have one
 * each, for themselves; only they take runs that must be exact. CPUs that no slot has are lent to
 * free-pace runs as their second. Slots above the number of CPUs have none: they take free-pace
 * runs only, and these run anywhere, behind ordinary work, so that they disturb no exact one.
 */

#include <sched.h>
#include <stdbool.h>

#include "harness/cpu.h"

#define PLACES_MAX 64 /* slots */

struct places {
    unsigned slots;
    unsigned pinned; /* the first slots, with a CPU each */
    unsigned cpus;
    int cpu[2 * PLACES_MAX];         /* [pinned, cpus) are those to be lent */
    int lent_to[2 * PLACES_MAX];     /* the slot; -1: nobody */
    bool taken[PLACES_MAX];
};

/* `slots` (1 .. PLACES_MAX) over the CPUs of `set`. */
void places_make(struct places *places, unsigned slots, const cpu_set_t *set);

/* Whether places_take would give one. */
bool places_free(const struct places *places, bool exact);

/* A slot for a run, and where it may be; -1 when there is none free. */
int places_take(struct places *places, bool exact, struct cpu_place *ret_place);

/* The run of this slot is over. */
void places_give(struct places *places, int slot);

#endif
