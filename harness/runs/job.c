/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/job.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/memory.h"
#include "harness/runs/errand.h"
#include "harness/runs/parcel.h"
#include "harness/sut/block.h"
#include "harness/sys_linux.h"

/* A record with a few frames goes through at once. */
#define JOB_PIPE_BYTES (1 << 18)
#define JOB_READ_BYTES ((size_t)1 << 16)

static int job_fail(struct bench_failure *failure, int code, const char *what)
{
    failure->code = -code;
    (void)snprintf(failure->text, sizeof(failure->text), "%s: %s", what, strerror(-code));
    return code;
}

static int job_map(struct job *job, struct bench_failure *failure)
{
    job->block = block_map(job->request.bench.plan);
    job->trail = trail_map();
    if (!job->block || !job->trail)
        return job_fail(failure, -ENOMEM, "memory for a run");
    job->request.bench.block = job->block;
    job->request.bench.trail = job->trail;
    job->request.bench.leave = true;
    return 0;
}

static int job_fork(struct job *job, struct bench_failure *failure)
{
    pid_t parent = getpid();
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) < 0)
        return job_fail(failure, -errno, "a pipe from a run");
    job->pipe = ends[0];
    (void)fcntl(ends[0], F_SETPIPE_SZ, JOB_PIPE_BYTES);
    job->pid = fork();
    if (job->pid == 0)
        errand_run(&job->request, ends[1], parent);
    (void)close(ends[1]);
    if (job->pid < 0)
        return job_fail(failure, -errno, "a process for a run");
    job->pidfd = (int)syscall(SYS_pidfd_open, job->pid, 0);
    if (job->pidfd < 0)
        return job_fail(failure, -errno, "a descriptor of a run's process");
    if (fcntl(ends[0], F_SETFL, O_NONBLOCK) < 0)
        return job_fail(failure, -errno, "a pipe from a run");
    return 0;
}

int job_start(struct job *ret_job, const struct job_request *request,
              struct bench_failure *failure)
{
    struct job job = {.request = *request, .pid = -1, .pidfd = -1, .pipe = -1, .sut = -1};
    int rc;

    job.started = sys_linux_now();
    rc = job_map(&job, failure);
    if (rc == 0)
        rc = job_fork(&job, failure);
    if (rc < 0) {
        job_close(&job);
        return rc;
    }
    block_hide(job.block);
    trail_keep(job.trail);
    *ret_job = job;
    return 0;
}

int job_descriptor(const struct job *job)
{
    switch (job->state) {
    case JOB_RUNNING:
        return job->pipe;
    case JOB_ORPHANED:
        return job->sut;
    case JOB_DYING:
    case JOB_TOLD:
        return job->pidfd;
    case JOB_GONE:
        break;
    }
    return -1;
}

static void job_shut(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

static void job_enter(struct job *job, enum job_state state)
{
    if (state == JOB_TOLD || state == JOB_DYING)
        job_shut(&job->pipe);
    if (state == JOB_TOLD)
        job->wall = instant_since(sys_linux_now(), job->started);
    job->state = state;
}

/* Everything that is there, up to the end of the parcel. */
static void job_receive(struct job *job)
{
    int64_t whole = parcel_size(job->bytes, job->size);
    ssize_t taken;

    if (job->room - job->size < JOB_READ_BYTES) {
        job->room = job->room ? 2 * job->room : 2 * JOB_READ_BYTES;
        job->bytes = memory_must(realloc(job->bytes, job->room));
    }
    taken = read(job->pipe, job->bytes + job->size, job->room - job->size);
    if (taken > 0)
        job->size += (size_t)taken;
    if (taken < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (taken < 0)
        job->error = errno;
    if (taken > 0)
        whole = parcel_size(job->bytes, job->size);
    if (whole > 0 && job->size >= (size_t)whole)
        job_enter(job, JOB_TOLD);
    else if (taken <= 0 || whole < 0)
        job_enter(job, JOB_DYING);
}

/* 1 when the process of this pid is reaped or no child of ours, 0 when it still lives. */
static int job_reap(pid_t pid, int *ret_status)
{
    pid_t rc;

    do {
        rc = waitpid(pid, ret_status, WNOHANG);
    } while (rc < 0 && errno == EINTR);
    return rc != 0;
}

/* The end of a namespace's init is the end of all in it: then nobody writes the journal. */
static void job_look_for_sut(struct job *job)
{
    job->sut_pid = atomic_load_explicit(&job->trail->sut, memory_order_relaxed);
    if (job->sut_pid > 0 && !job_reap(job->sut_pid, &(int){0}))
        job->sut = (int)syscall(SYS_pidfd_open, job->sut_pid, 0);
    job_enter(job, job->sut >= 0 ? JOB_ORPHANED : JOB_TOLD);
}

void job_step(struct job *job)
{
    switch (job->state) {
    case JOB_RUNNING:
        job_receive(job);
        break;
    case JOB_DYING:
        if (job_reap(job->pid, &job->status)) {
            job->pid = -1;
            job_look_for_sut(job);
        }
        break;
    case JOB_ORPHANED:
        if (job_reap(job->sut_pid, &(int){0})) {
            job_shut(&job->sut);
            job_enter(job, JOB_TOLD);
        }
        break;
    case JOB_TOLD:
        if (job->pid >= 0 && job_reap(job->pid, &job->status))
            job->pid = -1;
        if (job->pid < 0)
            job_enter(job, JOB_GONE);
        break;
    case JOB_GONE:
        break;
    }
}

void job_stop(struct job *job)
{
    job->stopped = true;
    if (job->pid >= 0)
        (void)kill(job->pid, SIGTERM);
}

void job_kill(struct job *job, bool expired)
{
    job->expired |= expired;
    job->stopped |= !expired;
    if (job->pid >= 0)
        (void)kill(job->pid, SIGKILL);
}

struct instant job_limit(const struct job *job)
{
    return job->expired || job->stopped ? INSTANT_NEVER
                                        : instant_add(job->started, job->request.limit);
}

int job_patience(const struct job *job, struct instant now)
{
    int64_t left_ns = instant_since(job_limit(job), now).ns;

    if (left_ns <= 0)
        return 0;
    /* Rounded up: a moment too early there would be nothing to do. */
    return left_ns >= JOB_LOOK_MS * 1000000L ? JOB_LOOK_MS : (int)((left_ns + 999999) / 1000000);
}

/* --- The outcome --- */

/* Why there is no result, without where it was. */
static void job_reason(const struct job *job, char *text, size_t size)
{
    char why[120];

    if (job->expired)
        (void)snprintf(text, size, "ended after %.3g s without a result",
                       (double)job->request.limit.ns / 1e9);
    else if (job->error != 0)
        (void)snprintf(text, size, "receive the result of a run: %s", strerror(job->error));
    else if (WIFSIGNALED(job->status))
        (void)snprintf(text, size, "the bench was killed by SIG%s",
                       sigabbrev_np(WTERMSIG(job->status)));
    else if (trail_failed(job->trail, why, sizeof(why)))
        (void)snprintf(text, size, "the bench could not %s", why);
    else
        (void)snprintf(text, size, "the bench ended with status %d and no result",
                       WEXITSTATUS(job->status));
}

static void job_explain(const struct job *job, struct bench_failure *failure)
{
    char reason[200];
    char where[112];

    job_reason(job, reason, sizeof(reason));
    trail_tell(job->trail, job->request.bench.plan, where, sizeof(where));
    failure->code = job->expired ? ETIMEDOUT : job->error != 0 ? job->error : ECHILD;
    (void)snprintf(failure->text, sizeof(failure->text), "%s; %s", reason, where);
}

/* The peers of the sources that the journal tells of. */
static void job_find_sources(const struct block *block, struct happened *happened)
{
    uint32_t most = happened->plan->peer_count;

    happened->sources = memory_zeroed(most, sizeof(*happened->sources));
    while (happened->source_count < most) {
        uint32_t peer = block_peer(block, happened->source_count);

        if (peer >= most)
            return;
        happened->sources[happened->source_count++] = peer;
    }
}

/* What is left of a run that told nothing: its journal. */
static void job_salvage(struct job *job, struct job_outcome *outcome)
{
    const struct bench_job *bench = &job->request.bench;
    const char *fate = job->expired ? "its bench was ended" : "its bench died";
    struct happened *happened = &outcome->happened;

    job_explain(job, &outcome->failure);
    *happened = (struct happened){
        .plan = bench->plan,
        .trigger = bench->trigger,
        .family = bench->family,
        .fate = HAPPENED_HUNG,
        .fate_text = memory_text(fate, strlen(fate)),
    };
    if (!block_mend(job->block))
        lines_add(&happened->notes, "the journal's bounds were overwritten; rows may be lost");
    job_find_sources(job->block, happened);
}

static void job_open_parcel(struct job *job, struct job_outcome *outcome)
{
    static const enum job_end ends[PARCEL_KIND_COUNT] = {
        [PARCEL_HAPPENED] = JOB_HAPPENED,
        [PARCEL_FAILURE] = JOB_FAILED,
        [PARCEL_INTERRUPTED] = JOB_INTERRUPTED,
    };
    struct parcel parcel;

    if (parcel_open(job->bytes, job->size, job->request.bench.plan, &parcel) < 0) {
        outcome->end = job->expired ? JOB_EXPIRED : job->stopped ? JOB_INTERRUPTED : JOB_DIED;
        return;
    }
    outcome->end = ends[parcel.kind];
    outcome->happened = parcel.happened;
    outcome->failure = parcel.failure;
}

void job_take(struct job *job, struct job_outcome *ret_outcome)
{
    struct job_outcome outcome = {.wall = job->wall};

    assert(job->block && (job->state == JOB_TOLD || job->state == JOB_GONE));
    job_open_parcel(job, &outcome);
    if (outcome.end == JOB_DIED || outcome.end == JOB_EXPIRED)
        job_salvage(job, &outcome);
    if (outcome.end == JOB_FAILED || outcome.end == JOB_INTERRUPTED) {
        block_unmap(job->block);
    } else {
        outcome.happened.journal = block_journal(job->block);
        outcome.happened.block = job->block;
    }
    job->block = NULL;
    free(job->bytes);
    job->bytes = NULL;
    *ret_outcome = outcome;
}

void job_forget(struct job_outcome *outcome)
{
    happened_free(&outcome->happened);
}

void job_close(struct job *job)
{
    if (job->pid >= 0) {
        (void)kill(job->pid, SIGKILL);
        while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    if (job->sut >= 0)
        while (waitpid(job->sut_pid, NULL, 0) < 0 && errno == EINTR)
            continue;
    job_shut(&job->pidfd);
    job_shut(&job->pipe);
    job_shut(&job->sut);
    block_unmap(job->block);
    trail_unmap(job->trail);
    free(job->bytes);
    *job = (struct job){.state = JOB_GONE, .pid = -1, .pidfd = -1, .pipe = -1, .sut = -1};
}

int job_run(const struct job_request *request, struct job_outcome *ret_outcome,
            struct bench_failure *failure)
{
    struct job job;
    int rc = job_start(&job, request, failure);

    if (rc < 0)
        return rc;
    while (job.state != JOB_TOLD) {
        struct pollfd wanted = {.fd = job_descriptor(&job), .events = POLLIN};
        struct instant now = sys_linux_now();

        if (!instant_before(now, job_limit(&job)))
            job_kill(&job, true);
        if (poll(&wanted, 1, job_patience(&job, now)) > 0)
            job_step(&job);
    }
    job_take(&job, ret_outcome);
    job_close(&job);
    return 0;
}
