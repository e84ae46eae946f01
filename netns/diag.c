/* SPDX-License-Identifier: BSD-2-Clause */
#include "netns/diag.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

/* A TCP answer is about 450 bytes; a dump fills what it is given. */
#define DIAG_BUFFER_BYTES 16384

union diag_buffer {
    struct nlmsghdr header;
    char bytes[DIAG_BUFFER_BYTES];
};

struct diag_tcp_request {
    struct nlmsghdr header;
    struct inet_diag_req_v2 body;
};

struct diag_unix_request {
    struct nlmsghdr header;
    struct unix_diag_req body;
};

int diag_open(struct diag *ret_diag, const struct space *space, struct failure *failure)
{
    return netlink_open(&ret_diag->netlink, space, NETLINK_SOCK_DIAG, failure);
}

void diag_close(struct diag *diag)
{
    netlink_close(&diag->netlink);
}

static int diag_key_end(const struct sockaddr *address, uint16_t *ret_port, uint8_t *ret_bytes)
{
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)(const void *)address;
    const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)(const void *)address;

    switch (address->sa_family) {
    case AF_INET:
        *ret_port = ipv4->sin_port;
        memcpy(ret_bytes, &ipv4->sin_addr, sizeof(ipv4->sin_addr));
        return 0;
    case AF_INET6:
        *ret_port = ipv6->sin6_port;
        memcpy(ret_bytes, &ipv6->sin6_addr, sizeof(ipv6->sin6_addr));
        return 0;
    default:
        return -EAFNOSUPPORT;
    }
}

int diag_key_set(struct diag_key *ret_key, const struct sockaddr *local,
                 const struct sockaddr *remote, uint64_t cookie)
{
    struct diag_key key = {.family = local->sa_family, .cookie = cookie};

    if (local->sa_family != remote->sa_family)
        return -EAFNOSUPPORT;
    int err = diag_key_end(local, &key.local_port, key.local);
    if (err == 0)
        err = diag_key_end(remote, &key.remote_port, key.remote);
    if (err == 0)
        *ret_key = key;
    return err;
}

/* The leaner way of netlink_call() for a question with one answer: no acknowledgement, no
 * allocation. 1: the answer is in the buffer, 0: the kernel knows no such socket, -errno. */
static int diag_ask(struct diag *diag, struct nlmsghdr *request, union diag_buffer *ret_answer)
{
    const struct nlmsgerr *verdict = NLMSG_DATA(&ret_answer->header);
    ssize_t length;

    request->nlmsg_seq = ++diag->netlink.seq;
    ret_answer->header = (struct nlmsghdr){.nlmsg_len = 0};
    if (send(diag->netlink.fd, request, request->nlmsg_len, 0) < 0)
        return -errno;
    do {
        length = recv(diag->netlink.fd, ret_answer, sizeof(*ret_answer), 0);
        if (length < 0 && errno != EINTR)
            return -errno;
    } while (length < 0 || (length >= NLMSG_HDRLEN &&
                            ret_answer->header.nlmsg_seq != request->nlmsg_seq));
    if (!NLMSG_OK(&ret_answer->header, (size_t)length))
        return -EPROTO;
    if (ret_answer->header.nlmsg_type != NLMSG_ERROR)
        return 1;
    /* Also when the tuple belongs to another socket, whose cookie differs. */
    return verdict->error == -ENOENT ? 0 : verdict->error;
}

/* The fixed part of an answer; NULL if the answer is too short for it. */
static const void *diag_fixed(const struct nlmsghdr *answer, size_t length)
{
    return answer->nlmsg_len >= NLMSG_LENGTH(length) ? NLMSG_DATA(answer) : NULL;
}

/* Copies the attribute of a type that follows a fixed part of that length, as much as fits. False:
 * there is none. */
static bool diag_attribute(const struct nlmsghdr *answer, size_t fixed, unsigned short type,
                           void *ret_value, size_t size)
{
    const char *end = (const char *)answer + answer->nlmsg_len;
    const char *at = (const char *)NLMSG_DATA(answer) + NLMSG_ALIGN(fixed);

    while (end - at >= (ptrdiff_t)sizeof(struct rtattr)) {
        const struct rtattr *attribute = (const struct rtattr *)(const void *)at;
        if (attribute->rta_len < sizeof(*attribute) || attribute->rta_len > end - at)
            return false;
        size_t length = RTA_PAYLOAD(attribute);
        if (attribute->rta_type == type) {
            memcpy(ret_value, RTA_DATA(attribute), length < size ? length : size);
            return true;
        }
        at += RTA_ALIGN(attribute->rta_len);
    }
    return false;
}

static uint64_t diag_cookie(const uint32_t halves[2])
{
    return (uint64_t)halves[1] << 32 | halves[0];
}

static struct diag_tcp_request diag_tcp_question(const struct diag_key *key, bool counters)
{
    struct diag_tcp_request request = {
        .header = {
            .nlmsg_len = sizeof(request),
            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
            .nlmsg_flags = NLM_F_REQUEST,
        },
        .body = {
            .sdiag_family = (uint8_t)key->family,
            .sdiag_protocol = IPPROTO_TCP,
            .idiag_ext = counters ? 1 << (INET_DIAG_INFO - 1) : 0,
            .idiag_states = UINT32_MAX,
            .id = {
                .idiag_sport = key->local_port,
                .idiag_dport = key->remote_port,
                .idiag_cookie = { (uint32_t)key->cookie, (uint32_t)(key->cookie >> 32) },
            },
        },
    };

    memcpy(request.body.id.idiag_src, key->local, sizeof(key->local));
    memcpy(request.body.id.idiag_dst, key->remote, sizeof(key->remote));
    return request;
}

/* The kernel's tcp_info may be shorter or longer than ours: what is missing reads as zero. */
static bool diag_take_counters(const struct nlmsghdr *answer, struct diag_counters *ret_counters)
{
    struct tcp_info info = {0};

    if (!diag_attribute(answer, sizeof(struct inet_diag_msg), INET_DIAG_INFO, &info, sizeof(info)))
        return false;
    *ret_counters = (struct diag_counters){
        .bytes_sent = info.tcpi_bytes_sent,
        .bytes_retrans = info.tcpi_bytes_retrans,
        .bytes_acked = info.tcpi_bytes_acked,
        .bytes_received = info.tcpi_bytes_received,
        .notsent_bytes = info.tcpi_notsent_bytes,
        .unacked_segments = info.tcpi_unacked,
        .snd_wnd_bytes = info.tcpi_snd_wnd,
        .snd_mss_bytes = info.tcpi_snd_mss,
    };
    return true;
}

int diag_tcp(struct diag *diag, const struct diag_key *key, bool counters,
             struct diag_tcp *ret_tcp)
{
    struct diag_tcp_request request = diag_tcp_question(key, counters);
    union diag_buffer answer;
    int found = diag_ask(diag, &request.header, &answer);

    if (found <= 0)
        return found;
    const struct inet_diag_msg *body = diag_fixed(&answer.header, sizeof(*body));
    if (body == NULL)
        return -EPROTO;
    /* When no connection matches, the kernel goes on to look for a listener. */
    if (body->id.idiag_dport != key->remote_port)
        return 0;
    struct diag_tcp tcp = {
        .state = (enum diag_state)body->idiag_state,
        .rqueue = body->idiag_rqueue,
        .wqueue = body->idiag_wqueue,
        .inode = body->idiag_inode,
        .cookie = diag_cookie(body->id.idiag_cookie),
    };
    tcp.has_counters = counters && diag_take_counters(&answer.header, &tcp.counters);
    *ret_tcp = tcp;
    return 1;
}

static struct diag_unix_request diag_unix_question(uint32_t inode)
{
    return (struct diag_unix_request){
        .header = {
            .nlmsg_len = sizeof(struct diag_unix_request),
            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
            .nlmsg_flags = NLM_F_REQUEST,
        },
        .body = {
            .sdiag_family = AF_UNIX,
            .udiag_states = UINT32_MAX,
            .udiag_ino = inode,
            .udiag_show = UDIAG_SHOW_PEER | UDIAG_SHOW_RQLEN,
            .udiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE},
        },
    };
}

static void diag_take_unix(const struct nlmsghdr *answer, struct diag_unix *ret_unix)
{
    const size_t fixed = sizeof(struct unix_diag_msg);
    struct unix_diag_rqlen queues = {.udiag_rqueue = 0};

    (void)diag_attribute(answer, fixed, UNIX_DIAG_RQLEN, &queues, sizeof(queues));
    ret_unix->rqueue = queues.udiag_rqueue;
    ret_unix->wqueue = queues.udiag_wqueue;
    ret_unix->peer_inode = 0;
    ret_unix->shutdown = 0;
    (void)diag_attribute(answer, fixed, UNIX_DIAG_PEER, &ret_unix->peer_inode,
                         sizeof(ret_unix->peer_inode));
    (void)diag_attribute(answer, fixed, UNIX_DIAG_SHUTDOWN, &ret_unix->shutdown,
                         sizeof(ret_unix->shutdown));
}

int diag_unix(struct diag *diag, uint32_t inode, struct diag_unix *ret_unix)
{
    struct diag_unix_request request = diag_unix_question(inode);
    union diag_buffer answer;

    if (inode == 0)
        return 0;
    int found = diag_ask(diag, &request.header, &answer);
    if (found <= 0)
        return found;
    const struct unix_diag_msg *body = diag_fixed(&answer.header, sizeof(*body));
    if (body == NULL)
        return -EPROTO;
    ret_unix->state = (enum diag_state)body->udiag_state;
    diag_take_unix(&answer.header, ret_unix);
    return 1;
}

/* One walk over the listeners of a family. */
struct diag_walk {
    int (*found)(void *arg, const struct diag_listener *listener);
    void *arg;
    int value; /* of found; not 0: the rest of the list is passed over */
};

static void diag_take_listener(void *arg, struct nlmsghdr *answer)
{
    struct diag_walk *walk = arg;
    const struct inet_diag_msg *body = diag_fixed(answer, sizeof(*body));

    if (walk->value != 0 || body == NULL)
        return;
    struct diag_listener listener = {
        .family = body->idiag_family,
        .port = ntohs(body->id.idiag_sport),
        .inode = body->idiag_inode,
        .waiting = body->idiag_rqueue,
        .backlog = body->idiag_wqueue,
    };
    memcpy(listener.address, body->id.idiag_src, sizeof(listener.address));
    walk->value = walk->found(walk->arg, &listener);
}

static int diag_walk_family(struct diag *diag, sa_family_t family, struct diag_walk *walk)
{
    const struct inet_diag_req_v2 body = {
        .sdiag_family = (uint8_t)family,
        .sdiag_protocol = IPPROTO_TCP,
        .idiag_states = 1U << DIAG_LISTEN,
    };
    struct nl_msg *request = netlink_request(SOCK_DIAG_BY_FAMILY, NLM_F_DUMP, &body, sizeof(body));

    return netlink_call(&diag->netlink, request, 0, diag_take_listener, walk, "list listeners",
                        NULL);
}

int diag_listeners(struct diag *diag,
                   int (*found)(void *arg, const struct diag_listener *listener), void *arg)
{
    struct diag_walk walk = {.found = found, .arg = arg};
    int err = diag_walk_family(diag, AF_INET, &walk);

    if (err == 0 && walk.value == 0)
        err = diag_walk_family(diag, AF_INET6, &walk);
    return err < 0 ? err : walk.value;
}

const char *diag_state_name(enum diag_state state)
{
    static const char *const names[] = {
#define DIAG_STATE_NAME(name, number) [number] = #name,
        DIAG_STATES(DIAG_STATE_NAME)
#undef DIAG_STATE_NAME
    };
    size_t index = (size_t)state;

    if (index >= sizeof(names) / sizeof(names[0]) || names[index] == NULL)
        return "?";
    return names[index];
}
