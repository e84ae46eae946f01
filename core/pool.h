/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_POOL_H
#define EDGEWISE_CORE_POOL_H

/*
 * The account of the buffers that requests hand to a device: who owns each, and how many hold it.
 * The device is a holder, and so is everyone who borrowed the buffer; it returns to the pool when
 * the last of them has let go, at no other moment, and once for each time that it was taken
 * (R-A-05, R-A-06). With at most QREQ owners of at most MBUF bytes, no more than QREQ x MBUF bytes
 * are ever held (R-A-19).
 *
 * No bytes in here, and no address: a buffer is an index, and its memory is the caller's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/identity.h"

struct pool_buffer {
    struct identity owner; /* IDENTITY_NONE while the buffer is in the pool */
    uint32_t holders;      /* 0 while it is in the pool */
    uint32_t bytes;        /* what its owner asked for */
    uint32_t next;         /* free list; meaningless while held */
};

/* Lives in the arena. */
struct pool {
    uint32_t count;      /* buffers in `buffer` */
    uint32_t bytes;      /* MBUF, the size of each */
    uint32_t free;       /* first free buffer, `count` when there is none */
    uint32_t held;       /* buffers that have an owner */
    uint64_t held_bytes; /* asked for by their owners */
    uint64_t peak_bytes; /* the most there ever were */
    uint64_t taken;
    uint64_t returned; /* taken - held */
    uint64_t misused;  /* holds and drops of a buffer that was not the caller's; 0 in a good run */
    struct pool_buffer buffer[];
};

/* Bytes that a pool of `count` buffers needs; count is 1 .. 2^20. */
size_t pool_size(uint32_t count);

/* Makes a pool of `count` buffers of `bytes` each, all free, in `pool`, which has pool_size(count)
 * bytes. */
void pool_init(struct pool *pool, uint32_t count, uint32_t bytes);

/*
 * Takes a buffer for `owner` with one holder, the device. The one that came back last goes out
 * first, so that whoever still has its address meets the next owner at once. 0; -EMSGSIZE when
 * `bytes` is 0 or above MBUF; -ENOBUFS when none is free. On failure `ret_index` is untouched.
 */
int pool_take(struct pool *pool, struct identity owner, uint32_t bytes, uint32_t *ret_index);

/* One more holder. 0, or -ESTALE when `owner` does not own the buffer: counted, nothing changed. */
int pool_hold(struct pool *pool, uint32_t index, struct identity owner);

/* One holder less. 1 when it was the last and the buffer is back; 0 when others hold it; -ESTALE as
 * in pool_hold. */
int pool_drop(struct pool *pool, uint32_t index, struct identity owner);

/* Whether `owner` owns the buffer; nobody else may look into it (R-A-08). Any index is safe. */
bool pool_owns(const struct pool *pool, uint32_t index, struct identity owner);

/* Walks every invariant of the pool; false when one is broken. */
bool pool_check(const struct pool *pool);

#endif
