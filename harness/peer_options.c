/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/peer_options.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>

#include "harness/peer.h"

static int set_size(struct sys sys, int fd, int name, uint32_t bytes)
{
    if (bytes == 0)
        return 0;
    if (bytes > INT32_MAX)
        return -EINVAL;
    int value = (int)bytes;
    return sys_setsockopt(sys, fd, SOL_SOCKET, name, &value, sizeof(value));
}

static int set_tcp(struct sys sys, int fd, const struct plan_sockets *sockets,
                   const char **ret_option)
{
    const char *congestion = sockets->congestion != NULL ? sockets->congestion : "reno";
    int code = sys_setsockopt(sys, fd, IPPROTO_TCP, TCP_CONGESTION, congestion,
                              (socklen_t)strlen(congestion));
    if (code < 0) {
        *ret_option = "TCP_CONGESTION";
        return code;
    }
    code = sys_setsockopt(sys, fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
    if (code < 0)
        *ret_option = "TCP_NODELAY";
    return code;
}

int peer_options_set(struct sys sys, int fd, enum plan_family family,
                     const struct plan_sockets *sockets, const char **ret_option)
{
    int code = set_size(sys, fd, SO_RCVBUF, sockets->rcvbuf);
    if (code < 0) {
        *ret_option = "SO_RCVBUF";
        return code;
    }
    code = set_size(sys, fd, SO_SNDBUF, sockets->sndbuf);
    if (code < 0) {
        *ret_option = "SO_SNDBUF";
        return code;
    }
    return peer_family_is_tcp(family) ? set_tcp(sys, fd, sockets, ret_option) : 0;
}

static int get_number(const struct peer *peer, int level, int name)
{
    int value = 0;
    socklen_t length = sizeof(value);

    int code = sys_getsockopt(peer->sys, peer->fd, level, name, &value, &length);
    return code < 0 ? code : value;
}

void peer_options_tell(const struct peer *peer, struct lines *lines)
{
    char congestion[32] = "";
    socklen_t length = sizeof(congestion) - 1;

    if (peer->fd < 0 || peer->family == PLAN_PIPE)
        return;
    int rcvbuf = get_number(peer, SOL_SOCKET, SO_RCVBUF);
    int sndbuf = get_number(peer, SOL_SOCKET, SO_SNDBUF);
    if (!peer_family_is_tcp(peer->family)) {
        lines_add(lines, "%s rcvbuf %d sndbuf %d", peer->name, rcvbuf, sndbuf);
        return;
    }
    (void)sys_getsockopt(peer->sys, peer->fd, IPPROTO_TCP, TCP_CONGESTION, congestion, &length);
    lines_add(lines, "%s rcvbuf %d sndbuf %d%s%s%s", peer->name, rcvbuf, sndbuf,
              congestion[0] ? " " : "", congestion,
              get_number(peer, IPPROTO_TCP, TCP_NODELAY) > 0 ? " nodelay" : "");
}
