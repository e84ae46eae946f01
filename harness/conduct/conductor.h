/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CONDUCT_CONDUCTOR_H
#define EDGEWISE_HARNESS_CONDUCT_CONDUCTOR_H

/*
 * Carries out a timeline. All statements of one time are an instant, and under lock-step an instant
 * is a fixpoint: the peers push what their kernel takes, what they did is confirmed to have
 * arrived, the sut is granted a turn until it is idle, and again, until neither side moves. So the
 * sut never sees half an instant, and its ledger does not depend on how fast anything was.
 */

#include "harness/conduct/follow.h"
#include "harness/happened.h"
#include "harness/sut/sut.h"
#include "harness/world/world.h"

struct conductor {
    const struct plan *plan;
    enum plan_family family;
    struct world world;
    struct sut sut;
    struct happened *happened;
    struct failure *failure;

    struct peer peers[PLAN_PEERS_MAX];
    struct confirm confirms[PLAN_PEERS_MAX];
    bool confirming[PLAN_PEERS_MAX]; /* the peer has asked for its connection */
    bool unsettled[PLAN_PEERS_MAX];  /* it has done something that was not DONE at the last look */
    int answers[PLAN_PEERS_MAX];     /* the last enum confirm_answer */
    uint32_t callers[PLAN_PEERS_MAX]; /* the peers as the script connects them */
    uint32_t caller_count;
    struct follow follow;

    struct instant free; /* monotonic: when the instant before was over */
    struct instant start;    /* of the timeline, on the world's clock */
    struct instant now;      /* script time */
    struct instant deadline; /* of the idle sut, script time */
    struct sut_order order;  /* verbs that wait for the next grant */
    bool held;               /* between `sut hold` and `sut go` */
    bool partial;            /* this instant has granted its part by `sut run` */
    bool over;               /* the sut will not go on: the timeline ends here */
};

/* Prepares a conductor for a sut that is in service. Cannot fail. */
void conductor_open(struct conductor *conductor, struct world world, struct sut sut,
                    struct happened *happened, struct failure *failure);

/*
 * Carries out the whole timeline, stops the sut, lets the peers read to their end. 0, also when the
 * sut died or hung on the way: happened->fate says so. -errno with the failure when the bench
 * broke, -EINTR.
 */
int conductor_run(struct conductor *conductor);

/* Closes the peers. */
void conductor_close(struct conductor *conductor);

#endif
