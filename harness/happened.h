/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_HAPPENED_H
#define EDGEWISE_HARNESS_HAPPENED_H

/*
 * The raw record of one run, before anybody judges it: what the sut journaled, what each peer did
 * and got, what crossed the link, how it all ended. The conductor fills it; the judge only reads
 * it.
 */

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/journal.h"
#include "harness/lines.h"
#include "harness/script/plan.h"
#include "pcaps/packet.h"

/* One statement of the timeline as it was carried out, in order. Only peers' statements. */
struct happened_action {
    uint32_t statement; /* index into plan.statements */
    struct instant due; /* monotonic clock, ns; for free pace and wall-clock injection */
    /* When the bench was through with the instant before, the same for all of one instant: had it
     * slept from then on, it would have been on time. */
    struct instant free;
    struct instant actual;
    uint64_t bytes;     /* SEND: what the kernel took in the end */
    int error;          /* positive errno that the call gave, 0 */
};

/* What one peer got and saw. */
struct happened_peer {
    uint32_t peer; /* index into plan.peers */
    bool connected;
    uint8_t *received;
    size_t received_size;
    enum plan_saw saw;
    struct sockaddr_storage near; /* the peer's own address; ss_family 0 without a network */
    struct sockaddr_storage far;  /* the sut's */
};

/* How the sut came to its end. */
enum happened_fate {
    HAPPENED_STOPPED, /* it stopped when told, and exited 0 */
    HAPPENED_LIMIT,   /* `limit rounds` or `limit calls` was hit and it was ended there */
    HAPPENED_HUNG,    /* a named condition did not come in time */
    HAPPENED_DIED,    /* by a signal or an exit status of its own */
};

struct block;
struct trail;

struct happened {
    const struct plan *plan;
    enum reactor_trigger trigger;
    enum plan_family family;

    const struct journal *journal; /* valid until happened_free */
    struct block *block;           /* the memory that the journal lies in; NULL: the caller's own */
    /* The peers in the order in which the sut got their connections: the n-th ACCEPT with result 0,
     * or the n-th ADOPT, is sources[n]. */
    uint32_t *sources;
    uint32_t source_count;

    struct happened_action *actions;
    uint32_t action_count;
    struct happened_peer *peers;
    uint32_t peer_count;

    struct packet_list *packets; /* NULL without a network */

    enum happened_fate fate;
    char *fate_text;        /* "killed by SIGSEGV in round 12", NULL when STOPPED */
    struct lines left_over; /* what the conductor itself found: "c 5 bytes not sent" */
    struct lines notes;

    struct instant started; /* monotonic: the timeline's 0 */
    int64_t wall_offset_ns; /* what the stamps of `packets` are ahead of the monotonic clock */
    struct duration setup;
    struct duration timeline;

    struct trail *trail; /* lent, while the run lasts; NULL: nobody follows it */
};

/* Frees everything that the record holds and unmaps the journal. */
void happened_free(struct happened *happened);

#endif
