/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_ADDRESS_H
#define EDGEWISE_HARNESS_SUT_ADDRESS_H

/* Where the sut listens and where its peers call from, in every world: the ends of the link over
 * IP, abstract names over UNIX. There are none over PLAN_PIPE. */

#include <sys/socket.h>

#include "harness/script/plan.h"

/* The sut's port over IP. */
#define ADDRESS_PORT 7000

/* The sut's listener. 0, or -errno of a name that cannot be. */
int address_sut(enum plan_family family, struct sockaddr_storage *ret_address,
                socklen_t *ret_length);

/* Peer number `peer`: another one for each (callers). */
int address_peer(enum plan_family family, uint32_t peer, struct sockaddr_storage *ret_address,
                 socklen_t *ret_length);

#endif
