/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seq: serial arithmetic on TCP sequence numbers (RFC 9293 section 3.4), the only place that does
 * it. Two numbers 2^31 apart have no order; seq_distance() then says 2^31 ahead. Pure.
 */
#ifndef EDGEWISE_PCAPS_SEQ_H
#define EDGEWISE_PCAPS_SEQ_H

#include <stdint.h>

/* How far `to` lies ahead of `from`, in (-2^31, 2^31]. */
static inline int64_t seq_distance(uint32_t from, uint32_t to)
{
    uint32_t ahead = to - from;

    return ahead <= UINT32_C(1) << 31 ? (int64_t)ahead : (int64_t)ahead - (INT64_C(1) << 32);
}

/* The number `bytes` behind `seq` on the circle. */
static inline uint32_t seq_add(uint32_t seq, uint64_t bytes)
{
    return seq + (uint32_t)(bytes & UINT32_MAX);
}

#endif
