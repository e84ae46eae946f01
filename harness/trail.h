/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_TRAIL_H
#define EDGEWISE_HARNESS_TRAIL_H

/*
 * How far a run has come, in a page that the run's process shares with the one that started it: of
 * a run that crashed or had to be ended this is told. Written by the run, read by whoever outlives
 * it. Every function but trail_map takes NULL: nobody wants to know.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "harness/script/plan.h"

#define TRAIL_STEPS(X)                              \
    X(SETUP, "while its world was set up")          \
    X(TIMELINE, "before the first statement")       \
    X(END, "behind the last statement")

enum trail_step {
#define X(name, text) TRAIL_##name,
    TRAIL_STEPS(X)
#undef X
        TRAIL_STEP_COUNT
};

/* What the run's process itself can fail at, with nobody to tell but this page. */
#define TRAIL_FAILURES(X)                              \
    X(NONE, "")                                        \
    X(BIND, "bind its life to the program's")          \
    X(CLOSE, "close the program's other descriptors")  \
    X(SEND, "send its result")

enum trail_failure {
#define X(name, text) TRAIL_FAIL_##name,
    TRAIL_FAILURES(X)
#undef X
        TRAIL_FAILURE_COUNT
};

struct trail {
    _Atomic unsigned step;       /* enum trail_step */
    _Atomic uint32_t statements; /* of the timeline that have begun */
    _Atomic unsigned failure;    /* enum trail_failure */
    _Atomic int error;           /* errno of that */
    _Atomic pid_t sut;           /* the init of the sut's PID namespace; 0: there was none yet */
};

/* Maps one; NULL when there is no memory. */
struct trail *trail_map(void);
void trail_unmap(struct trail *trail);

/* The mapping does not go down to processes that are forked from here on. */
void trail_keep(struct trail *trail);

/* The run has come to this step. */
void trail_enter(struct trail *trail, enum trail_step step);

/* Statement `index` of the plan begins. */
void trail_begin(struct trail *trail, uint32_t index);

/* The sut is there: its namespace's init has this pid. */
void trail_spawned(struct trail *trail, pid_t init);

/* The run's process cannot go on. */
void trail_fail(struct trail *trail, enum trail_failure failure, int error);

/* "send its result: No space left on device"; false when it did not come to that. */
bool trail_failed(const struct trail *trail, char *ret_text, size_t size);

/* "begun last: line 12, c send 01 02", or the step. */
void trail_tell(const struct trail *trail, const struct plan *plan, char *ret_text, size_t size);

#endif
