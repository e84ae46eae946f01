/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_CHILD_H
#define EDGEWISE_HARNESS_SUT_CHILD_H

/* The sut's own process: a listener, the reactor with its decorators, the application. */

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

/* Where the sut listens: the port over IP, the abstract name over UNIX. */
#define CHILD_PORT 7000
#define CHILD_UNIX_NAME "edgewise-sut"

/* Runs until told to stop. The exit status of the process: 0, or 3 with the report saying why.
 * `arg` is a struct child. */
int child_run(void *arg);

#endif
