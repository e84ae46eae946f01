/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/closer.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Several: closings at one time share the kernel's wait, and a descriptor that is not yet being
 * closed would be handed down to every process that is forked meanwhile. */
#define CLOSER_THREADS 4
#define CLOSER_WAITING_MAX 32

#define CLOSER_FREE 0 /* a slot holds a descriptor plus one, so that it begins as free */

static atomic_int closer_slots[CLOSER_WAITING_MAX];
static sem_t closer_filled; /* one for each slot that is not free */
static sem_t closer_ready;  /* one for each thread that has begun */
static pthread_once_t closer_once = PTHREAD_ONCE_INIT;
static pid_t closer_owner; /* the process that has the threads; 0: none could be started */

/* True: the descriptor is some thread's to close. */
static bool closer_put(int fd)
{
    for (size_t i = 0; i < CLOSER_WAITING_MAX; i++) {
        int expected = CLOSER_FREE;
        if (atomic_compare_exchange_strong(&closer_slots[i], &expected, fd + 1)) {
            (void)sem_post(&closer_filled);
            return true;
        }
    }
    return false;
}

static void closer_take(void)
{
    for (size_t i = 0; i < CLOSER_WAITING_MAX; i++) {
        int taken = atomic_exchange(&closer_slots[i], CLOSER_FREE);
        if (taken != CLOSER_FREE) {
            (void)close(taken - 1);
            return;
        }
    }
}

static void closer_await(sem_t *semaphore)
{
    while (sem_wait(semaphore) < 0)
        assert(errno == EINTR);
}

static void *closer_run(void *arg)
{
    (void)sem_post(&closer_ready);
    for (;;) {
        closer_await(&closer_filled);
        closer_take();
    }
    return arg;
}

static int closer_start_thread(void)
{
    pthread_attr_t attributes;
    pthread_t thread;

    int err = pthread_attr_init(&attributes);
    if (err != 0)
        return -err;
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    err = pthread_create(&thread, &attributes, closer_run, NULL);
    (void)pthread_attr_destroy(&attributes);
    return -err;
}

/* When it returns no thread is in its beginnings any more, where the library may need a lock. */
static void closer_start(void)
{
    sigset_t all, before;
    int started = 0;

    (void)sem_init(&closer_filled, 0, 0);
    (void)sem_init(&closer_ready, 0, 0);
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < CLOSER_THREADS && closer_start_thread() == 0)
        started++;
    if (started > 0)
        closer_owner = getpid();
    for (; started > 0; started--)
        closer_await(&closer_ready);
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void closer_close(int fd)
{
    assert(fd >= 0);
    (void)pthread_once(&closer_once, closer_start);
    if (closer_owner != getpid() || !closer_put(fd))
        (void)close(fd);
}
