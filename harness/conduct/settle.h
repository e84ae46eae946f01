/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CONDUCT_SETTLE_H
#define EDGEWISE_HARNESS_CONDUCT_SETTLE_H

/* How far a conductor's peers and its sut have come: looks and pushes, and waits for nothing. */

#include "harness/conduct/conductor.h"

/* One wait: what the looks of its condition came to. */
struct settle {
    struct conductor *conductor;
    const struct plan_statement *statement; /* of a wait-until */
    bool moved;                             /* a peer has done something */
    int error;                              /* -errno of a look that failed; the wait is over */
};

/* Lets every peer do what its kernel takes, in the order in which the script connects them. True
 * when one did something. */
bool settle_push(struct conductor *conductor);

/* Reads what the sut's journal says by now. */
void settle_follow(struct conductor *conductor);

/* Conditions for world_ops.pump; `arg` is a struct settle. */
bool settle_arrived(void *arg); /* nothing that a peer did is still on its way */
bool settle_holds(void *arg);   /* the statement's condition */
bool settle_read(void *arg);    /* free pace: the sut has taken all it can from every peer */

/* What settle_arrived and settle_read are waiting for. */
void settle_explain_arrived(const struct conductor *conductor, char *text, size_t size);
void settle_explain_read(const struct conductor *conductor, char *text, size_t size);

/* True when the sut will not go on, as far as it can tell. */
bool settle_sut_over(const struct conductor *conductor);

#endif
