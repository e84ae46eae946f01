/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_UNREAD_H
#define EDGEWISE_HARNESS_LEDGER_UNREAD_H

/* What was left in the sut's kernel. */

#include "harness/ledger/sent.h"
#include "harness/ledger/tally.h"

/* A reset, by the peer or seen by the sut: it may have taken bytes with it. */
bool unread_was_reset(const struct tally_source *source, const struct sent *sent);

/*
 * Bytes of a source in the sut's kernel when the sut stopped, -1 when nobody can tell. What the
 * peer sent is what was read and what was left, unless a reset came between: then the last stop or
 * end says it.
 */
int64_t unread_bytes(const struct happened *happened, const struct tally_source *source);

#endif
