/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_STORE_H
#define EDGEWISE_CORE_STORE_H

/*
 * Where the frames of one connection lie: a ring in which each frame is contiguous, so that a
 * payload is read in place, handed out in place and never copied. With room for one largest frame
 * beyond the credit that bounds it, there is always a contiguous place for the next frame. Offsets
 * only; the bytes are the caller's. Frames leave in the order in which they came.
 */

#include <stdbool.h>
#include <stdint.h>

/* Lives in the arena. All zero: empty. */
struct store {
    uint32_t head;   /* the oldest frame */
    uint32_t tail;   /* where the next frame will stand */
    uint32_t wrap;   /* end of the upper part while the ring is wrapped, else 0 */
    uint32_t frames; /* complete frames held */
    uint32_t placed; /* a frame is being read into its place */
};

/* Bytes that a ring needs for `capacity` bytes of credit and frames of at most `frame_max`. */
uint32_t store_size(uint32_t capacity, uint32_t frame_max);

/* Offset of a contiguous place for the next frame, `frame_max` bytes; the same one until the frame
 * is committed, whatever is released meanwhile. Credit for it is reserved already. */
uint32_t store_place(struct store *store, uint32_t size, uint32_t frame_max);

/* The frame at `tail` is complete with `encoded` bytes. */
void store_commit(struct store *store, uint32_t encoded);

/* Offset of the oldest frame; there is one. */
uint32_t store_oldest(const struct store *store);

/* Lets the oldest frame go; `encoded` is its size. */
void store_release(struct store *store, uint32_t encoded);

/* True when the offsets fit a ring of `size` bytes. */
bool store_check(const struct store *store, uint32_t size);

#endif
