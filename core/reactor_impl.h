/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_REACTOR_IMPL_H
#define EDGEWISE_CORE_REACTOR_IMPL_H

/*
 * The inside of a reactor as data, known to its own parts alone. From the ground up they are:
 * source (one slot's read direction), trace (the journal), callback (the application), interest
 * (the kernel's entries), service (coming and going), listener, quantum, halt, round, reactor.
 */

#include <stdatomic.h>

#include "core/ingress.h"
#include "core/reactor.h"
#include "core/ready.h"
#include "core/store.h"

enum source_kind {
    SOURCE_STREAM,
    SOURCE_LISTENER,
};

/* One slot's holder. Lives in the arena's `state`: no address in it, and no padding, since it is
 * hashed. */
struct source {
    uint64_t tag;
    int32_t fd;
    uint16_t mask;      /* the interest entry's events and modes, as the kernel has them */
    uint8_t kind;       /* enum source_kind */
    uint8_t protocol;   /* index into config.protocols */
    uint8_t registered; /* the kernel has an entry */
    uint8_t armed;      /* ONESHOT: it has not fired since the last arming */
    uint8_t spare[6];
    struct reader reader;
    struct frame frame;
    struct credit credit;
    struct store store;
};

_Static_assert(sizeof(struct source) == 72, "no padding");

/* The arena's `state` begins with it. */
struct reactor_head {
    uint32_t running; /* the slot whose quantum it is, READY_NONE outside one (R-Q-03) */
    uint32_t halted;  /* it stops, or has stopped: nothing comes into service any more */
    uint32_t freed;   /* something was closed since the listeners had their last turn */
    uint32_t spare;   /* no padding */
};

/* What one source has done; in the arena's `account`. */
struct source_account {
    uint32_t credit_peak;
    uint32_t frames;
};

struct reactor {
    struct reactor_config config; /* protocols point to `protocols` */
    struct reactor_protocol protocols[REACTOR_PROTOCOLS_MAX];
    struct os os;

    void *arena;
    size_t state_size;
    size_t account_size;

    /* Places in the arena's state. */
    struct reactor_head *head;
    struct identity_table *table;
    struct ready *ready;     /* Q */
    struct ready *resuming;  /* paused sources whose consumer gave room back */
    struct ready *accepting; /* listeners that may have connections pending */
    struct ready *starved;   /* listeners that wait for a free slot */
    struct source *sources;
    uint8_t *stores;
    uint32_t store_stride;

    /* Places in the arena's account. */
    struct reactor_account *account;
    struct source_account *source_accounts;

    /* Outside the arena. */
    struct os_event *events;
    uint8_t *scratch; /* one raw read */
    uint32_t scratch_size;
    struct ingress *inbox;
    _Atomic bool stop_asked;
    bool inside;        /* a round is being run: it cannot be re-entered (R-ID-04) */
    unsigned callbacks; /* handlers that are running */
    const char *owner;  /* stands for the thread that runs the rounds; NULL before the first */
};

#endif
