/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_INTEREST_H
#define EDGEWISE_CORE_INTEREST_H

/*
 * The kernel's entry for one source, and when it has to change. Edge-triggered entries stay as they
 * are; level-triggered ones lose IN and RDHUP while nobody may read, else the wait never sleeps
 * (R-L-21); ONESHOT ones are rearmed when the source has shown EAGAIN, and at no other time
 * (R-ET-14).
 */

#include "core/reactor.h"

/* Adds the entry. 0, or what ctl said. A listener is level-triggered under every trigger. */
int interest_add(struct reactor *r, struct identity id);

/* Brings the entry in line with the reader's present state; to be called after the row that changed
 * it. A change that the kernel refuses is tried again at the next occasion; meanwhile a source that
 * would have to wait for a notice is served without one. */
void interest_sync(struct reactor *r, struct identity id);

/* A notice was collected for the source. An entry that reports ERR or HUP while it is masked can
 * only be silenced by deleting it (E7, K7, C41). */
void interest_noticed(struct reactor *r, struct identity id, uint16_t events);

/* Deletes the entry, if there is one. */
void interest_delete(struct reactor *r, struct identity id);

/* A listener's IN, off while no slot is free. */
void interest_listen(struct reactor *r, struct identity id, bool on);

#endif
