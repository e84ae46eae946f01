/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BENCH_BUSY_H
#define EDGEWISE_TESTS_BENCH_BUSY_H

/* Neighbours that never sleep: one ordinary process on each of two CPUs. */

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/cpu.h"

#define BUSY_COUNT 2

struct busy {
    pid_t pids[BUSY_COUNT];
};

/* Spins until it is killed, or its parent is gone. */
static inline _Noreturn void busy_spin(pid_t parent, int cpu)
{
    (void)signal(SIGINT, SIG_DFL);
    (void)signal(SIGTERM, SIG_DFL);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
        _exit(1);
    if (cpu >= 0)
        (void)cpu_pin(cpu);
    for (volatile unsigned turns = 0;; turns++)
        continue;
}

/* Starts them. They end with busy_stop, and with the calling thread however it ends. */
static inline struct busy busy_start(void)
{
    struct busy busy;
    cpu_set_t cpus;
    pid_t parent = getpid();

    (void)cpu_save(&cpus);
    for (int i = 0; i < BUSY_COUNT; i++) {
        busy.pids[i] = fork();
        if (busy.pids[i] < 0) {
            perror("fork");
            exit(3);
        }
        if (busy.pids[i] == 0)
            busy_spin(parent, cpu_choose(&cpus, i));
    }
    return busy;
}

/* Ends and reaps them. */
static inline void busy_stop(const struct busy *busy)
{
    for (int i = 0; i < BUSY_COUNT; i++) {
        (void)kill(busy->pids[i], SIGKILL);
        (void)waitpid(busy->pids[i], NULL, 0);
    }
}

#endif
