/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_PLAY_H
#define EDGEWISE_TESTS_SUPPORT_PLAY_H

/*
 * One run of a script on the simulated kernel, all in one thread: the peers are one process, the
 * reactor with the script's application is another, and each instant of the timeline happens when
 * the reactor would sleep.
 */

#include "core/os_gate.h"
#include "core/os_record.h"
#include "harness/happened.h"
#include "harness/sut/app_sink.h"
#include "harness/sut/faults.h"
#include "sim/kernel/os_sim.h"

struct play {
    const struct plan *plan;
    enum plan_family family;
    struct happened happened; /* its journal is what this is made for */

    struct kernel *kernel;
    struct kernel_address address; /* of the listener */
    struct os_sim sim;
    struct faults faults;
    struct remarks remarks;
    struct os_record record;
    struct os_gate gate;
    struct app_sink app;
    struct reader_rules rules;
    struct reactor_protocol protocol;
    struct reactor *reactor;
    struct identity listener;
    struct journal *journal;

    int fds[PLAN_PEERS_MAX]; /* of the peers */
    uint32_t next;           /* statement */
    bool held;
    uint64_t rounds;
    uint64_t rounds_end; /* of the present grant */
    uint64_t quanta_end;
};

/* Runs it to its end; what must work is asserted. play_end frees. */
void play_run(struct play *play, const struct plan *plan, enum reactor_trigger trigger,
              enum plan_family family);
void play_end(struct play *play);

#endif
