/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_SERVICE_H
#define EDGEWISE_CORE_SERVICE_H

/* How a descriptor comes into service as a source, and how a source goes. */

#include "core/reactor_impl.h"

/* Gives `fd` a slot and an interest entry; `listener` is where it came from, IDENTITY_NONE when the
 * application handed it in. 0; -ENFILE without a slot, or what ctl said: then nothing is left, and
 * `fd` is the caller's. */
int service_admit(struct reactor *r, int fd, enum source_kind kind, uint32_t protocol,
                  struct identity listener, struct identity *ret_id);

/* Takes a valid source out of service, in the order of R-ID-06: undispatchable, out of the queues,
 * entry deleted, number closed. */
void service_close(struct reactor *r, struct identity id);

#endif
