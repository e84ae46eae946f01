/* SPDX-License-Identifier: BSD-2-Clause */
#include "pcaps/endpoint.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define MAPPED_PREFIX_BYTES 12 /* ::ffff:0:0/96, RFC 4291 section 2.5.5.2 */

_Static_assert(ENDPOINT_TEXT_BYTES >= INET6_ADDRSTRLEN + sizeof("[]:65535") - 1, "text fits");

int endpoint_compare(const struct endpoint *a, const struct endpoint *b)
{
    int difference = (int)a->version - (int)b->version;

    if (difference == 0)
        difference = memcmp(a->address, b->address, sizeof(a->address));
    if (difference == 0)
        difference = (int)a->port - (int)b->port;
    return difference;
}

static struct endpoint from_ipv4(const void *address, in_port_t port)
{
    struct endpoint endpoint = {.version = 4, .port = ntohs(port)};

    memcpy(endpoint.address, address, sizeof(struct in_addr));
    return endpoint;
}

static struct endpoint from_ipv6(const struct sockaddr_in6 *in6)
{
    struct endpoint endpoint = {.version = 6, .port = ntohs(in6->sin6_port)};

    if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr))
        return from_ipv4(in6->sin6_addr.s6_addr + MAPPED_PREFIX_BYTES, in6->sin6_port);
    memcpy(endpoint.address, &in6->sin6_addr, sizeof(endpoint.address));
    return endpoint;
}

int endpoint_from_sockaddr(const struct sockaddr *address, socklen_t length,
                           struct endpoint *ret_endpoint)
{
    struct sockaddr_in in;
    struct sockaddr_in6 in6;

    if (length < sizeof(address->sa_family))
        return -EINVAL;
    switch (address->sa_family) {
    case AF_INET:
        if (length < sizeof(in))
            return -EINVAL;
        memcpy(&in, address, sizeof(in));
        *ret_endpoint = from_ipv4(&in.sin_addr, in.sin_port);
        return 0;
    case AF_INET6:
        if (length < sizeof(in6))
            return -EINVAL;
        memcpy(&in6, address, sizeof(in6));
        *ret_endpoint = from_ipv6(&in6);
        return 0;
    default:
        return -EAFNOSUPPORT;
    }
}

const char *endpoint_text(const struct endpoint *endpoint, char text[static ENDPOINT_TEXT_BYTES])
{
    char address[INET6_ADDRSTRLEN] = "?";
    bool ipv4 = endpoint->version == 4;

    assert(ipv4 || endpoint->version == 6);
    (void)inet_ntop(ipv4 ? AF_INET : AF_INET6, endpoint->address, address, sizeof(address));
    (void)snprintf(text, ENDPOINT_TEXT_BYTES, ipv4 ? "%s:%u" : "[%s]:%u", address,
                   (unsigned int)endpoint->port);
    return text;
}
