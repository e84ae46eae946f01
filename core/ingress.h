/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_INGRESS_H
#define EDGEWISE_CORE_INGRESS_H

/*
 * The cross-thread inbox: words from any thread, taken by the reactor's thread alone. Bounded, in
 * order per sender, no lock and no allocation. Whoever posts wakes the reactor afterwards; several
 * posts may share one wake, and what a turn leaves behind is local work (R-L-13).
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ingress_cell {
    _Atomic uint64_t turn; /* whose turn the cell is: a sender's or the reader's */
    uint64_t word;
};

/* Lives outside the arena: threads hold its address. */
struct ingress {
    uint32_t capacity;       /* a power of two */
    _Atomic uint64_t tail;   /* next place to write, shared by the senders; top bit: closed */
    _Atomic uint64_t head;   /* next place to read; the reactor's */
    struct ingress_cell cell[];
};

/* Bytes for `capacity` words: a power of two, 2 .. 2^20. */
size_t ingress_size(uint32_t capacity);

/* Makes an empty inbox in `ingress`, which has ingress_size(capacity) bytes. */
void ingress_init(struct ingress *ingress, uint32_t capacity);

/* Any thread. 0; -EAGAIN when full; -ESHUTDOWN after ingress_close. In both nothing was posted. */
int ingress_post(struct ingress *ingress, uint64_t word);

/* The reactor's thread only. True and `ret_word`, or false when nothing is there yet. */
bool ingress_take(struct ingress *ingress, uint64_t *ret_word);

/* The reactor's thread only. Nothing can be posted from now on; what was posted before, and nothing
 * else, is still to be taken: until ingress_drained. */
void ingress_close(struct ingress *ingress);

/* The reactor's thread only, after ingress_close: every word that was ever posted has been taken. A
 * sender that has its place may still be writing; then ingress_take finds nothing for a moment. */
bool ingress_drained(const struct ingress *ingress);

/* The reactor's thread only. True when ingress_take would find a word. */
bool ingress_pending(const struct ingress *ingress);

#endif
