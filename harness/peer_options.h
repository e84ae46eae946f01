/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_PEER_OPTIONS_H
#define EDGEWISE_HARNESS_PEER_OPTIONS_H

/* The options of a plan on a socket, as asked for and as the kernel has them. */

#include <stdbool.h>

#include "harness/lines.h"
#include "harness/script/plan.h"
#include "harness/sys.h"

struct peer;

/* Whether connections of a family are TCP. */
static inline bool peer_family_is_tcp(enum plan_family family)
{
    return family == PLAN_IPV4 || family == PLAN_IPV6;
}

/* Sets the options of a plan on a socket: TCP_NODELAY always, TCP_CONGESTION (NULL: "reno") and the
 * buffers; on UNIX sockets the buffers only. Used for peers, and for the sut's listener, from which
 * accepted sockets inherit. Returns 0, or -errno and the option in *ret_option. */
int peer_options_set(struct sys sys, int fd, enum plan_family family,
                     const struct plan_sockets *sockets, const char **ret_option);

/* Adds the options as the kernel has them now, one line: "c rcvbuf 425984 sndbuf 87040 reno
 * nodelay". Nothing for a pipe or without a descriptor. */
void peer_options_tell(const struct peer *peer, struct lines *lines);

#endif
