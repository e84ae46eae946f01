/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/link.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <netlink/addr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/route/link.h>
#include <netlink/route/link/veth.h>
#include <string.h>

#include "netns/limit.h"
#include "netns/offload.h"

#define LINK_LIMIT_MS 2000

struct link_facts {
    const char *name;
    uint8_t mac[INTERFACE_MAC_LENGTH];
    struct interface_address ipv4, ipv6;
};

static const struct link_facts link_facts[] = {
    [LINK_SUT] = {
        .name = LINK_SUT_NAME,
        .mac = {2, 0, 0, 0, 0, 1},
        .ipv4 = { AF_INET, 24, {192, 0, 2, 1} },
        .ipv6 = { AF_INET6, 64, {0x20, 0x01, 0x0d, 0xb8, [15] = 1} },
    },
    [LINK_PEER] = {
        .name = LINK_PEER_NAME,
        .mac = {2, 0, 0, 0, 0, 2},
        .ipv4 = { AF_INET, 24, {192, 0, 2, 2} },
        .ipv6 = { AF_INET6, 64, {0x20, 0x01, 0x0d, 0xb8, [15] = 2} },
    },
};
_Static_assert(sizeof(link_facts) / sizeof(link_facts[0]) == LINK_SIDES, "one row per side");

const char *link_name(enum link_side side)
{
    assert(side < LINK_SIDES);
    return link_facts[side].name;
}

const uint8_t *link_mac(enum link_side side)
{
    assert(side < LINK_SIDES);
    return link_facts[side].mac;
}

socklen_t link_address(enum link_side side, sa_family_t family, uint16_t port,
                       struct sockaddr_storage *ret_address)
{
    assert(side < LINK_SIDES);
    assert(family == AF_INET || family == AF_INET6);

    memset(ret_address, 0, sizeof(*ret_address));
    if (family == AF_INET) {
        struct sockaddr_in *ipv4 = (struct sockaddr_in *)ret_address;
        ipv4->sin_family = AF_INET;
        ipv4->sin_port = htons(port);
        memcpy(&ipv4->sin_addr, link_facts[side].ipv4.bytes, sizeof(ipv4->sin_addr));
        return sizeof(*ipv4);
    }
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)ret_address;
    ipv6->sin6_family = AF_INET6;
    ipv6->sin6_port = htons(port);
    memcpy(&ipv6->sin6_addr, link_facts[side].ipv6.bytes, sizeof(ipv6->sin6_addr));
    return sizeof(*ipv6);
}

/* One queue: the kernel would make one, with files in sysfs, for each CPU there may be. */
static int link_describe_end(struct rtnl_link *end, const struct link_facts *facts)
{
    struct nl_addr *mac = nl_addr_build(AF_LLC, facts->mac, INTERFACE_MAC_LENGTH);

    if (mac == NULL)
        return -NLE_NOMEM;
    rtnl_link_set_name(end, facts->name);
    rtnl_link_set_addr(end, mac);
    rtnl_link_set_mtu(end, LINK_MTU);
    rtnl_link_set_num_tx_queues(end, 1);
    rtnl_link_set_num_rx_queues(end, 1);
    nl_addr_put(mac);
    return 0;
}

/* The request for both ends, the peer's born in the namespace of `peer_space_fd`. NULL: no
 * memory. */
static struct nl_msg *link_describe_pair(int peer_space_fd)
{
    struct rtnl_link *sut = rtnl_link_veth_alloc();
    struct rtnl_link *peer = sut == NULL ? NULL : rtnl_link_veth_get_peer(sut);
    struct nl_msg *request = NULL;

    if (peer != NULL && link_describe_end(sut, &link_facts[LINK_SUT]) == 0 &&
        link_describe_end(peer, &link_facts[LINK_PEER]) == 0) {
        rtnl_link_set_ns_fd(peer, peer_space_fd);
        (void)rtnl_link_build_add_request(sut, NLM_F_REQUEST | NLM_F_CREATE | NLM_F_EXCL,
                                          &request);
    }
    rtnl_link_put(peer);
    rtnl_link_put(sut);
    return request;
}

static int link_create(struct link *link, struct failure *failure)
{
    struct nl_msg *request = link_describe_pair(link->ends[LINK_PEER].space->fd);

    return netlink_call(&link->ends[LINK_SUT].netlink, request, 0, NULL, NULL,
                        "create the veth pair", failure);
}

static int link_prepare_end(struct interface *end, const struct link_options *options,
                            struct failure *failure)
{
    int err = interface_find(end, failure);

    if (err == 0)
        err = interface_stop_address_generation(end, failure);
    if (err == 0 && !options->offload)
        err = offload_disable(end->space, end->name, failure);
    if (err == 0)
        err = interface_raise_loopback(end, failure);
    if (err == 0)
        err = interface_raise(end, failure);
    return err;
}

static int link_address_family(struct interface *end, const struct interface_address *own,
                               const struct interface_address *other, const uint8_t *other_mac,
                               uint32_t initcwnd, struct failure *failure)
{
    int err = interface_add_address(end, own, failure);

    if (err == 0)
        err = interface_add_neighbour(end, other, other_mac, failure);
    if (err == 0)
        err = interface_add_route(end, own, initcwnd, failure);
    return err;
}

static int link_address_end(struct link *link, enum link_side side,
                            const struct link_options *options, struct failure *failure)
{
    const struct link_facts *own = &link_facts[side];
    const struct link_facts *other = &link_facts[side == LINK_SUT ? LINK_PEER : LINK_SUT];
    struct interface *end = &link->ends[side];
    int err = 0;

    if (options->ipv4)
        err = link_address_family(end, &own->ipv4, &other->ipv4, other->mac, options->initcwnd,
                                  failure);
    if (err == 0 && options->ipv6)
        err = link_address_family(end, &own->ipv6, &other->ipv6, other->mac, options->initcwnd,
                                  failure);
    return err;
}

static int link_await(struct link *link, const struct link_options *options,
                      struct failure *failure)
{
    struct limit limit = LIMIT_ON("the link to be operational");
    int err = limit_open(&limit, options->limit_ms > 0 ? options->limit_ms : LINK_LIMIT_MS,
                         failure);

    for (enum link_side side = 0; err == 0 && side < LINK_SIDES; side++)
        err = interface_await(&link->ends[side], options->ipv6 ? &link_facts[side].ipv6 : NULL,
                              &limit, failure);
    limit_close(&limit);
    return err;
}

/* The kernel makes the ends operational in the background; meanwhile the addresses are set. */
static int link_configure(struct link *link, const struct link_options *options,
                          struct failure *failure)
{
    int err = 0;

    for (enum link_side side = 0; err == 0 && side < LINK_SIDES; side++)
        err = link_prepare_end(&link->ends[side], options, failure);
    for (enum link_side side = 0; err == 0 && side < LINK_SIDES; side++)
        err = link_address_end(link, side, options, failure);
    return err < 0 ? err : link_await(link, options, failure);
}

int link_open(struct link *ret_link, const struct space *sut, const struct space *peer,
              const struct link_options *options, struct failure *failure)
{
    struct link link = LINK_NONE;
    int err = interface_open(&link.ends[LINK_SUT], sut, LINK_SUT_NAME, failure);

    if (err == 0)
        err = interface_open(&link.ends[LINK_PEER], peer, LINK_PEER_NAME, failure);
    if (err == 0)
        err = link_create(&link, failure);
    if (err == 0) {
        err = link_configure(&link, options, failure);
        if (err < 0)
            (void)interface_delete(&link.ends[LINK_SUT], NULL);
    }
    if (err < 0) {
        link_close(&link);
        return err;
    }
    *ret_link = link;
    return 0;
}

void link_close(struct link *link)
{
    for (enum link_side side = 0; side < LINK_SIDES; side++)
        interface_close(&link->ends[side]);
}
