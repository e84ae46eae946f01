/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * step: a connection's facts in the order in which the canonical capture plays them. Pure.
 */
#ifndef EDGEWISE_PCAPS_STEP_H
#define EDGEWISE_PCAPS_STEP_H

#include <stddef.h>
#include <stdint.h>

#include "pcaps/transcript.h"

/* A fact, or several growths of one stream that nothing of this connection divides. */
struct step {
    int64_t script_ns;
    enum transcript_kind kind;
    enum naming_direction direction;
    uint64_t offset;
    uint64_t length;
};

struct step_list {
    struct step *steps;
    size_t count;
};

/*
 * With `script_ns` (by packet of the original list, never falling): the order of the facts, each at
 * the script time of its packet. Without (NULL): everything at 0; first the SYNs, then the bytes to
 * the sut, the bytes to the peer, and the ends in the order of the facts.
 * 0 or -ENOMEM. Free with step_list_free().
 */
int step_list_make(const struct transcript_connection *connection, const int64_t *script_ns,
                   struct step_list *ret_list);
void step_list_free(struct step_list *list);

#endif
