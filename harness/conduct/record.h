/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CONDUCT_RECORD_H
#define EDGEWISE_HARNESS_CONDUCT_RECORD_H

/* What a conductor leaves in the record of its run. */

#include "harness/conduct/conductor.h"

/* A call of `peer` failed with `error` (positive): the last action of the peer has caused it. */
void record_failure(struct conductor *conductor, uint32_t peer, int error);

/* At the end: the peers, what their sends brought, whose source each was. */
void record_end(struct conductor *conductor);

#endif
