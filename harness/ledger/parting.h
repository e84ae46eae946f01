/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_PARTING_H
#define EDGEWISE_HARNESS_LEDGER_PARTING_H

/*
 * How a peer must see its read direction end, whether or not the script says it. The sut has
 * stopped, so the kernel has ended whatever the sut left open:
 *
 *   nothing  a pipe's peer, which has no such direction; a peer that never was connected; one that
 *            closed or reset the connection itself, since a peer reads when the sut is gone
 *   reset    the sut closed while bytes were unread (RFC 2525 section 2.17; the same over UNIX
 *            sockets): at the stop, those that it did not read; before it, those that had been sent
 *            at an earlier time of the script
 *   fin      otherwise: it had read all that was ever sent
 *
 * Not derived, and nothing is demanded: a peer that shut its read direction down, one whose close
 * had to wait for bytes that were not taken, and one that the sut never took. Where bytes may have
 * come before or after the sut's own close - at the same time, at free pace, or while a callback
 * moves the clock - either a FIN or a reset will do.
 */

#include "harness/ledger/tally.h"

struct parting {
    unsigned may;    /* bits 1 << enum plan_saw */
    const char *why; /* static text that follows "c saw X; it should be Y, since" */
};

/* `source` is the peer's, NULL when it never became one. */
struct parting parting_of(const struct happened *happened, const struct happened_peer *peer,
                          const struct tally_source *source);

/* "fin", "fin or reset": static text. */
const char *parting_text(const struct parting *parting);

#endif
