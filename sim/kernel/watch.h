/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_WATCH_H
#define EDGEWISE_SIM_KERNEL_WATCH_H

/* The wait queue of an object: the epoll items that hear its wakes. */

#include <stdint.h>

struct kernel;

/* Handles of items: the last added first, then those that are exclusive, the first added first
 * (E18). Zeroed, it is empty. */
struct watch {
    uint32_t first;
};

/* One registration: `fd` and `description` are its key (E1). */
struct item {
    uint64_t data;
    uint32_t epoll; /* handles; 0 ends a list */
    uint32_t description;
    uint32_t fd;
    uint32_t mask;  /* bits that it wants, ERR and HUP among them; 0: a ONESHOT that has fired */
    uint32_t modes; /* OS_MODES, KERNEL_EXCLUSIVE */
    uint32_t queued;
    uint32_t watch_before;
    uint32_t watch_after;
    uint32_t set_before;
    uint32_t set_after;
    uint32_t ready_before;
    uint32_t ready_after;
};

/* Puts an item, whose modes are set, where it belongs, and takes it out. */
void watch_add(struct kernel *k, struct watch *watch, uint32_t item);
void watch_remove(struct kernel *k, struct watch *watch, uint32_t item);

/* Wakes: each item whose mask meets `key`, or each that is not disabled when it is KERNEL_KEYLESS,
 * is queued in its epoll. */
void watch_wake(struct kernel *k, const struct watch *watch, uint32_t key);

#endif
