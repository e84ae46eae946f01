/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_GATEKEEPER_H
#define EDGEWISE_HARNESS_SUT_GATEKEEPER_H

/*
 * Lock-step, the sut's side: hooks for os_gate that hand the turn to the bench whenever the reactor
 * is idle or has used up what it was granted, carry out the verbs of the next order on the
 * reactor's thread, and end a run that is over its limits.
 */

#include "core/os_gate.h"
#include "core/reactor.h"
#include "harness/sut/block.h"

struct gatekeeper {
    struct block *block;
    const struct plan *plan;
    const struct reactor *reactor; /* whose quanta are counted; set once it is open */
    void (*verb)(void *arg, const struct sut_verb *verb);
    /* Somebody else has the turn: comes back when it is the sut's again, behind the last word
     * never. NULL: sleeps at the handover. */
    void (*rest)(void *arg);
    void *arg;
    struct instant now; /* script time */
    uint64_t rounds;
    uint64_t calls;
    uint64_t rounds_end; /* hold before the round with this number; UINT64_MAX: no bound */
    uint64_t quanta_end; /* hold when the reactor has run this many; UINT64_MAX: no bound */
};

extern const struct os_gate_hooks gatekeeper_hooks;

/* Starts at script time 0 with no bound. */
void gatekeeper_init(struct gatekeeper *keeper, struct block *block, const struct plan *plan,
                     void (*verb)(void *arg, const struct sut_verb *verb), void *arg);

/* A callback lasts `duration` of script time. */
void gatekeeper_takes(struct gatekeeper *keeper, struct duration duration);

/* Free pace: the last order has been carried out; the reactor goes on. */
void gatekeeper_answer(struct gatekeeper *keeper);

/* The last word, whoever has the turn: hands it to the bench for good. */
void gatekeeper_report(struct gatekeeper *keeper, enum sut_status status, const char *text);

/* The same, and the calling thread goes no further: the bench ends it. */
_Noreturn void gatekeeper_end(struct gatekeeper *keeper, enum sut_status status,
                              const char *text);

#endif
