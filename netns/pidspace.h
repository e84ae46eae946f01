/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_PIDSPACE_H
#define EDGEWISE_NETNS_PIDSPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "netns/failure.h"
#include "netns/space.h"

/* A PID namespace with two processes of ours: an init (pid 1 inside), and the payload (pid 2),
 * which runs a function of this same program. Pid 1 cannot be the payload: the kernel lets it
 * ignore abort() and TERM. init reaps orphans, passes TERM, INT, HUP, QUIT, USR1 and USR2 on,
 * reports how the payload ended, and ends with it; with init ends every process inside. When the
 * thread or process that spawned it dies, by whatever signal, init dies too. */

struct pidspace_options {
    const struct space *space; /* network namespace of both processes; NULL: the caller's */
    const int *keep;           /* descriptors that the payload keeps beside 0, 1 and 2 */
    size_t keep_count;         /* at most PIDSPACE_KEEP_MAX; all others are closed */
    int start_limit_ms;        /* until the payload has to run; 0: PIDSPACE_START_LIMIT_MS */
    bool (*interrupted)(void); /* true ends the wait for that; NULL: never */
};

#define PIDSPACE_KEEP_MAX 32
#define PIDSPACE_START_LIMIT_MS 5000

struct pidspace {
    pid_t init;    /* in the caller's namespace; -1: none or already reaped */
    pid_t payload; /* in the caller's namespace: for a debugger or /proc */
    int pidfd;     /* of init; readable when all is over: for poll() */
    int channel;   /* where init reports */
};

#define PIDSPACE_NONE ((struct pidspace){.init = -1, .payload = -1, .pidfd = -1, .channel = -1})

struct pidspace_end {
    int status;     /* as from waitpid(2), of the payload; init's own when init was killed */
    bool leftovers; /* the payload left living children behind; they are dead now */
    bool init;      /* init was killed, and the payload with it */
};

/* Starts run(arg) as payload; its value (0..255) is the exit code, reached by _exit: no atexit
 * handler, no flushing of streams. Signal handlers are default and nothing is blocked in it. It is
 * in a session of its own, so a ^C on the terminal reaches the caller only. When this returns the
 * payload is running. options may be NULL; interrupted is asked at least every 50 ms, and whenever
 * a signal came. The caller must not reap with waitpid(-1), and while this runs none of its other
 * threads may hold a lock that the payload needs, malloc's and stdio's included: unlike fork(), the
 * clone(2) behind this does not wait for them.
 * Needs CAP_SYS_ADMIN, as space_open(). Errors: -EPERM, -ENOSPC, -EAGAIN, -EINVAL (too many to
 * keep), -EBADF (one of them is not open), -ETIMEDOUT, -EINTR (interrupted said so); nothing is
 * left behind then. The caller ends with pidspace_close(). */
int pidspace_spawn(struct pidspace *ret_ps, const struct pidspace_options *options,
                   int (*run)(void *arg), void *arg, struct failure *failure);

/* Waits until every process inside is gone, at most timeout_ms (-1: no limit, 0: only looks). 0
 * with *ret_end, -ETIMEDOUT, -ECHILD when it was awaited before, or another -errno when all are
 * gone and how they ended could not be learnt. */
int pidspace_wait(struct pidspace *ps, int timeout_ms, struct pidspace_end *ret_end);

/* True until init has ended. */
bool pidspace_alive(const struct pidspace *ps);

/* Kills what still lives, waits for it and frees all; harmless when called twice. */
void pidspace_close(struct pidspace *ps);

#endif
