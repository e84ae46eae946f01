/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/interface.h"

#include <assert.h>
#include <errno.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define INTERFACE_LOOPBACK_INDEX 1 /* the first interface of every namespace */

/* What RTM_GETLINK tells. */
struct interface_status {
    unsigned int index;
    bool up;
};

int interface_open(struct interface *ret_interface, const struct space *space, const char *name,
                   struct failure *failure)
{
    struct interface interface = {.space = space, .name = name};
    int err = netlink_open(&interface.netlink, space, NETLINK_ROUTE, failure);

    if (err < 0)
        return err;
    *ret_interface = interface;
    return 0;
}

void interface_close(struct interface *interface)
{
    netlink_close(&interface->netlink);
}

/* One step, named for the failure: "peer0: add the IPv6 address". Frees the request. */
static int interface_call(struct interface *interface, struct nl_msg *request, int built,
                          netlink_fn *take, void *arg, const char *step, struct failure *failure)
{
    char what[96];

    (void)snprintf(what, sizeof(what), "%s: %s", interface->name, step);
    return netlink_call(&interface->netlink, request, built, take, arg, what, failure);
}

static size_t interface_address_length(const struct interface_address *address)
{
    assert(address->family == AF_INET || address->family == AF_INET6);
    return address->family == AF_INET ? 4 : 16;
}

/* Operational, and no longer on the queue discipline that drops everything: the kernel sets the
 * state first and the queue a moment later. */
static void interface_take_status(void *arg, struct nlmsghdr *answer)
{
    struct interface_status *status = arg;
    const struct ifinfomsg *fixed = nlmsg_data(answer);

    if (answer->nlmsg_type != RTM_NEWLINK || nlmsg_datalen(answer) < (int)sizeof(*fixed))
        return;
    const struct nlattr *state = nlmsg_find_attr(answer, sizeof(*fixed), IFLA_OPERSTATE);
    const struct nlattr *queue = nlmsg_find_attr(answer, sizeof(*fixed), IFLA_QDISC);
    status->index = (unsigned int)fixed->ifi_index;
    status->up = state != NULL && nla_get_u8(state) == IF_OPER_UP && queue != NULL &&
                 nla_strcmp(queue, "noop") != 0;
}

static int interface_get_status(struct interface *interface, struct interface_status *ret_status,
                                struct failure *failure)
{
    const struct ifinfomsg fixed = {.ifi_family = AF_UNSPEC};
    struct nl_msg *request = netlink_request(RTM_GETLINK, 0, &fixed, sizeof(fixed));
    int built = request == NULL ? 0 : nla_put_string(request, IFLA_IFNAME, interface->name);

    return interface_call(interface, request, built, interface_take_status, ret_status,
                          "ask for its state", failure);
}

int interface_find(struct interface *interface, struct failure *failure)
{
    struct interface_status status = {.index = 0};
    int err = interface_get_status(interface, &status, failure);

    if (err < 0)
        return err;
    if (status.index == 0)
        return failure_set(failure, -EPROTO, "%s: its state came without an index",
                           interface->name);
    interface->index = status.index;
    return 0;
}

int interface_delete(struct interface *interface, struct failure *failure)
{
    const struct ifinfomsg fixed = {.ifi_index = (int)interface->index};
    struct nl_msg *request = netlink_request(RTM_DELLINK, 0, &fixed, sizeof(fixed));
    int built = request == NULL ? 0 : nla_put_string(request, IFLA_IFNAME, interface->name);

    return interface_call(interface, request, built, NULL, NULL, "delete", failure);
}

static int interface_put_no_generation(struct nl_msg *request)
{
    struct nlattr *families = nla_nest_start(request, IFLA_AF_SPEC);
    struct nlattr *ipv6 = nla_nest_start(request, AF_INET6);

    if (families == NULL || ipv6 == NULL)
        return -ENOMEM;
    return nla_put_u8(request, IFLA_INET6_ADDR_GEN_MODE, IN6_ADDR_GEN_MODE_NONE) ||
           nla_nest_end(request, ipv6) || nla_nest_end(request, families);
}

int interface_stop_address_generation(struct interface *interface, struct failure *failure)
{
    const struct ifinfomsg fixed = {.ifi_index = (int)interface->index};
    struct nl_msg *request = netlink_request(RTM_NEWLINK, 0, &fixed, sizeof(fixed));
    struct failure inner = {.code = 0};
    int built = request == NULL ? 0 : interface_put_no_generation(request);
    int err = interface_call(interface, request, built, NULL, NULL, "stop address generation",
                             &inner);

    /* A kernel without IPv6 generates nothing. */
    if (err == 0 || err == -EAFNOSUPPORT)
        return 0;
    if (failure != NULL)
        *failure = inner;
    return err;
}

static int interface_raise_index(struct interface *interface, unsigned int index,
                                 const char *step, struct failure *failure)
{
    const struct ifinfomsg fixed = {
        .ifi_index = (int)index, .ifi_flags = IFF_UP, .ifi_change = IFF_UP,
    };
    struct nl_msg *request = netlink_request(RTM_NEWLINK, 0, &fixed, sizeof(fixed));

    assert(index > 0);
    return interface_call(interface, request, 0, NULL, NULL, step, failure);
}

int interface_raise(struct interface *interface, struct failure *failure)
{
    return interface_raise_index(interface, interface->index, "raise", failure);
}

int interface_raise_loopback(struct interface *interface, struct failure *failure)
{
    return interface_raise_index(interface, INTERFACE_LOOPBACK_INDEX, "raise the loopback beside",
                                 failure);
}

int interface_add_address(struct interface *interface, const struct interface_address *own,
                          struct failure *failure)
{
    const struct ifaddrmsg fixed = {
        .ifa_family = (uint8_t)own->family,
        .ifa_prefixlen = own->prefix_bits,
        .ifa_index = interface->index,
    };
    /* An address under duplicate detection could not be bound for a second; with a route of the
     * kernel's own the metrics of ours would not be used. */
    uint32_t flags = own->family == AF_INET6 ? IFA_F_NOPREFIXROUTE | IFA_F_NODAD
                                             : IFA_F_NOPREFIXROUTE;
    int length = (int)interface_address_length(own);
    struct nl_msg *request =
        netlink_request(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, &fixed, sizeof(fixed));
    int built = request == NULL ? 0
                                : nla_put(request, IFA_LOCAL, length, own->bytes) ||
                                      nla_put(request, IFA_ADDRESS, length, own->bytes) ||
                                      nla_put_u32(request, IFA_FLAGS, flags);

    return interface_call(interface, request, built, NULL, NULL,
                          own->family == AF_INET ? "add the IPv4 address" : "add the IPv6 address",
                          failure);
}

int interface_add_neighbour(struct interface *interface, const struct interface_address *other,
                            const uint8_t mac[INTERFACE_MAC_LENGTH], struct failure *failure)
{
    const struct ndmsg fixed = {
        .ndm_family = (uint8_t)other->family,
        .ndm_ifindex = (int)interface->index,
        .ndm_state = NUD_PERMANENT,
    };
    int length = (int)interface_address_length(other);
    struct nl_msg *request =
        netlink_request(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, &fixed, sizeof(fixed));
    int built = request == NULL ? 0
                                : nla_put(request, NDA_DST, length, other->bytes) ||
                                      nla_put(request, NDA_LLADDR, INTERFACE_MAC_LENGTH, mac);

    return interface_call(interface, request, built, NULL, NULL,
                          other->family == AF_INET ? "add the IPv4 neighbour"
                                                   : "add the IPv6 neighbour",
                          failure);
}

static int interface_put_metrics(struct nl_msg *request, uint32_t initcwnd)
{
    struct nlattr *metrics = nla_nest_start(request, RTA_METRICS);

    if (metrics == NULL)
        return -ENOMEM;
    return nla_put_u32(request, RTAX_QUICKACK, 1) ||
           (initcwnd > 0 && nla_put_u32(request, RTAX_INITCWND, initcwnd)) ||
           nla_nest_end(request, metrics);
}

int interface_add_route(struct interface *interface, const struct interface_address *own,
                        uint32_t initcwnd, struct failure *failure)
{
    const struct rtmsg fixed = {
        .rtm_family = (uint8_t)own->family,
        .rtm_dst_len = own->prefix_bits,
        .rtm_table = RT_TABLE_MAIN,
        .rtm_protocol = RTPROT_STATIC,
        .rtm_scope = own->family == AF_INET ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE,
        .rtm_type = RTN_UNICAST,
    };
    uint8_t network[sizeof(own->bytes)] = {0};
    int length = (int)interface_address_length(own);
    struct nl_msg *request =
        netlink_request(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, &fixed, sizeof(fixed));

    assert(own->prefix_bits % 8 == 0);
    memcpy(network, own->bytes, own->prefix_bits / 8);
    int built = request == NULL ? 0
                                : nla_put(request, RTA_DST, length, network) ||
                                      nla_put_u32(request, RTA_OIF, interface->index) ||
                                      interface_put_metrics(request, initcwnd);
    return interface_call(interface, request, built, NULL, NULL,
                          own->family == AF_INET ? "add the IPv4 route" : "add the IPv6 route",
                          failure);
}

static void interface_take_route_type(void *arg, struct nlmsghdr *answer)
{
    const struct rtmsg *fixed = nlmsg_data(answer);

    if (answer->nlmsg_type == RTM_NEWROUTE && nlmsg_datalen(answer) >= (int)sizeof(*fixed))
        *(uint8_t *)arg = fixed->rtm_type;
}

/* 1, 0 or -errno. */
static int interface_is_home(struct interface *interface, const struct interface_address *own,
                             struct failure *failure)
{
    const struct rtmsg fixed = {.rtm_family = (uint8_t)own->family, .rtm_dst_len = 128};
    struct nl_msg *request = netlink_request(RTM_GETROUTE, 0, &fixed, sizeof(fixed));
    struct failure inner = {.code = 0};
    uint8_t type = RTN_UNSPEC;
    int built = request == NULL ? 0 : nla_put(request, RTA_DST, 16, own->bytes);
    int err = interface_call(interface, request, built, interface_take_route_type, &type,
                             "ask for the route to its own address", &inner);

    if (err == 0)
        return type == RTN_LOCAL;
    if (err == -ENETUNREACH || err == -EHOSTUNREACH)
        return 0;
    if (failure != NULL)
        *failure = inner;
    return err;
}

/* 1 when packets can pass; 0 and the missing condition; -errno. */
static int interface_is_ready(struct interface *interface, const struct interface_address *ipv6,
                              const char **ret_missing, struct failure *failure)
{
    struct interface_status status = {.up = false};
    int err = interface_get_status(interface, &status, failure);

    if (err < 0)
        return err;
    if (!status.up) {
        *ret_missing = "operational state UP";
        return 0;
    }
    if (ipv6 == NULL)
        return 1;
    *ret_missing = "the local route of its IPv6 address";
    return interface_is_home(interface, ipv6, failure);
}

int interface_await(struct interface *interface, const struct interface_address *ipv6,
                    const struct limit *limit, struct failure *failure)
{
    const char *missing = "";
    int ready = interface_is_ready(interface, ipv6, &missing, failure);
    int more = 1;

    if (ready != 0)
        return ready < 0 ? ready : 0;
    /* Subscribed before the next look, so that no change is missed. */
    int err = netlink_subscribe(&interface->netlink, RTNLGRP_LINK, failure);
    if (err == 0 && ipv6 != NULL)
        err = netlink_subscribe(&interface->netlink, RTNLGRP_IPV6_ROUTE, failure);
    while (err == 0) {
        netlink_forget(&interface->netlink);
        ready = interface_is_ready(interface, ipv6, &missing, failure);
        if (ready != 0)
            return ready < 0 ? ready : 0;
        /* A change that was told while we asked is told only once. */
        if (interface->netlink.news && !limit_passed(limit))
            continue;
        if (more == 0)
            return failure_set(failure, -ETIMEDOUT, "%s: wait for %s", interface->name, missing);
        more = limit_wait(limit, interface->netlink.fd, failure);
        err = more < 0 ? more : 0;
    }
    return err;
}
