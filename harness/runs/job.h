/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_JOB_H
#define EDGEWISE_HARNESS_RUNS_JOB_H

/*
 * One run in a process of its own. The journal lies in memory that was shared before the process
 * came about, so its rows survive whatever becomes of the bench and the sut; all else that happened
 * comes back as a parcel through a pipe. Everything that a run made - sut, namespaces, link - ends
 * with its process, and that one ends with ours.
 *
 * A job has one descriptor at a time that becomes readable when job_step has something to do. From
 * one thread, in a process without others.
 */

#include <stdbool.h>
#include <sys/types.h>

#include "harness/conduct/bench.h"

/* A signal that came just before a wait is noticed after it. */
#define JOB_LOOK_MS 50

#define JOB_ENDS(X)                                                         \
    X(HAPPENED)    /* a whole record */                                     \
    X(FAILED)      /* the bench said why it could not */                    \
    X(INTERRUPTED) /* it was told to end, and nothing came of it */         \
    X(DIED)        /* its process ended without a word */                   \
    X(EXPIRED)     /* it took too long, and was killed */

enum job_end {
#define X(name) JOB_##name,
    JOB_ENDS(X)
#undef X
        JOB_END_COUNT
};

/* As bench_run. Runs in the job's process; nothing needs to be freed there. */
typedef int job_run_fn(const struct bench_job *job, struct happened *ret_happened,
                       struct bench_failure *failure);

struct job_request {
    struct bench_job bench; /* without block, trail and leave */
    struct duration limit;  /* how long it may take in all */
    job_run_fn *run;        /* NULL: bench_run */
};

/* What became of it. */
struct job_outcome {
    enum job_end end;
    /* HAPPENED: all of it. DIED, EXPIRED: the journal and the sources, and the fate HUNG; why is
     * the failure's to say. */
    struct happened happened;
    struct bench_failure failure; /* FAILED, DIED, EXPIRED: one line */
    struct duration wall;         /* from the start to the last byte of the parcel */
};

enum job_state {
    JOB_RUNNING,  /* the parcel is awaited */
    JOB_DYING,    /* there will be none: the end of the process is awaited */
    JOB_ORPHANED, /* and that of the sut, which may still write its journal */
    JOB_TOLD,     /* the outcome is there; the process may still be closing what it had */
    JOB_GONE,     /* and it is reaped */
};

struct job {
    struct job_request request;
    enum job_state state;
    pid_t pid;
    int pidfd;
    int pipe;
    int sut; /* pidfd */
    pid_t sut_pid;
    struct block *block;
    struct trail *trail;
    uint8_t *bytes; /* of the parcel, so far */
    size_t size;
    size_t room;
    int status; /* of the process, once it is reaped */
    int error;  /* of the pipe */
    bool expired;
    bool stopped;
    struct instant started;
    struct duration wall;
};

/* Starts a run: 0, or -errno with `failure` filled and nothing running. The plan is borrowed until
 * the job is gone. The process of a job leaves its orphans to the caller, if that one is a
 * subreaper. */
int job_start(struct job *ret_job, const struct job_request *request,
              struct bench_failure *failure);

/* What to poll for POLLIN (or POLLHUP); -1 once it is gone. */
int job_descriptor(const struct job *job);

/* Does what the descriptor asks for; never waits. */
void job_step(struct job *job);

/* Asks it to end soon, as a signal to the program does. */
void job_stop(struct job *job);

/* Ends it now, with all that belongs to it: it took too long (`expired`), or was stopped and did
 * not end. The outcome still has to be awaited. */
void job_kill(struct job *job, bool expired);

/* When it is to be killed as expired. */
struct instant job_limit(const struct job *job);

/* How long to wait for its descriptor at `now`, in ms for poll(2): not beyond its limit, and never
 * longer than JOB_LOOK_MS. */
int job_patience(const struct job *job, struct instant now);

/* The outcome of a job that is TOLD or GONE, once; free it with job_forget. */
void job_take(struct job *job, struct job_outcome *ret_outcome);

/* Frees an outcome. */
void job_forget(struct job_outcome *outcome);

/* Kills what still runs, waits for its end, frees the job. */
void job_close(struct job *job);

/* A whole run, awaited: for programs that make one at a time. As job_start. */
int job_run(const struct job_request *request, struct job_outcome *ret_outcome,
            struct bench_failure *failure);

#endif
