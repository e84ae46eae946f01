/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CONDUCT_FOLLOW_H
#define EDGEWISE_HARNESS_CONDUCT_FOLLOW_H

/* The conductor's view of a running sut: what its journal says so far about each peer's source. */

#include <stdbool.h>
#include <stdint.h>

#include "core/journal.h"
#include "core/reader.h"
#include "harness/script/plan.h"

struct follow_source {
    struct identity id; /* IDENTITY_NONE before it is in service */
    uint64_t read;      /* bytes that the sut has taken from its kernel */
    enum reader_state state;
    bool ended; /* the sut has seen its end */
    bool closed;
};

struct follow {
    const struct journal *journal;
    uint64_t capacity; /* of the journal, in records */
    uint64_t next;     /* the first record not looked at */
    uint32_t sources;  /* in service so far */
    uint32_t order[PLAN_PEERS_MAX]; /* the peers in the order of their sources */
    uint32_t connected;
    struct follow_source peers[PLAN_PEERS_MAX]; /* by peer */
};

/* Starts at the journal's beginning; `journal` outlives it. */
void follow_init(struct follow *follow, const struct journal *journal);

/* `peer` is the next whose source comes into service. */
void follow_connected(struct follow *follow, uint32_t peer);

/* Reads the records that are new, as far as the first source that nobody has announced. True when
 * there were any. The sut may write anything anywhere: no more is read than there was room for at
 * first. */
bool follow_update(struct follow *follow);

#endif
