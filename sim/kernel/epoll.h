/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_EPOLL_H
#define EDGEWISE_SIM_KERNEL_EPOLL_H

/* The interest list and the ready list of an epoll (E1..E9, E12..E18, E29..E35). */

#include "core/os.h"
#include "sim/kernel/description.h"
#include "sim/kernel/watch.h"

struct epoll {
    struct watch watch;
    uint32_t first; /* items, the last added first */
    uint32_t head;  /* the ready list: a FIFO by first wake */
    uint32_t tail;
    uint32_t length;
    uint32_t unused;
};

extern const struct description_ops epoll_ops;

/* An item has been woken: it goes to the tail, unless it is in the list already (E12). Epolls that
 * hold this one hear it in any case (E35). */
void epoll_queue(struct kernel *k, uint32_t item);

/* Adds, changes or deletes the entry of (`fd`, `description`); errors as in E2, E9
 * and E23. */
int epoll_control(struct kernel *k, uint32_t epoll, enum os_ctl op, uint32_t fd,
                  uint32_t description, uint32_t events, uint64_t data);

/* Takes at most `max` events from the ready list (E13..E15); how many. */
int epoll_collect(struct kernel *k, uint32_t epoll, struct os_event *ret_events, int max);

/* The last reference to a description is gone: so are its items in every epoll (E4). */
void epoll_forget(struct kernel *k, uint32_t description);

#endif
