/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CPU_H
#define EDGEWISE_HARNESS_CPU_H

/*
 * Which CPU the parts of a run use. Exact ledgers need all parts on one: on two CPUs even veth
 * reorders segments under bursts (E117).
 */

#include <sched.h>

enum cpu_claim {
    CPU_OWN,   /* the run chooses among the CPUs that it may use: it is the only one */
    CPU_GIVEN, /* `sut` and `bench` are handed out to it */
    CPU_NONE,  /* anywhere, and never before ordinary work: nothing of it has to be exact */
};

/* Where one run may be. */
struct cpu_place {
    enum cpu_claim claim;
    int sut;   /* GIVEN: the sut's CPU, and under lock-step everybody's */
    int bench; /* GIVEN: that of the rest of a free run; the same one when there is no other */
};

/* The calling thread's CPUs, to be put back later. 0 or -errno. */
int cpu_save(cpu_set_t *ret_set);
void cpu_restore(const cpu_set_t *set);

/* Moves the calling thread to `cpu` alone. 0 or -errno. */
int cpu_pin(int cpu);

/* The `n`-th CPU (from 0) that the thread may use, taken from the end, since interrupts prefer the
 * first ones; wraps around. -1 when none can be told. */
int cpu_choose(const cpu_set_t *set, int n);

#endif
