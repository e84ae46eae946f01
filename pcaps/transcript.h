/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * transcript: what each connection of a capture said, without how it was said.
 *
 * A capture of the same behaviour differs from run to run: sequence numbers, ports, pure ACKs,
 * windows, coalescing, an odd retransmission (E121, E122). The transcript keeps *facts* only: each
 * SYN, each growth of a stream, each FIN and RST, in the order in which they came to count. A
 * segment that tells nothing new leaves no trace. A byte counts when all bytes before it are there,
 * and a FIN when all its bytes are, so reordering on the way leaves no trace either.
 *
 * What does not fit is an anomaly, with the number of its packet; a run with an anomaly does not
 * pass. `normal` turns a transcript into text, `canon` into a capture.
 */
#ifndef EDGEWISE_PCAPS_TRANSCRIPT_H
#define EDGEWISE_PCAPS_TRANSCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcaps/anomaly.h"
#include "pcaps/naming.h"
#include "pcaps/packet.h"
#include "pcaps/reassembly.h"

enum transcript_kind {
    TRANSCRIPT_SYN,
    TRANSCRIPT_DATA,
    TRANSCRIPT_FIN,
    TRANSCRIPT_RST,           /* offset: where in its own direction's stream it stands */
    TRANSCRIPT_RST_AFTER_FIN, /* its sequence number lies behind the FIN */
    TRANSCRIPT_RST_REFUSED,   /* from a side that sent no SYN: the other's SYN was refused */
    TRANSCRIPT_KIND_COUNT,
};

struct transcript_fact {
    enum transcript_kind kind;
    enum naming_direction direction;
    size_t packet;   /* index into the packet list of the packet that made it count */
    uint64_t offset; /* of the first byte, the FIN or the RST; 0 for SYN and RST_REFUSED */
    uint64_t length; /* DATA: bytes; else 0 */
};

struct transcript_side {
    struct reassembly stream; /* what this side sent */
    bool fin_seen;
    uint64_t fin_offset;
    bool fin_counts; /* all bytes before it are there: it is a fact */
    uint16_t mss;    /* of its SYN; 0: none given */
};

struct transcript_connection {
    const struct naming_connection *naming;
    struct transcript_side sides[NAMING_DIRECTIONS]; /* by the direction in which the side sends */
    struct transcript_fact *facts;
    size_t fact_count;
    size_t fact_room;
};

struct transcript {
    const struct packet_list *packets; /* borrowed */
    struct transcript_connection *connections; /* in the order of the naming */
    size_t connection_count;
    struct anomaly_list anomalies;
    size_t housekeeping_count;
    size_t partial_checksum_count; /* segments whose checksum was left to an offload */
    struct naming_index index;
};

/*
 * Reads a whole capture. `packets` must be in causal order (one end's capture is, E126); it and
 * `naming` are borrowed until transcript_free(). Markers are skipped, not taken as an end: whoever
 * captured cuts there.
 * 0; -EINVAL for a naming that naming_index_make() refuses; -ENOMEM. `ret_transcript` is untouched
 * on error.
 */
int transcript_make(const struct packet_list *packets, const struct naming *naming,
                    struct transcript *ret_transcript);

/* Frees what transcript_make() made. NULL is allowed. */
void transcript_free(struct transcript *transcript);

#endif
