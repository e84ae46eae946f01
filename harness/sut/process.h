/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_PROCESS_H
#define EDGEWISE_HARNESS_SUT_PROCESS_H

/* A sut that is our own reactor on the real kernel: a process of its own, pid 2 of its own PID
 * namespace, in the network namespace that it is given. Its journal lies in shared memory and
 * outlives it. */

#include "harness/sut/block.h"
#include "harness/sut/child.h"
#include "netns/pidspace.h"

struct process {
    struct block *block;
    bool lent; /* the block is the caller's */
    struct child child;
    struct pidspace pidspace;
    int control; /* our end of the socket for descriptors; -1: none */
    struct sut_report report; /* the last one */
};

/* Makes the sut; nothing runs yet. `ret_process` is borrowed by it. Cannot fail. */
struct sut process_sut(struct process *ret_process);

#endif
