/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_DIFF_H
#define EDGEWISE_HARNESS_LEDGER_DIFF_H

/*
 * Where two ledgers part, told to a person: the first difference with what stands around it, and
 * the statement of the script that brought it about.
 *
 *     x.events:31: the events ledger parts here, after 26 equal rows; - expected, + happened
 *         c frame 1 "CAT"                              credit=5+0
 *       - c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=4
 *       + c stop frames capacity       PAUSED   hint=1 credit=5+0 queue=[]  unread=3
 *                                                                           ^^^^^^^^
 *         c consume 1                                  credit=0+0
 *       caused by x.scn:26:  3ms  c send 54 00 02 4f 4b
 *       44 rows expected, 44 happened; 43 of them are equal
 */

#include <stdbool.h>
#include <stddef.h>

#include "harness/ledger/expected.h"
#include "harness/lines.h"
#include "harness/script/plan.h"

struct diff {
    const char *what; /* "events", "wire" */
    const char *file; /* of the expected rows */
    const struct expected_row *const *expected;
    size_t expected_count;
    const struct lines *happened;
    const struct instant *at; /* script time of each row that happened; NULL: no cause is told */
    const struct plan *plan;
};

/* Where the two part, as far as it is known. */
struct diff_place {
    bool timed;        /* the script time is known */
    struct instant at; /* of the row that came, or of the one before those that did not */
    const char *row;   /* the first row that has no partner; borrowed from `diff` */
};

/* Compares by row_equal. True when all rows are equal; else false, lines for print in `ret_lines`,
 * and their place in `ret_place`, which may be NULL. */
bool diff_rows(const struct diff *diff, struct lines *ret_lines, struct diff_place *ret_place);

#endif
