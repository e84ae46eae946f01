/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_CANONICAL_H
#define EDGEWISE_HARNESS_CLI_CANONICAL_H

/* The canonical capture of a run, which is kept beside its script: see pcaps/canon.h. */

#include "harness/happened.h"

/*
 * Appends it to the empty list `list`. `clock_offset_ns` is what the captures' clock is ahead of
 * the monotonic one. 0; -ENODATA when the run has no packets; else as transcript_make and
 * canon_make, `list` empty.
 */
int canonical_make(const struct happened *happened, int64_t clock_offset_ns,
                   struct packet_list *list);

/* How much CLOCK_REALTIME, which stamps packets, is ahead of CLOCK_MONOTONIC now. */
int64_t canonical_clock_offset(void);

#endif
