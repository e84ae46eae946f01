/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * endpoint: one end of a TCP connection, an IP address and a port. Pure.
 */
#ifndef EDGEWISE_PCAPS_ENDPOINT_H
#define EDGEWISE_PCAPS_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define ENDPOINT_ADDRESS_BYTES 16

/* Room for the longest text: "[", 45 characters of address, "]:65535" and the final NUL. */
#define ENDPOINT_TEXT_BYTES 56

struct endpoint {
    uint8_t version;                         /* 4 or 6 */
    uint16_t port;                           /* host order */
    uint8_t address[ENDPOINT_ADDRESS_BYTES]; /* network order; bytes 4..15 are 0 for version 4 */
};

/* Total order, for sorting: by version, address, port. < 0, 0, > 0. */
int endpoint_compare(const struct endpoint *a, const struct endpoint *b);

/*
 * From what getsockname() or getpeername() answered. An IPv4-mapped IPv6 address becomes IPv4, as
 * that is what crosses the link. 0; -EAFNOSUPPORT for other families; -EINVAL when `length` is too
 * short for the family.
 */
int endpoint_from_sockaddr(const struct sockaddr *address, socklen_t length,
                           struct endpoint *ret_endpoint);

/* "192.0.2.1:7000" or "[2001:db8::1]:7000" into `text`; always terminated. Returns `text`. */
const char *endpoint_text(const struct endpoint *endpoint, char text[static ENDPOINT_TEXT_BYTES]);

#endif
