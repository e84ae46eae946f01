/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_LINK_H
#define EDGEWISE_NETNS_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "netns/failure.h"
#include "netns/interface.h"
#include "netns/space.h"

/* A veth pair between two namespaces, made so that a run is exact: fixed MACs, addresses and
 * permanent neighbours, no address generation, no duplicate detection, no offloads, and the knobs
 * of TCP as route metrics, for a sysctl is not always allowed. Only MLD remains as noise. */

enum link_side {
    LINK_SUT,
    LINK_PEER,
    LINK_SIDES,
};

#define LINK_SUT_NAME "sut0"
#define LINK_PEER_NAME "peer0"
#define LINK_MTU 1500

struct link_options {
    bool ipv4;         /* 192.0.2.1/24 (sut) and 192.0.2.2/24 (peer), RFC 5737 */
    bool ipv6;         /* 2001:db8::1/64 and 2001:db8::2/64, RFC 3849 */
    uint32_t initcwnd; /* segments that a new connection may send at once; 0: the kernel's 10 */
    bool offload;      /* leave segmentation and checksum offload on: captures show giants */
    int limit_ms;      /* for becoming ready; 0: 2000 */
};

/* Both families, a window that never holds back a first burst, offloads off. */
#define LINK_OPTIONS_DEFAULT \
    ((struct link_options){.ipv4 = true, .ipv6 = true, .initcwnd = 1000})

struct link {
    struct interface ends[LINK_SIDES];
};

#define LINK_NONE ((struct link){ .ends = {INTERFACE_NONE, INTERFACE_NONE} })

/* Makes the pair, one end in each namespace, configures both ends and waits until both are
 * operational: RTM_GETLINK says operstate UP and each IPv6 address is known as local. Earlier a
 * SYN can be lost. The namespaces must outlive the link.
 * Errors: the kernel's, with the step and side in the text; -ETIMEDOUT names the condition that
 * did not come. After an error nothing is left. */
int link_open(struct link *ret_link, const struct space *sut, const struct space *peer,
              const struct link_options *options, struct failure *failure);

/* Closes the sockets. The interfaces go when one of the namespaces goes: the kernel does that by
 * itself in the background, an explicit removal would make us wait 30 ms. */
void link_close(struct link *link);

/* The fixed facts of an end. */
const char *link_name(enum link_side side);
const uint8_t *link_mac(enum link_side side); /* INTERFACE_MAC_LENGTH bytes */

/* Fills a socket address of the end (family AF_INET or AF_INET6, port in host order). Returns its
 * length. */
socklen_t link_address(enum link_side side, sa_family_t family, uint16_t port,
                       struct sockaddr_storage *ret_address);

#endif
