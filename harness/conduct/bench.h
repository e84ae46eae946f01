/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CONDUCT_BENCH_H
#define EDGEWISE_HARNESS_CONDUCT_BENCH_H

/*
 * One run from nothing to nothing: the world is built, the sut started, the timeline carried out,
 * the sut stopped, the world gone. What happened is left in a record; nobody is judged here.
 */

#include "harness/cpu.h"
#include "harness/happened.h"
#include "harness/result.h"
#include "harness/sut/defects.h"
#include "harness/trail.h"

struct bench_job {
    const struct plan *plan;
    enum result_world world;
    enum reactor_trigger trigger;
    enum plan_family family;
    enum defects defect; /* NONE, or one that defects_possible */
    struct cpu_place place;
    struct block *block; /* lent, for the journal; NULL: the run maps one of its own */
    struct trail *trail; /* told how far the run has come; NULL: nobody */
    bool leave; /* the world is left to the end of the process, which follows at once */
};

/* Enough for one line that names the step that failed, why, and what mends it. */
struct bench_failure {
    int code; /* positive errno, 0 when none fits */
    char text[320];
};

/*
 * Carries out `job`. 0 and `ret_happened`, which the caller frees with happened_free, whatever
 * became of the sut; or -errno when the bench itself could not do it, with `failure` filled.
 * Nothing is left behind in either case, unless `leave`. The calling thread's CPUs, scheduling and
 * namespaces are as before afterwards.
 */
int bench_run(const struct bench_job *job, struct happened *ret_happened,
              struct bench_failure *failure);

/* Whether a run has to have a CPU to itself, so that its rows are exact. */
bool bench_exact(const struct plan *plan, enum result_world world);

/* Whether this process can build `world` here, tried for real: 0, or -errno with `failure` saying
 * what is refused. Enters a user namespace when that is what makes it possible; call it before the
 * first bench_run. */
int bench_prepare(enum result_world world, struct bench_failure *failure);

/* Asks a running bench_run to end soon; safe in signal handlers. It then returns -EINTR. */
void bench_interrupt(void);

#endif
