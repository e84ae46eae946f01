/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compose: the inverse of dissect for TCP: a value in, the bytes of an Ethernet frame out. Pure.
 */
#ifndef EDGEWISE_PCAPS_COMPOSE_H
#define EDGEWISE_PCAPS_COMPOSE_H

#include <stddef.h>
#include <stdint.h>

#include "pcaps/dissect.h"

/* Ethernet, IPv6 and TCP with all its options; payload comes on top. */
#define COMPOSE_HEADERS_MAX (14u + 40u + 60u)

/*
 * Writes the frame that `value` describes: MACs, source, target, ip.hop_limit, ip.id, tcp and
 * payload are used; kind, ethertype and the checksum states are not: lengths and checksums come
 * out right. IPv4 has DF set. Options stand in the order MSS, SACK permitted, timestamps, window
 * scale, SACK.
 * Returns the bytes written; -EAFNOSUPPORT when source and target are not of one version 4 or 6;
 * -EMSGSIZE when the payload or the options do not fit their headers; -ENOSPC when `room` is too
 * small. On error `frame` has no meaning.
 */
ptrdiff_t compose_tcp(const struct dissect *value, uint8_t *frame, size_t room);

#endif
