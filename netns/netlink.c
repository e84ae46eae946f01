/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/netlink.h"

#include <errno.h>
#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The kernel never puts more than this into one datagram for a reader with such a buffer. */
#define NETLINK_BUFFER_BYTES 32768

union netlink_buffer {
    struct nlmsghdr header;
    char bytes[NETLINK_BUFFER_BYTES];
};

struct netlink_exchange {
    uint32_t seq;
    netlink_fn *take;
    void *arg;
    const char *what;
    struct failure *failure;
};

int netlink_open(struct netlink *ret_netlink, const struct space *space, int protocol,
                 struct failure *failure)
{
    int one = 1;
    int fd = space_socket(space, AF_NETLINK, SOCK_RAW, protocol, failure);

    if (fd < 0)
        return fd;
    /* Both only improve the error: a short one, with the kernel's sentence. */
    (void)setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &one, sizeof(one));
    (void)setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &one, sizeof(one));
    *ret_netlink = (struct netlink){.fd = fd};
    return 0;
}

void netlink_close(struct netlink *netlink)
{
    if (netlink->fd >= 0)
        (void)close(netlink->fd);
    netlink->fd = -1;
}

struct nl_msg *netlink_request(uint16_t type, int flags, const void *fixed, size_t length)
{
    struct nl_msg *request = nlmsg_alloc_simple(type, NLM_F_REQUEST | flags);

    if (request == NULL)
        return NULL;
    void *room = nlmsg_reserve(request, length, NLMSG_ALIGNTO);
    if (room == NULL) {
        nlmsg_free(request);
        return NULL;
    }
    memcpy(room, fixed, length);
    return request;
}

/* The sentence of an extended ACK, "" if there is none. With NETLINK_CAP_ACK its attributes follow
 * the bare header of the request. */
static const char *netlink_sentence(struct nlmsghdr *answer)
{
    const struct nlattr *text;

    if (!(answer->nlmsg_flags & NLM_F_ACK_TLVS))
        return "";
    if (!(answer->nlmsg_flags & NLM_F_CAPPED))
        return "";
    text = nlmsg_find_attr(answer, sizeof(struct nlmsgerr), NLMSGERR_ATTR_MSG);
    if (text == NULL || nla_len(text) < 1)
        return "";
    const char *sentence = nla_data(text);
    return sentence[nla_len(text) - 1] == '\0' ? sentence : "";
}

static int netlink_verdict(const struct netlink_exchange *exchange, struct nlmsghdr *answer)
{
    const struct nlmsgerr *verdict = nlmsg_data(answer);

    if (nlmsg_datalen(answer) < (int)sizeof(*verdict))
        return failure_set(exchange->failure, -EPROTO, "%s", exchange->what);
    if (verdict->error == 0)
        return 0;
    const char *sentence = netlink_sentence(answer);
    return failure_set(exchange->failure, verdict->error, "%s%s%s", exchange->what,
                       *sentence != '\0' ? ": " : "", sentence);
}

/* Reads one datagram. 1: the exchange is complete, 0: more to come, -errno. */
static int netlink_take(struct netlink *netlink, const struct netlink_exchange *exchange,
                        struct nlmsghdr *answer, int left)
{
    for (; nlmsg_ok(answer, left); answer = nlmsg_next(answer, &left)) {
        if (answer->nlmsg_seq != exchange->seq) {
            netlink->news = true;
            continue;
        }
        if (answer->nlmsg_type == NLMSG_ERROR) {
            int err = netlink_verdict(exchange, answer);
            return err < 0 ? err : 1;
        }
        if (answer->nlmsg_type == NLMSG_DONE)
            return 1;
        if (exchange->take != NULL)
            exchange->take(exchange->arg, answer);
    }
    return 0;
}

static int netlink_receive(struct netlink *netlink, const struct netlink_exchange *exchange)
{
    union netlink_buffer buffer;

    for (;;) {
        ssize_t length = recv(netlink->fd, &buffer, sizeof(buffer), 0);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0)
            return failure_set(exchange->failure, -errno, "%s: receive", exchange->what);
        int done = netlink_take(netlink, exchange, &buffer.header, (int)length);
        if (done != 0)
            return done < 0 ? done : 0;
    }
}

int netlink_call(struct netlink *netlink, struct nl_msg *request, int built, netlink_fn *take,
                 void *arg, const char *what, struct failure *failure)
{
    struct netlink_exchange exchange = {
        .seq = ++netlink->seq, .take = take, .arg = arg, .what = what, .failure = failure,
    };
    int err = 0;

    if (request == NULL || built != 0) {
        nlmsg_free(request);
        return failure_set(failure, -ENOMEM, "%s", what);
    }
    struct nlmsghdr *header = nlmsg_hdr(request);
    header->nlmsg_seq = exchange.seq;
    header->nlmsg_flags |= NLM_F_ACK;
    if (send(netlink->fd, header, header->nlmsg_len, 0) < 0)
        err = failure_set(failure, -errno, "%s: send", what);
    else
        err = netlink_receive(netlink, &exchange);
    nlmsg_free(request);
    return err;
}

int netlink_subscribe(struct netlink *netlink, int group, struct failure *failure)
{
    if (setsockopt(netlink->fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)) < 0)
        return failure_set(failure, -errno, "subscribe to netlink group %d", group);
    return 0;
}

void netlink_forget(struct netlink *netlink)
{
    char byte;

    netlink->news = false;
    /* ENOBUFS: some were lost already, others may follow. */
    while (recv(netlink->fd, &byte, sizeof(byte), MSG_DONTWAIT) >= 0 || errno == ENOBUFS)
        continue;
}
