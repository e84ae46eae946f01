/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_APP_SINK_H
#define EDGEWISE_HARNESS_SUT_APP_SINK_H

/*
 * An application on the reactor that takes what comes and answers nothing. It knows its sources by
 * the plan's peers and carries out the script's reactions inside its callbacks.
 */

#include "harness/script/plan.h"

struct app_sink {
    const struct plan *plan;
    struct reactor *reactor;
    /* A callback lasts this long by the script: `takes`. */
    void (*takes)(void *arg, struct duration duration);
    /* Whose source has just come into service. NULL: they come as the script connects them. */
    uint32_t (*caller)(void *arg);
    /* It has, and nothing has been read from it. May be NULL. */
    void (*in_service)(void *arg, uint32_t peer);
    /* A reaction did only `done` of what it says. May be NULL. */
    void (*fell_short)(void *arg, const struct plan_reaction *reaction, uint32_t done);
    void *arg;
    uint32_t opened; /* sources so far */
    struct identity ids[PLAN_PEERS_MAX]; /* by peer; IDENTITY_NONE before it is in service */
    uint32_t deliveries[PLAN_PEERS_MAX]; /* by peer: frames, or chunks of raw bytes */
    bool ended[PLAN_PEERS_MAX];          /* by peer: its end was told */
    uint32_t order[PLAN_PEERS_MAX];      /* the peers as the script connects them */
};

extern const struct reactor_handlers app_sink_handlers;

/* Prepares `app`; it is the config's app, and `reactor` is set once the reactor is open. */
void app_sink_init(struct app_sink *app, const struct plan *plan);

/* Whether what the reaction waits for has come. */
bool app_sink_happened(const struct app_sink *app, const struct plan_reaction *reaction);

/* Gives the oldest `count` frames of `peer` back, as many as are held: that many are returned. */
uint32_t app_sink_consume(struct app_sink *app, uint32_t peer, uint32_t count);

#endif
