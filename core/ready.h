/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_READY_H
#define EDGEWISE_CORE_READY_H

/*
 * Q, the FIFO of read directions in state QUEUED. Every operation is O(1); a slot is in it at most
 * once, so it can never be full (R-Q-02, R-Q-07, R-Q-08). Removal is physical: no tombstones
 * (R-ID-08). It holds slots; whoever retires an identity removes its slot first (R-ID-06).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ends of the list, and "not a member" in a link. */
#define READY_NONE UINT32_MAX

struct ready_link {
    uint32_t before;
    uint32_t after;
    uint32_t member; /* 0 or 1; no padding: the arena is hashed */
};

/* Lives in the reactor's arena: indices only, no address. */
struct ready {
    uint32_t count; /* slots in `link` */
    uint32_t length;
    uint32_t head;
    uint32_t tail;
    struct ready_link link[];
};

/* Bytes that a queue over `count` slots needs; count is 1 .. 2^20. */
size_t ready_size(uint32_t count);

/* Makes an empty queue in `q`, which has ready_size(count) bytes. */
void ready_init(struct ready *q, uint32_t count);

/* Appends at the tail (R-Q-05). `slot` must not be a member. */
void ready_push(struct ready *q, uint32_t slot);

/* Takes the head; READY_NONE when empty. */
uint32_t ready_pop(struct ready *q);

/* Takes `slot` out wherever it stands. `slot` must be a member. */
void ready_remove(struct ready *q, uint32_t slot);

/* True when `slot` stands in the queue. */
bool ready_member(const struct ready *q, uint32_t slot);

/* Walk from head to tail: ready_first, then ready_next until READY_NONE. */
uint32_t ready_first(const struct ready *q);
uint32_t ready_next(const struct ready *q, uint32_t slot);

/* Walks every link both ways; false when an invariant is broken. */
bool ready_check(const struct ready *q);

#endif
