/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_LINK_H
#define EDGEWISE_TESTS_SUPPORT_LINK_H

/* The link's side of a story: packets of one peer's connection, made one by one. */

#include "harness/happened.h"
#include "pcaps/dissect.h"

struct link {
    struct packet_list packets;
    struct dissect to_sut; /* what the next packet of each direction is made from */
    struct dissect to_peer;
};

/* Gives the story's first peer addresses and the story a capture, still empty. link_end. */
void link_begin(struct link *link, struct happened *happened);
void link_end(struct link *link);

/* A packet at `us` of the timeline, with DISSECT_ flags. `value` is one of the link's own. */
void link_crosses(struct link *link, struct dissect *value, int64_t us, uint8_t flags,
                  const char *payload);

#endif
