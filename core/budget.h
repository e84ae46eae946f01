/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_BUDGET_H
#define EDGEWISE_CORE_BUDGET_H

/*
 * What one quantum may spend. Five kinds, all active at once; the first that is used up ends the
 * quantum (R-B-01..08). They cannot stand in for each other: EINTR spends an attempt and no byte.
 */

#include "core/instant.h"

/* In the order in which a stop row names them. */
#define BUDGET_KINDS(X)    \
    X(BYTES, "bytes")      \
    X(FRAMES, "frames")    \
    X(ITEMS, "items")      \
    X(ATTEMPTS, "attempts") \
    X(TIME, "time")

enum budget_kind {
#define X(name, text) BUDGET_##name,
    BUDGET_KINDS(X)
#undef X
        BUDGET_KIND_COUNT
};

/* Limits of one quantum. bytes and attempts are at least 1; 0 in the others means "not limited". */
struct budget_limits {
    uint32_t bytes;
    uint32_t attempts;
    uint32_t frames;
    uint32_t items; /* deliveries to the application: a chunk, a frame or a record */
    struct duration time;
};

/* What the running quantum has spent. */
struct budget {
    uint32_t bytes;
    uint32_t attempts;
    uint32_t frames;
    uint32_t items;
    struct instant start;
};

/* True when the limits can be used: bytes and attempts at least 1, time not negative. */
bool budget_limits_valid(const struct budget_limits *limits);

/* A new quantum at `now`: nothing spent (R-ST-07). */
void budget_start(struct budget *budget, struct instant now);

/* One read call, whatever it returns (R-B-02). */
void budget_attempt(struct budget *budget);

/* Bytes that a read brought; never more than budget_bytes_left said (R-B-10). */
void budget_take(struct budget *budget, uint32_t bytes);

/* One delivery to the application; `frame` when it was a whole frame. */
void budget_deliver(struct budget *budget, bool frame);

/* Bytes that the quantum may still read. */
uint32_t budget_bytes_left(const struct budget_limits *limits, const struct budget *budget);

/* Every kind that is used up at `now`, as bits 1 << enum budget_kind; 0 when the quantum may go on.
 * A time budget is only looked at between operations, so it may be overshot (R-B-08). */
unsigned budget_exhausted(const struct budget_limits *limits, const struct budget *budget,
                          struct instant now);

/* The word of a stop row. */
const char *budget_kind_name(enum budget_kind kind);

#endif
