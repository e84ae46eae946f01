/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_NETLINK_H
#define EDGEWISE_NETNS_NETLINK_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include "netns/failure.h"
#include "netns/space.h"

/* One netlink socket and the question-and-answer discipline on it: one request at a time, each
 * acknowledged. Messages are built with libnl's nlmsg_ and nla_ functions; the socket is ours, for
 * libnl folds errno into codes of its own and drops the kernel's sentence (extended ACK). libnl's
 * headers are not included here: they bring a <netinet/tcp.h> that bars <linux/tcp.h>. */
struct nl_msg;
struct nlmsghdr;

struct netlink {
    int fd;
    uint32_t seq;
    bool news; /* a notice that was subscribed to came among answers, and was passed over */
};

#define NETLINK_NONE ((struct netlink){.fd = -1})

/* Takes one answer message; never called for acknowledgements. */
typedef void netlink_fn(void *arg, struct nlmsghdr *answer);

/* Opens a socket of a netlink protocol inside the namespace. 0 or -errno. */
int netlink_open(struct netlink *ret_netlink, const struct space *space, int protocol,
                 struct failure *failure);
void netlink_close(struct netlink *netlink);

/* Starts a request of a type whose fixed part is the given struct. flags are added to
 * NLM_F_REQUEST. NULL: no memory. The request is freed by netlink_call(). */
struct nl_msg *netlink_request(uint16_t type, int flags, const void *fixed, size_t length);

/* Sends the request and waits for the kernel's answer and acknowledgement, which come at once.
 * Frees the request; NULL is taken for "no memory while it was built", as is built != 0 (any
 * nla_put failed). take may be NULL. what names the step in the failure's text, with the kernel's
 * own sentence if it gives one. 0 or -errno. */
int netlink_call(struct netlink *netlink, struct nl_msg *request, int built, netlink_fn *take,
                 void *arg, const char *what, struct failure *failure);

/* Subscribes to a multicast group, RTNLGRP_LINK for one. */
int netlink_subscribe(struct netlink *netlink, int group, struct failure *failure);

/* Throws all waiting notices away: they say when to look again, never what is. */
void netlink_forget(struct netlink *netlink);

#endif
