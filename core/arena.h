/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_ARENA_H
#define EDGEWISE_CORE_ARENA_H

/*
 * One block for everything that a reactor knows, in two parts: `state`, which decides what happens
 * next (indices and flags, no address), and `account`, which only tells what happened. Both are
 * copied by a snapshot; only `state` is hashed.
 */

#include "core/reactor.h"

/* Allocates the arena that r->config asks for and points r's places into it. 0 or -ENOMEM. */
int arena_open(struct reactor *r);
void arena_free(struct reactor *r);

/* FNV-1a over `state`, without the bytes of frames that nobody holds any more. */
uint64_t arena_digest(const struct reactor *r);

#endif
