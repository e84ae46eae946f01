/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_LISTENER_H
#define EDGEWISE_CORE_LISTENER_H

/*
 * Listeners: level-triggered, accepted to EAGAIN in the local turn, some connections a turn.
 * Without a free slot a listener rests; the close that frees one brings it back.
 */

#include "core/reactor.h"

/* Connections that one turn accepts at most; the rest is local work. */
#define LISTENER_TURN 64

/* The listener has a notice. */
void listener_noticed(struct reactor *r, struct identity id);

/* True when a turn would find something to do. */
bool listener_pending(const struct reactor *r);

/* One bounded turn of every listener that may have connections pending. */
void listener_turn(struct reactor *r);

#endif
