/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_BLOCK_H
#define EDGEWISE_HARNESS_SUT_BLOCK_H

/*
 * The memory that the bench and the sut's process share: whose turn it is, order, report, journal.
 * A sut may die while it writes anything anywhere, so the bench believes none of it: how large the
 * block is stands in a page before it that each process has for itself.
 */

#include "harness/sut/handover.h"
#include "harness/sut/remarks.h"
#include "harness/sut/sut.h"

/* The peers of the sources that came into service, in that order. */
struct block_sources {
    _Atomic uint32_t count;
    uint32_t peer[PLAN_PEERS_MAX];
};

struct block {
    struct handover handover;
    struct sut_order order;
    struct sut_report report; /* the answer to the last order */
    struct sut_report last;   /* in its place once the handover was left */
    struct block_sources sources;
    struct remarks remarks;
    _Alignas(64) uint8_t journal[];
};

/* Maps a block whose journal has room for `plan`. NULL when there is no memory. Pages cost nothing
 * until they are written. */
struct block *block_map(const struct plan *plan);

/* Bytes of the block, journal included. */
size_t block_size(const struct block *block);

/* The journal inside. */
struct journal *block_journal(struct block *block);

/* The sut's side: the next source in service is `peer`'s. */
void block_source(struct block *block, uint32_t peer);

/* The bench's side: the peer of source `n`, below PLAN_PEERS_MAX; PLAN_NOBODY when it is not there
 * yet. */
uint32_t block_peer(const struct block *block, uint32_t n);

/* What the sut reported last, made fit to be read: a status that exists, a text that ends. */
struct sut_report block_report(const struct block *block);

/* Once no process writes any more: puts the journal's bounds back to what they are. False when they
 * were not. */
bool block_mend(struct block *block);

/* What became of a sut that has left: it stopped, its limit was used up, or it could not go on.
 * `ret_text` is the caller's to free, NULL when it stopped. */
enum happened_fate block_fate(const struct sut_report *report, char **ret_text);

/* At the end of its sut: mends it, with a note if that was needed; the journal is `happened`'s (may
 * be NULL) to read, and the block its to unmap, unless it is `lent`. NULL for a block is fine. */
void block_deliver(struct block *block, bool lent, struct happened *happened);

/* It does not go down to processes that are forked from here on. */
void block_hide(struct block *block);

/* Lets go of it; NULL is fine. */
void block_unmap(struct block *block);

#endif
