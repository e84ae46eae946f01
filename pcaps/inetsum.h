/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * inetsum: the Internet checksum (RFC 1071) of IPv4 headers and of what IP carries. Pure.
 */
#ifndef EDGEWISE_PCAPS_INETSUM_H
#define EDGEWISE_PCAPS_INETSUM_H

#include <stddef.h>
#include <stdint.h>

#include "pcaps/endpoint.h"

/* The ones' complement sum of `bytes`, on top of `sum`, not complemented. An odd end counts as if
 * a zero byte followed. */
uint16_t inetsum_add(uint16_t sum, const uint8_t *bytes, size_t length);

/* The same of the pseudo header of TCP or UDP over IPv4 (RFC 9293 section 3.1) or IPv6 (RFC 8200
 * section 8.1); both endpoints of one version. */
uint16_t inetsum_pseudo(const struct endpoint *source, const struct endpoint *target,
                        uint8_t protocol, size_t length);

#endif
