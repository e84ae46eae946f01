/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_TIMER_H
#define EDGEWISE_SIM_KERNEL_TIMER_H

/* A timerfd (E49, E50, E97). */

#include "core/instant.h"
#include "sim/kernel/description.h"
#include "sim/kernel/watch.h"

struct timer {
    struct instant deadline;
    struct duration period; /* 0: once */
    uint64_t ticks;         /* expirations that nobody has read */
    struct watch watch;
    uint16_t armed;
    uint16_t fired; /* and a periodic one is not armed again before it is read */
};

extern const struct description_ops timer_ops;

/* A timer that is not set; 0 when all are taken. */
uint32_t timer_new(struct kernel *k);
/* Sets it; what was not read is dropped. */
void timer_set(struct kernel *k, uint32_t timer, struct instant first, struct duration period);

/* The earliest deadline of all timers; INSTANT_NEVER. */
struct instant timer_due(const struct kernel *k);
/* Fires what is due now. */
void timer_fire(struct kernel *k);

#endif
