/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_INTERFACE_H
#define EDGEWISE_NETNS_INTERFACE_H

#include <stdint.h>
#include <sys/socket.h>

#include "netns/failure.h"
#include "netns/limit.h"
#include "netns/netlink.h"
#include "netns/space.h"

/* One Ethernet interface inside a namespace, configured so that it is silent by itself: every step
 * here is one rtnetlink request. Each returns 0 or -errno, with the interface and the step in the
 * failure's text. */
struct interface {
    const struct space *space; /* borrowed, must outlive this */
    const char *name;          /* borrowed too */
    unsigned int index;        /* 0 until interface_find() */
    struct netlink netlink;
};

#define INTERFACE_NONE ((struct interface){.netlink = NETLINK_NONE})

#define INTERFACE_MAC_LENGTH 6

/* An address of a family; IPv4 uses the first 4 bytes. Network order. */
struct interface_address {
    sa_family_t family;
    uint8_t prefix_bits; /* a multiple of 8 */
    uint8_t bytes[16];
};

/* Opens the netlink socket; the interface need not exist yet. Ends with interface_close(), which
 * leaves the interface itself as it is. */
int interface_open(struct interface *ret_interface, const struct space *space, const char *name,
                   struct failure *failure);
void interface_close(struct interface *interface);

/* Learns the index. -ENODEV. */
int interface_find(struct interface *interface, struct failure *failure);

/* Removes the interface; a veth takes its other end along. About 30 ms. */
int interface_delete(struct interface *interface, struct failure *failure);

/* Before it is raised: no link-local IPv6 address, hence no router solicitation and no duplicate
 * detection. The kernel refuses that in the message which creates the interface. */
int interface_stop_address_generation(struct interface *interface, struct failure *failure);

/* Administratively up; the loopback of the same namespace too. */
int interface_raise(struct interface *interface, struct failure *failure);
int interface_raise_loopback(struct interface *interface, struct failure *failure);

/* An address without duplicate detection and without a route of its own making. */
int interface_add_address(struct interface *interface, const struct interface_address *own,
                          struct failure *failure);

/* The MAC behind an address, for ever: no ARP and no neighbour discovery. */
int interface_add_neighbour(struct interface *interface, const struct interface_address *other,
                            const uint8_t mac[INTERFACE_MAC_LENGTH], struct failure *failure);

/* The route to the network of the address, with the TCP knobs that need no sysctl: quickack 1
 * (without it each large send waits 41 ms for a delayed ACK), and initcwnd in segments (0: the
 * kernel's own). */
int interface_add_route(struct interface *interface, const struct interface_address *own,
                        uint32_t initcwnd, struct failure *failure);

/* Waits until packets can pass: operstate UP with its queue active, and the local route of its IPv6
 * address (ipv6; NULL: it has none), which the kernel adds in the background. Earlier a SYN can be
 * lost. -ETIMEDOUT names the condition that did not come. */
int interface_await(struct interface *interface, const struct interface_address *ipv6,
                    const struct limit *limit, struct failure *failure);

#endif
