/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_BLOCK_H
#define EDGEWISE_HARNESS_SUT_BLOCK_H

/* The memory that the bench and the sut's process share: whose turn it is, order, report,
 * journal. */

#include "harness/sut/handover.h"
#include "harness/sut/sut.h"

struct block {
    struct handover handover;
    struct sut_order order;
    struct sut_report report;
    size_t size; /* of the whole mapping */
    _Alignas(64) uint8_t journal[];
};

/* Maps a block whose journal has room for `plan`. NULL when there is no memory. Pages cost nothing
 * until they are written. */
struct block *block_map(const struct plan *plan);

/* The journal inside. */
struct journal *block_journal(struct block *block);

/* Lets go of it; NULL is fine. */
void block_unmap(struct block *block);

#endif
