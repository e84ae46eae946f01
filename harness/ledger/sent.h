/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_SENT_H
#define EDGEWISE_HARNESS_LEDGER_SENT_H

/* What one peer put on its way to the sut, from the actions that its kernel took. */

#include "harness/happened.h"

struct sent {
    uint8_t *data; /* in order */
    size_t size;
    struct instant last; /* script time of its last send; INSTANT_PAST when it sent nothing */
    bool ended;          /* it closed its write direction, in whatever way */
    bool reset;          /* it sent a RST on purpose */
};

/* Gathers the actions of `peer`. Free with sent_free. */
void sent_make(const struct happened *happened, uint32_t peer, struct sent *ret_sent);
void sent_free(struct sent *sent);

/* How many bytes of `peer` were taken by sends of the script that come before time `at`. */
uint64_t sent_before(const struct happened *happened, uint32_t peer, struct instant at);

#endif
