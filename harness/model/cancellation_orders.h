/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CANCELLATION_ORDERS_H
#define EDGEWISE_HARNESS_MODEL_CANCELLATION_ORDERS_H

/*
 * The orders in which, after a submission and its deadline, the answer to the cancel (C), the
 * target's record (T) and the end of the borrow (L) can come (R-A-23..25). When only the target's
 * callback borrows, three of the six are legal; with a lease from the submission all six are.
 */

#include <jansson.h>

#include "harness/model/cancellation.h"
#include "harness/model/checks.h"

#define CANCELLATION_ORDERS 6

struct cancellation_orders {
    const char *name[CANCELLATION_ORDERS]; /* "CTL" */
    bool legal[CANCELLATION_ORDERS];       /* nothing was refused */
    char after[CANCELLATION_ORDERS][3][40]; /* "1,0,HELD,retained", after each of the three */
    uint32_t legal_count;
    uint32_t runs;  /* from a submission, the deadline optional, to a retirement: callback rule */
    uint32_t rows;  /* different ones in these runs */
    uint32_t holders; /* the most that held the buffer at once, after any of the three */
};

/* Plays all of them under one rule, and counts their checks in `checks`: the legal ones come out
 * as the requirement has them. `rules` may be NULL. */
void cancellation_orders_play(bool early_lease, const struct request_rules *rules,
                              struct cancellation_orders *ret_orders, struct checks *checks);

/* {"order","legal","after"} for each of them; belongs to the caller. */
json_t *cancellation_orders_value(const struct cancellation_orders *orders);

#endif
