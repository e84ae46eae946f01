/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_COUNTER_H
#define EDGEWISE_SIM_KERNEL_COUNTER_H

/* An eventfd (E48, E97). */

#include <stdbool.h>

#include "sim/kernel/description.h"
#include "sim/kernel/watch.h"

struct counter {
    uint64_t value;
    struct watch watch;
    uint32_t semaphore;
};

extern const struct description_ops counter_ops;

/* A counter; 0 when all are taken. */
uint32_t counter_new(struct kernel *k, uint32_t value, bool semaphore);

#endif
