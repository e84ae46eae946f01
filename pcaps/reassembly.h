/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * reassembly: one direction of a TCP connection, from segments in any order to one stream.
 *
 * Keeps disjoint ranges of the stream, sorted by offset. The first byte seen at an offset stays;
 * whatever covers it later is a retransmission and is only compared. Borrows the payload: packets
 * must outlive it. Offsets count bytes of the stream from 0 and do not wrap; the SYN and the FIN
 * are not in them. Sequence numbers are compared by serial arithmetic only (RFC 9293 section 3.4).
 */
#ifndef EDGEWISE_PCAPS_REASSEMBLY_H
#define EDGEWISE_PCAPS_REASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest window TCP can have (RFC 7323 section 2.3): nothing legal lies further ahead. */
#define REASSEMBLY_AHEAD_MAX ((int64_t)1 << 30)

struct reassembly_range {
    uint64_t offset;
    size_t length; /* > 0 */
    const uint8_t *bytes;
};

struct reassembly {
    bool started; /* the SYN was seen */
    uint32_t isn;
    uint64_t edge; /* all bytes below were seen */
    struct reassembly_range *ranges;
    size_t count;
    size_t room;
    size_t edge_ranges; /* ranges that lie wholly below `edge` */
};

/* What adding a segment showed. */
struct reassembly_added {
    bool conflict; /* it covers bytes seen before, and differs from them */
    uint64_t conflict_offset; /* of the first byte that differs */
};

/* Makes it empty, without a SYN. Cannot fail. */
void reassembly_init(struct reassembly *stream);

/* Frees the ranges; leaves it as reassembly_init() does. */
void reassembly_free(struct reassembly *stream);

/* The SYN: offset 0 is the byte after `isn`. Once only. */
void reassembly_start(struct reassembly *stream, uint32_t isn);

/*
 * The stream offset of sequence number `seq`, by its distance from the edge: in
 * (edge - 2^31, edge + 2^31], so possibly negative. Needs reassembly_start().
 */
int64_t reassembly_offset(const struct reassembly *stream, uint32_t seq);

/*
 * Adds `length` bytes at `offset`, and moves the edge as far as the bytes reach.
 * 0; -ERANGE when they begin before the stream or end more than REASSEMBLY_AHEAD_MAX ahead of the
 * edge; -ENOMEM. `ret_added` is untouched on error.
 */
int reassembly_add(struct reassembly *stream, int64_t offset, const uint8_t *bytes, size_t length,
                   struct reassembly_added *ret_added);

/* Where the last byte seen ends: `edge`, unless there is a gap. */
uint64_t reassembly_end(const struct reassembly *stream);

/* Copies [offset, offset + length), which must lie below the edge, to `bytes`. */
void reassembly_copy(const struct reassembly *stream, uint64_t offset, size_t length,
                     uint8_t *bytes);

/* Walks the invariants; asserts. For tests and fuzzers. */
void reassembly_check(const struct reassembly *stream);

#endif
