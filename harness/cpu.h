/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CPU_H
#define EDGEWISE_HARNESS_CPU_H

/*
 * Which CPU the parts of a run use. Exact ledgers need all parts on one: on two CPUs even veth
 * reorders segments under bursts (E117).
 */

#include <sched.h>

/* The calling thread's CPUs, to be put back later. 0 or -errno. */
int cpu_save(cpu_set_t *ret_set);
void cpu_restore(const cpu_set_t *set);

/* Moves the calling thread to `cpu` alone. 0 or -errno. */
int cpu_pin(int cpu);

/* The `n`-th CPU (from 0) that the thread may use, taken from the end, since interrupts prefer the
 * first ones; wraps around. -1 when none can be told. */
int cpu_choose(const cpu_set_t *set, int n);

#endif
