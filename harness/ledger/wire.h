/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_WIRE_H
#define EDGEWISE_HARNESS_LEDGER_WIRE_H

/* The wire ledger: what crossed the link, in the normal form of pcaps/normal.h, connections in
 * the order of the plan's peers. */

#include "harness/happened.h"
#include "harness/lines.h"
#include "pcaps/naming.h"

/* The connections of the peers that have addresses, in the plan's order. 0, or -EINVAL for
 * addresses that make no connection. Free with wire_naming_free. */
int wire_naming(const struct happened *happened, struct naming *ret_naming);
void wire_naming_free(struct naming *naming);

/*
 * Tells `happened`'s packets, which are not NULL: rows to `ret_rows`; to `left_over` every packet
 * that nothing explains, bad checksum and gap; to `notes` what was counted and is no part of the
 * ledger. 0; -EINVAL for addresses that make no connection; -ENOMEM. Nothing is added on error.
 */
int wire_tell(const struct happened *happened, struct lines *ret_rows, struct lines *left_over,
              struct lines *notes);

#endif
