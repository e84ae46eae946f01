/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_POOL_H
#define EDGEWISE_HARNESS_RUNS_POOL_H

/*
 * Several runs at the same time, each in its process and its place. A slot is free again as soon as
 * its run has told what happened, while the process may still be closing: packet sockets close
 * slowly. How many may be at that is bounded.
 */

#include "harness/runs/job.h"
#include "harness/runs/places.h"
#include "harness/urgency.h"

#define POOL_LEAVING_MAX 16
/* How long a run that was told to end may take for it. */
#define POOL_GRACE DURATION_MS(800)

struct pool_run {
    struct job job;
    int slot;  /* -1: given back */
    void *tag; /* the caller's */
};

struct pool {
    struct places places;
    struct pool_run *runs[PLACES_MAX + POOL_LEAVING_MAX];
    unsigned count;
    unsigned running; /* those that have a slot */
    bool stopped;
    struct instant grace; /* until then a stopped run may end by itself */
    struct urgency before; /* of the caller */
};

/* A pool of `slots` (1 .. PLACES_MAX) over the CPUs that the caller may use. Until pool_close the
 * calling thread is urgent, so that no run waits for its start on a busy machine; for good the
 * process becomes the one that orphans of its runs are left to. 0 or -errno. */
int pool_open(struct pool *pool, unsigned slots);

/* Whether a run could be started now. */
bool pool_free(const struct pool *pool, bool exact);

/* Starts a run where there is room for it; `request->bench.place` is the pool's to choose. `tag`
 * comes back with the outcome. 0 or -errno with `failure`. */
int pool_start(struct pool *pool, const struct job_request *request, void *tag,
               struct bench_failure *failure);

/*
 * Waits until one run has told what became of it: 1, `ret_outcome` (job_forget) and `ret_tag`; 0
 * when none is running. Kills those that take too long. A program that is told to end (interrupted)
 * stops all of them.
 */
int pool_await(struct pool *pool, struct job_outcome *ret_outcome, void **ret_tag);

/* Tells every run to end; one that does not within POOL_GRACE is killed. */
void pool_stop(struct pool *pool);

/* Kills what still runs and waits for the end of every process. */
void pool_close(struct pool *pool);

#endif
