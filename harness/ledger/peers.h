/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_PEERS_H
#define EDGEWISE_HARNESS_LEDGER_PEERS_H

/*
 * The peers ledger: what each peer did, got and saw. It has no expected file: the script is what
 * should have been done, and what the sut got is held against it.
 *
 *     c send 54 00 02 4f 4b = 5                    due 3ms     late 57us
 *     c received 0
 *     c saw nothing
 */

#include "harness/happened.h"
#include "harness/ledger/tally.h"
#include "harness/lines.h"

#define PEERS_ALIKE_TOLD 3 /* complaints that are told in full for each line and kind */

/* The rows. What stands from column 45 on is time: for people, never compared. */
void peers_tell(const struct happened *happened, struct lines *ret_rows);

/*
 * Where the peers' side does not add up, one line each: a statement that was not carried out, or
 * not wholly; a connection that the sut never accepted; bytes that the sut read and the peer did
 * not send, or in another order; bytes that are neither read nor left in the kernel; frames that
 * are not those of the bytes read; an end that a peer cannot have seen (harness/ledger/parting.h),
 * unless an `expect c saw` names it. Of what goes wrong alike in the repeats of one line of the
 * script PEERS_ALIKE_TOLD are told, and then their number. `tally` is that of `happened`.
 */
void peers_check(const struct happened *happened, const struct tally *tally,
                 struct lines *ret_lines);

#endif
