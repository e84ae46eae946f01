/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_SOURCE_H
#define EDGEWISE_CORE_SOURCE_H

/* One slot's holder: its protocol, its room, its frames, and its way through the reader's table. */

#include "core/reactor_impl.h"

/* What kind of connection it is. */
static inline const struct reactor_protocol *source_protocol(const struct reactor *r,
                                                             const struct source *source)
{
    return &r->protocols[source->protocol];
}

/* "Capacity allows" (R-ST-18); always, without frames. */
bool source_room(const struct reactor *r, const struct source *source);

/* The frame ring of a slot. */
uint8_t *source_store(const struct reactor *r, uint32_t slot);

/* Applies an event to the read direction of `id`, which is valid, and carries out the cell's queue
 * action. An event in an illegal cell is counted and journaled, and changes nothing (R-ST-21). */
void source_step(struct reactor *r, struct identity id, enum reader_event event);

/* source_step with READER_FATAL; `error` is a positive errno. */
void source_fail(struct reactor *r, struct identity id, int error);

#endif
