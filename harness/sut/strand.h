/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_STRAND_H
#define EDGEWISE_HARNESS_SUT_STRAND_H

/*
 * A function with a stack of its own, in the thread of its caller: it goes on while it is resumed,
 * until it yields or returns. So what would wait in the middle of its work, as a reactor does under
 * lock-step, takes turns without a second thread, and the same turns make the same run.
 * One that crashes ends there, and its caller goes on.
 */

#include <stdbool.h>
#include <ucontext.h>

struct strand {
    ucontext_t caller;
    ucontext_t own;
    void (*run)(void *arg);
    void *arg;
    void *stack;   /* with a page before it that nobody may touch */
    void *handler; /* a stack for the handler of a crash, behind it */
    bool ended;
    int signal; /* that it crashed by; 0: it has not */
};

/* Prepares `run`, which begins with the first resume; `strand` stays where it is. 0 or -errno. */
int strand_open(struct strand *strand, void (*run)(void *arg), void *arg);

/* Goes on with it until it yields, ends or crashes; not once it has. One at a time in a process:
 * what signals of a crash do is changed meanwhile. */
void strand_resume(struct strand *strand);

/* From within: back to whoever resumed it. */
void strand_yield(struct strand *strand);

/* Lets go of the stack, wherever it has come to. Harmless on a zeroed one and when called twice. */
void strand_close(struct strand *strand);

#endif
