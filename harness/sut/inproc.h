/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_INPROC_H
#define EDGEWISE_HARNESS_SUT_INPROC_H

/*
 * A sut that is our own reactor on a simulated kernel, in this very thread: a granted turn is a
 * strand that is resumed until the gatekeeper yields. Whatever pace a script asks for, it moves in
 * lock-step: a full turn at every instant is one of the schedules that free pace allows.
 *
 * A crash ends it alone, as far as it has spoiled nothing else. One that was stopped in the middle
 * of a call, by that or by a limit, cannot be freed: it is left to the end of the process.
 */

#include "harness/sut/sut.h"

/* The processes of the kernel: the bench with its peers, and the sut. */
#define INPROC_BENCH 0
#define INPROC_SUT   1

struct inproc_body;

struct inproc {
    struct block *block;
    bool lent; /* the block is the caller's */
    struct inproc_body *body;
};

/* Makes the sut; nothing runs yet. `ret_inproc` is borrowed by it. Cannot fail. */
struct sut inproc_sut(struct inproc *ret_inproc);

#endif
