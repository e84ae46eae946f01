/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_CHRONICLE_H
#define EDGEWISE_HARNESS_LEDGER_CHRONICLE_H

/*
 * The journal of a run as the ledgers read it. It lies in memory that the sut could write, and a
 * sut may die while it writes anything anywhere: so how much there is is taken once, and never more
 * than the journal has room for; whatever a record says of itself is looked at before it is used.
 */

#include "harness/happened.h"

struct chronicle {
    const struct journal *journal; /* NULL: nothing was journaled */
    uint64_t count;                /* records */
    uint64_t side;                 /* bytes of the side log */
    bool overflow;
};

/* What `happened` has. Valid as long as its journal. */
struct chronicle chronicle_of(const struct happened *happened);

/* Record `i`, below the count; NULL for one whose kind does not exist. */
const struct journal_record *chronicle_at(const struct chronicle *chronicle, uint64_t i);

/* The side bytes of a record; `ret_size` is their number, 0 with NULL when there are none, or when
 * the record's own place for them is none. */
const uint8_t *chronicle_bytes(const struct chronicle *chronicle,
                               const struct journal_record *record, size_t *ret_size);

/* The positive errno of a record's result, 0 when it is none. */
int chronicle_error(const struct journal_record *record);

#endif
