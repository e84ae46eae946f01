/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_CHILD_H
#define EDGEWISE_HARNESS_SUT_CHILD_H

/* The sut's own process: the subject on the real kernel. */

#include "harness/sut/block.h"
#include "harness/sut/defects.h"

struct child {
    struct block *block;
    const struct plan *plan;
    enum reactor_trigger trigger;
    enum plan_family family;
    enum defects defect;
    int control; /* socket on which descriptors for ADOPT come */
    int cpu;     /* -1: wherever it is */
    bool patient; /* it stays an ordinary process */
};

/* Runs until told to stop. The exit status of the process: 0, or 3 with the report saying why.
 * `arg` is a struct child. */
int child_run(void *arg);

#endif
