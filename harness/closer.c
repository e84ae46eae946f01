/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/closer.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

/* A ring of descriptors between the one caller and the one thread. */
#define CLOSER_ROOM 64

static int closer_ring[CLOSER_ROOM];
static sem_t closer_filled; /* descriptors in the ring */
static sem_t closer_free;   /* places in it */
static unsigned closer_tail;
static bool closer_started;

static void closer_wait(sem_t *semaphore)
{
    while (sem_wait(semaphore) < 0)
        continue;
}

static void *closer_run(void *arg)
{
    (void)arg;
    for (unsigned head = 0;; head = (head + 1) % CLOSER_ROOM) {
        closer_wait(&closer_filled);
        (void)close(closer_ring[head]);
        (void)sem_post(&closer_free);
    }
    return NULL;
}

/* Signals are for the thread that runs scenarios. */
static bool closer_start(void)
{
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    bool ok;

    if (closer_started)
        return true;
    if (sem_init(&closer_filled, 0, 0) < 0 || sem_init(&closer_free, 0, CLOSER_ROOM) < 0)
        return false;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    ok = pthread_create(&thread, NULL, closer_run, NULL) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ok)
        (void)pthread_detach(thread);
    closer_started = ok;
    return ok;
}

void closer_close(int fd)
{
    if (fd < 0)
        return;
    if (!closer_start()) {
        (void)close(fd);
        return;
    }
    closer_wait(&closer_free);
    closer_ring[closer_tail] = fd;
    closer_tail = (closer_tail + 1) % CLOSER_ROOM;
    (void)sem_post(&closer_filled);
}

void closer_drain(void)
{
    if (!closer_started)
        return;
    for (int i = 0; i < CLOSER_ROOM; i++)
        closer_wait(&closer_free);
    for (int i = 0; i < CLOSER_ROOM; i++)
        (void)sem_post(&closer_free);
}
