/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_NAMES_H
#define EDGEWISE_HARNESS_LEDGER_NAMES_H

/*
 * Who an identity of the journal is. The n-th connection that the sut accepted, or descriptor that
 * it adopted, is source n, and `happened.sources` says which peer that is. An identity keeps its
 * name after its close: a stale notice is told under the old one.
 */

#include <stddef.h>
#include <stdint.h>

#include "harness/happened.h"

#define NAMES_NONE SIZE_MAX

struct names {
    const struct happened *happened;
    struct identity *sources; /* by number */
    size_t count;
    size_t room;
    struct identity listener; /* IDENTITY_NONE when nothing was accepted */
};

/* Walks the whole journal. Free with names_free. */
void names_make(const struct happened *happened, struct names *ret_names);
void names_free(struct names *names);

/* The number of a source, NAMES_NONE for the listener and for an unknown identity. */
size_t names_find(const struct names *names, struct identity id);

/* The peer behind source `number`, PLAN_NOBODY when the record does not say. */
uint32_t names_peer(const struct names *names, size_t number);

/* The word of a row: the peer's name, `l` for the listener, `?` for nobody. Lives with the plan. */
const char *names_text(const struct names *names, struct identity id);

#endif
