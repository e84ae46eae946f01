/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BENCH_PINNED_H
#define EDGEWISE_TESTS_BENCH_PINNED_H

/* On one CPU, and first in the queue for it: as a run under lock-step is. */

#include "harness/cpu.h"
#include "harness/urgency.h"

struct pinned {
    cpu_set_t cpus;
    struct urgency urgency;
};

/* Pins the calling thread; returns the CPU. Ends with pinned_end. */
static inline int pinned_begin(struct pinned *ret_before)
{
    int cpu;

    urgency_save(&ret_before->urgency);
    (void)cpu_save(&ret_before->cpus);
    cpu = cpu_choose(&ret_before->cpus, 0);
    (void)cpu_pin(cpu);
    (void)urgency_raise(URGENCY_BENCH);
    return cpu;
}

/* Puts the thread back. */
static inline void pinned_end(const struct pinned *before)
{
    urgency_restore(&before->urgency);
    cpu_restore(&before->cpus);
}

#endif
