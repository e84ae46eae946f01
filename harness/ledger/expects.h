/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_EXPECTS_H
#define EDGEWISE_HARNESS_LEDGER_EXPECTS_H

/* The script's `expect` section against what happened, and what is left over that it does not
 * name. */

#include "harness/happened.h"
#include "harness/ledger/tally.h"
#include "harness/lines.h"

/* One line per expectation of this run's trigger that does not hold:
 * `file:line:column: expected c end clean, happened reset`. */
void expects_check(const struct happened *happened, const struct tally *tally,
                   struct lines *ret_lines);

/* Whether the script has an expectation of `kind` about `peer` for this run's trigger. */
bool expects_named(const struct happened *happened, uint32_t peer, enum plan_expect_kind kind);

/*
 * What is left when the sut has stopped: `A unread 4`, `c held 4`, `c queued`, `c end not seen`,
 * `c received 1 byte that nothing names`. An `expect c unread 4` names the first, whatever the
 * amount (a wrong one is told by expects_check), `expect c held 4` the second, `expect c end none`
 * the fourth, `expect c received` the last.
 */
void expects_left_over(const struct happened *happened, const struct tally *tally,
                       struct lines *ret_lines);

#endif
