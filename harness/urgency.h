/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_URGENCY_H
#define EDGEWISE_HARNESS_URGENCY_H

/*
 * A run is short and spends most of its time asleep, but when its moment comes it must not queue
 * behind a compiler: where it may, it runs under SCHED_FIFO. The bench stands above the sut, so
 * that a sut that spins cannot keep it from looking at the clock; the program that starts and
 * judges the runs stands below both, so that it disturbs none of them and yet keeps none waiting.
 * Without the right to do so nothing changes but that a busy machine makes more runs late.
 */

struct urgency {
    int policy;
    int priority;
    int slack_ns; /* how late an ordinary timer may be on purpose; -1: unknown */
};

enum urgency_rank {
    URGENCY_PROGRAM = 1,
    URGENCY_SUT,
    URGENCY_BENCH,
};

/* The calling thread's way of being scheduled, to be put back later. */
void urgency_save(struct urgency *ret_before);
void urgency_restore(const struct urgency *before);

/* Puts the calling thread, and what it starts from now on, into `rank`, with timers as exact as
 * they get. 0, or -EPERM. */
int urgency_raise(enum urgency_rank rank);

/* Makes the calling thread an ordinary one; that needs no right. */
void urgency_drop(void);

#endif
