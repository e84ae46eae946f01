/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_CREDIT_H
#define EDGEWISE_CORE_CREDIT_H

/*
 * The byte budget of one connection: used (complete frames that the consumer holds) + reserved (the
 * frame being read) <= capacity, always (R-F-02, R-F-20). Room is taken before the first byte of a
 * header is read and given back by the consumer.
 */

#include <stdbool.h>
#include <stdint.h>

/* Lives in the arena. */
struct credit {
    uint32_t capacity;
    uint32_t used;
    uint32_t reserved;
};

/* Nothing used, nothing reserved. */
void credit_init(struct credit *credit, uint32_t capacity);

/* used + reserved. */
uint32_t credit_total(const struct credit *credit);

/* "Capacity allows" (R-ST-18): the present frame's reservation is held, or `need` more fits. */
bool credit_allows(const struct credit *credit, uint32_t need);

/* Reserves `need` bytes for the next frame, unless a reservation is held already (R-F-03, R-F-08).
 * 0, or -ENOSPC when it does not fit; then nothing changed. */
int credit_reserve(struct credit *credit, uint32_t need);

/* The frame's size is known: the reservation falls to it (R-F-05). `size` is at most what is
 * reserved. */
void credit_shrink(struct credit *credit, uint32_t size);

/* The frame is complete: `size` bytes become used, the rest of the reservation returns (R-F-06). */
void credit_commit(struct credit *credit, uint32_t size);

/* The frame will never be complete: the reservation returns (R-F-09). */
void credit_drop(struct credit *credit);

/* The consumer is done with `bytes`. 0, or -EINVAL when more than is used; then nothing changed. */
int credit_release(struct credit *credit, uint32_t bytes);

/* used + reserved <= capacity, in arithmetic that cannot wrap. */
bool credit_check(const struct credit *credit);

#endif
