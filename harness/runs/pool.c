/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/pool.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "harness/interrupted.h"
#include "harness/memory.h"
#include "harness/sys_linux.h"

#define POOL_RUNS_MAX (PLACES_MAX + POOL_LEAVING_MAX)

int pool_open(struct pool *pool, unsigned slots)
{
    cpu_set_t cpus;
    int rc = cpu_save(&cpus);

    if (rc < 0)
        return rc;
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
        return -errno;
    *pool = (struct pool){.grace = INSTANT_NEVER};
    places_make(&pool->places, slots, &cpus);
    urgency_save(&pool->before);
    (void)urgency_raise(URGENCY_PROGRAM);
    return 0;
}

bool pool_free(const struct pool *pool, bool exact)
{
    return !pool->stopped && pool->count - pool->running < POOL_LEAVING_MAX &&
           places_free(&pool->places, exact);
}

int pool_start(struct pool *pool, const struct job_request *request, void *tag,
               struct bench_failure *failure)
{
    struct job_request placed = *request;
    bool exact = bench_exact(request->bench.plan, request->bench.world);
    struct pool_run *run = memory_zeroed(1, sizeof(*run));
    int rc;

    assert(pool_free(pool, exact));
    run->tag = tag;
    run->slot = places_take(&pool->places, exact, &placed.bench.place);
    rc = job_start(&run->job, &placed, failure);
    if (rc < 0) {
        places_give(&pool->places, run->slot);
        free(run);
        return rc;
    }
    pool->runs[pool->count++] = run;
    pool->running++;
    return 0;
}

static void pool_remove(struct pool *pool, unsigned index)
{
    job_close(&pool->runs[index]->job);
    free(pool->runs[index]);
    pool->runs[index] = pool->runs[--pool->count];
}

/* Takes the outcome of a run that has one. */
static bool pool_collect(struct pool *pool, struct job_outcome *ret_outcome, void **ret_tag)
{
    for (unsigned i = 0; i < pool->count; i++) {
        struct pool_run *run = pool->runs[i];

        if (run->slot < 0 || run->job.state < JOB_TOLD)
            continue;
        job_take(&run->job, ret_outcome);
        *ret_tag = run->tag;
        places_give(&pool->places, run->slot);
        run->slot = -1;
        pool->running--;
        return true;
    }
    return false;
}

static void pool_reap(struct pool *pool)
{
    for (unsigned i = pool->count; i-- > 0;)
        if (pool->runs[i]->slot < 0 && pool->runs[i]->job.state == JOB_GONE)
            pool_remove(pool, i);
}

static void pool_enforce(struct pool *pool)
{
    struct instant now = sys_linux_now();

    if (interrupted())
        pool_stop(pool);
    for (unsigned i = 0; i < pool->count; i++) {
        struct job *job = &pool->runs[i]->job;

        if (!instant_before(now, job_limit(job)))
            job_kill(job, true);
        else if (pool->stopped && !instant_before(now, pool->grace))
            job_kill(job, false);
    }
}

static void pool_look(struct pool *pool)
{
    struct pollfd wanted[POOL_RUNS_MAX];
    struct instant now = sys_linux_now();
    int patience_ms = JOB_LOOK_MS;

    for (unsigned i = 0; i < pool->count; i++) {
        const struct pool_run *run = pool->runs[i];
        int own_ms = run->slot < 0 ? JOB_LOOK_MS : job_patience(&run->job, now);

        wanted[i] = (struct pollfd){.fd = job_descriptor(&run->job), .events = POLLIN};
        if (own_ms < patience_ms)
            patience_ms = own_ms;
    }
    if (poll(wanted, pool->count, patience_ms) <= 0)
        return;
    for (unsigned i = 0; i < pool->count; i++)
        if (wanted[i].revents != 0)
            job_step(&pool->runs[i]->job);
}

int pool_await(struct pool *pool, struct job_outcome *ret_outcome, void **ret_tag)
{
    while (pool->running > 0) {
        if (pool_collect(pool, ret_outcome, ret_tag))
            return 1;
        pool_enforce(pool);
        pool_look(pool);
        pool_reap(pool);
    }
    /* Nothing may be started, either, while too many are leaving. */
    pool_look(pool);
    pool_reap(pool);
    return 0;
}

void pool_stop(struct pool *pool)
{
    if (pool->stopped)
        return;
    pool->stopped = true;
    pool->grace = instant_add(sys_linux_now(), POOL_GRACE);
    for (unsigned i = 0; i < pool->count; i++)
        if (pool->runs[i]->slot >= 0)
            job_stop(&pool->runs[i]->job);
}

void pool_close(struct pool *pool)
{
    /* All of them first: what they hold then closes at the same time. */
    for (unsigned i = 0; i < pool->count; i++)
        job_kill(&pool->runs[i]->job, false);
    while (pool->count > 0)
        pool_remove(pool, pool->count - 1);
    urgency_restore(&pool->before);
    /* A sut whose run died before it could say who that is. */
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}
