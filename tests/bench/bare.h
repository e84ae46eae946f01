/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BENCH_BARE_H
#define EDGEWISE_TESTS_BENCH_BARE_H

/*
 * The same world and the same two processes as a run has, made by the kernel calls alone: every
 * netlink message built beforehand and sent from memory, every socket made while the thread is in
 * its namespace anyway, nothing asked that can be known. No step has a name, an error text or a way
 * back: what fails ends the program.
 *
 *     2 unshare and 1 setns; 2 route, 2 sock_diag, 2 ioctl and 2 packet sockets
 *     19 netlink messages: the veth pair with fixed indexes and one queue; for each end no address
 *     generation, loopback up, up, and for both families address, neighbour, route with its
 *     metrics; then, until ready, its state and its own IPv6 route
 *     10 ethtool ioctls; the options and the binding of the capture; markers until one is stamped
 *     clone into a PID namespace, setns, fork; epoll, eventfd, listener; a byte that says so
 *     at the end: EOF to the payload, exit, exit, wait; one marker; a thread that closes the packet
 *     sockets, for that takes 12 ms each; close
 */

#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/net_tstamp.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <linux/veth.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/sut/address.h"
#include "netns/link.h"

#define BARE_INDEX 7 /* of both ends, each in its own namespace */
#define BARE_CONFIGURE_MAX 9
#define BARE_DISMISSED_MAX 64 /* worlds whose packet sockets are being closed at once */

/* The messages, built once. */
struct bare {
    struct nl_msg *create;
    uint32_t *peer_space; /* inside `create`: the descriptor of the peer's namespace */
    struct nl_msg *state;
    struct bare_end {
        struct nl_msg *configure[BARE_CONFIGURE_MAX];
        size_t count;
        struct nl_msg *home; /* asks for the route to its own IPv6 address */
    } ends[LINK_SIDES];
};

/* What exists while one world does; indexes are sides. */
struct bare_world {
    int home;
    int space[LINK_SIDES];
    int route[LINK_SIDES];
    int diag[LINK_SIDES];
    int ioctl[LINK_SIDES];
    int packet[LINK_SIDES];
    int control; /* to the payload */
    int pidfd;
    pid_t init;
};

/* `value`, which a system call gave; the program ends when it is an error. */
static inline int bare_must(int value, const char *what)
{
    if (value >= 0)
        return value;
    perror(what);
    exit(3);
}

/* --- The messages --- */

/* A request with its fixed part; freed by nlmsg_free. */
static inline struct nl_msg *bare_request(uint16_t type, int flags, const void *fixed, int size)
{
    struct nl_msg *request = nlmsg_alloc_simple(type, NLM_F_REQUEST | NLM_F_ACK | flags);

    if (!request || nlmsg_append(request, (void *)(uintptr_t)fixed, (size_t)size, NLMSG_ALIGNTO))
        abort();
    return request;
}

/* Name, MAC and MTU of one end. With as many queues as it uses from the start, the kernel need not
 * take the others away, which costs a grace period. */
static inline void bare_put_end(struct nl_msg *request, enum link_side side)
{
    (void)nla_put_string(request, IFLA_IFNAME, link_name(side));
    (void)nla_put(request, IFLA_ADDRESS, INTERFACE_MAC_LENGTH, link_mac(side));
    (void)nla_put_u32(request, IFLA_MTU, LINK_MTU);
    (void)nla_put_u32(request, IFLA_NUM_TX_QUEUES, 1);
    (void)nla_put_u32(request, IFLA_NUM_RX_QUEUES, 1);
}

/* The pair: the sut's end where the socket is, the other in a namespace that is filled in later. */
static inline void bare_build_create(struct bare *bare)
{
    struct ifinfomsg fixed = {.ifi_index = BARE_INDEX};
    struct nl_msg *request =
        bare_request(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, &fixed, sizeof(fixed));
    struct nlattr *info, *data, *peer;

    bare_put_end(request, LINK_SUT);
    info = nla_nest_start(request, IFLA_LINKINFO);
    (void)nla_put_string(request, IFLA_INFO_KIND, "veth");
    data = nla_nest_start(request, IFLA_INFO_DATA);
    peer = nla_nest_start(request, VETH_INFO_PEER);
    (void)nlmsg_append(request, &fixed, sizeof(fixed), NLMSG_ALIGNTO);
    bare_put_end(request, LINK_PEER);
    bare->peer_space = nla_data(nla_reserve(request, IFLA_NET_NS_FD, sizeof(uint32_t)));
    (void)nla_nest_end(request, peer);
    (void)nla_nest_end(request, data);
    (void)nla_nest_end(request, info);
    bare->create = request;
}

/* A message for one end, in the order in which they are built. */
static inline struct nl_msg *bare_add(struct bare_end *end, uint16_t type, int flags,
                                      const void *fixed, int size)
{
    if (end->count == BARE_CONFIGURE_MAX)
        abort();
    return end->configure[end->count++] = bare_request(type, flags, fixed, size);
}

/* No address of its own making; loopback up; up. */
static inline void bare_build_link(struct bare_end *end)
{
    struct ifinfomsg plain = {.ifi_index = BARE_INDEX};
    struct ifinfomsg up = {.ifi_index = 1, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
    struct nl_msg *request = bare_add(end, RTM_NEWLINK, 0, &plain, sizeof(plain));
    struct nlattr *families = nla_nest_start(request, IFLA_AF_SPEC);
    struct nlattr *ipv6 = nla_nest_start(request, AF_INET6);

    (void)nla_put_u8(request, IFLA_INET6_ADDR_GEN_MODE, IN6_ADDR_GEN_MODE_NONE);
    (void)nla_nest_end(request, ipv6);
    (void)nla_nest_end(request, families);
    (void)bare_add(end, RTM_NEWLINK, 0, &up, sizeof(up));
    up.ifi_index = BARE_INDEX;
    (void)bare_add(end, RTM_NEWLINK, 0, &up, sizeof(up));
}

/* The bytes of a side's address. */
static inline int bare_address(enum link_side side, sa_family_t family, uint8_t bytes[static 16])
{
    struct sockaddr_storage address;

    (void)link_address(side, family, 0, &address);
    if (family == AF_INET)
        memcpy(bytes, &((struct sockaddr_in *)&address)->sin_addr, 4);
    else
        memcpy(bytes, &((struct sockaddr_in6 *)&address)->sin6_addr, 16);
    return family == AF_INET ? 4 : 16;
}

/* Address, neighbour and route of one family. */
static inline void bare_build_family(struct bare_end *end, enum link_side side, sa_family_t family)
{
    enum link_side other = side == LINK_SUT ? LINK_PEER : LINK_SUT;
    bool ipv4 = family == AF_INET;
    uint8_t bits = ipv4 ? 24 : 64, own[16] = {0}, neighbour[16] = {0}, network[16] = {0};
    int length = bare_address(side, family, own);
    struct ifaddrmsg address = {.ifa_family = (uint8_t)family, .ifa_prefixlen = bits,
                                .ifa_index = BARE_INDEX};
    struct ndmsg near = {.ndm_family = (uint8_t)family, .ndm_ifindex = BARE_INDEX,
                         .ndm_state = NUD_PERMANENT};
    struct rtmsg route = {.rtm_family = (uint8_t)family, .rtm_dst_len = bits,
                          .rtm_table = RT_TABLE_MAIN, .rtm_protocol = RTPROT_STATIC,
                          .rtm_scope = ipv4 ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE,
                          .rtm_type = RTN_UNICAST};
    int create = NLM_F_CREATE | NLM_F_EXCL;
    struct nl_msg *request = bare_add(end, RTM_NEWADDR, create, &address, sizeof(address));
    struct nlattr *metrics;

    (void)nla_put(request, IFA_LOCAL, length, own);
    (void)nla_put(request, IFA_ADDRESS, length, own);
    (void)nla_put_u32(request, IFA_FLAGS, IFA_F_NOPREFIXROUTE | (ipv4 ? 0 : IFA_F_NODAD));
    request = bare_add(end, RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_REPLACE, &near, sizeof(near));
    (void)bare_address(other, family, neighbour);
    (void)nla_put(request, NDA_DST, length, neighbour);
    (void)nla_put(request, NDA_LLADDR, INTERFACE_MAC_LENGTH, link_mac(other));
    request = bare_add(end, RTM_NEWROUTE, create, &route, sizeof(route));
    memcpy(network, own, bits / 8);
    (void)nla_put(request, RTA_DST, length, network);
    (void)nla_put_u32(request, RTA_OIF, BARE_INDEX);
    metrics = nla_nest_start(request, RTA_METRICS);
    (void)nla_put_u32(request, RTAX_QUICKACK, 1);
    (void)nla_put_u32(request, RTAX_INITCWND, LINK_OPTIONS_DEFAULT.initcwnd);
    (void)nla_nest_end(request, metrics);
}

/* Builds all messages. Ends with bare_free. */
static inline void bare_build(struct bare *ret_bare)
{
    struct ifinfomsg state = {.ifi_index = BARE_INDEX};
    struct rtmsg home = {.rtm_family = AF_INET6, .rtm_dst_len = 128};
    uint8_t own[16] = {0};

    *ret_bare = (struct bare){0};
    bare_build_create(ret_bare);
    ret_bare->state = bare_request(RTM_GETLINK, 0, &state, sizeof(state));
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        struct bare_end *end = &ret_bare->ends[side];

        bare_build_link(end);
        bare_build_family(end, side, AF_INET);
        bare_build_family(end, side, AF_INET6);
        end->home = bare_request(RTM_GETROUTE, 0, &home, sizeof(home));
        (void)bare_address(side, AF_INET6, own);
        (void)nla_put(end->home, RTA_DST, 16, own);
    }
}

/* Frees them. */
static inline void bare_free(struct bare *bare)
{
    nlmsg_free(bare->create);
    nlmsg_free(bare->state);
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        for (size_t i = 0; i < bare->ends[side].count; i++)
            nlmsg_free(bare->ends[side].configure[i]);
        nlmsg_free(bare->ends[side].home);
    }
}

/* --- The link --- */

union bare_answer {
    struct nlmsghdr header;
    char bytes[32768];
};

/* Sends one message and reads its acknowledgement. The first datagram stays in `answer`: it is the
 * acknowledgement or what was asked for. A notice may come between the two and is read with them:
 * then `*news` is set. 0 or -errno. */
static inline int bare_call(int fd, struct nl_msg *request, union bare_answer *answer, bool *news)
{
    static union bare_answer ack;
    struct nlmsghdr *header = nlmsg_hdr(request);
    union bare_answer *into = answer;

    header->nlmsg_seq++;
    bare_must((int)send(fd, header, header->nlmsg_len, 0), "netlink send");
    for (;;) {
        bare_must((int)recv(fd, into, sizeof(*into), 0), "netlink recv");
        if (into->header.nlmsg_seq != header->nlmsg_seq) {
            *news = true;
            continue;
        }
        if (into->header.nlmsg_type == NLMSG_ERROR)
            return ((struct nlmsgerr *)nlmsg_data(&into->header))->error;
        into = &ack;
    }
}

/* Sends one that must succeed. */
static inline void bare_set(int fd, struct nl_msg *request)
{
    static union bare_answer answer;
    bool news;

    errno = -bare_call(fd, request, &answer, &news);
    bare_must(-errno, "netlink request");
}

/* Up, with a queue, and at home at its IPv6 address. */
static inline bool bare_ready(const struct bare *bare, const struct bare_world *world,
                              enum link_side side, bool *news)
{
    static union bare_answer answer;
    struct nlattr *state, *queue;

    if (bare_call(world->route[side], bare->state, &answer, news) < 0)
        return false;
    state = nlmsg_find_attr(&answer.header, sizeof(struct ifinfomsg), IFLA_OPERSTATE);
    queue = nlmsg_find_attr(&answer.header, sizeof(struct ifinfomsg), IFLA_QDISC);
    if (!state || nla_get_u8(state) != IF_OPER_UP || !queue || nla_strcmp(queue, "noop") == 0)
        return false;
    return bare_call(world->route[side], bare->ends[side].home, &answer, news) == 0 &&
           ((struct rtmsg *)nlmsg_data(&answer.header))->rtm_type == RTN_LOCAL;
}

/* Looks again whenever the kernel tells of a change. */
static inline void bare_await_link(const struct bare *bare, const struct bare_world *world,
                                   enum link_side side)
{
    const int groups[] = {RTNLGRP_LINK, RTNLGRP_IPV6_ROUTE};
    struct pollfd wanted = {.fd = world->route[side], .events = POLLIN};
    bool news = false;
    char byte;

    if (bare_ready(bare, world, side, &news))
        return;
    for (int i = 0; i < 2; i++)
        bare_must(setsockopt(wanted.fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &groups[i],
                             sizeof(groups[i])), "subscribe");
    while (!bare_ready(bare, world, side, &news)) {
        if (!news)
            bare_must(poll(&wanted, 1, 2000) - 1, "wait for the link");
        while (recv(wanted.fd, &byte, 1, MSG_DONTWAIT) >= 0)
            continue;
        news = false;
    }
}

/* Every offload off that the product switches off. */
static inline void bare_offload(int fd, enum link_side side)
{
    static const uint32_t commands[] = {ETHTOOL_STSO, ETHTOOL_SGSO, ETHTOOL_SGRO, ETHTOOL_STXCSUM,
                                        ETHTOOL_SRXCSUM};

    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        struct ethtool_value off = {.cmd = commands[i]};
        struct ifreq request = {.ifr_data = &off};

        memcpy(request.ifr_name, link_name(side), strlen(link_name(side)) + 1);
        bare_must(ioctl(fd, SIOCETHTOOL, &request), "ethtool");
    }
}

/* Both namespaces with all their sockets. */
static inline void bare_open_spaces(struct bare_world *world)
{
    world->home = bare_must(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), "home");
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        bare_must(unshare(CLONE_NEWNET), "unshare");
        world->space[side] =
            bare_must(open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), "space");
        world->route[side] =
            bare_must(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE), "route");
        world->diag[side] =
            bare_must(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG), "diag");
        world->ioctl[side] = bare_must(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), "ioctl");
        world->packet[side] = bare_must(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0), "packet");
    }
    bare_must(setns(world->home, CLONE_NEWNET), "setns");
}

/* The pair, configured and ready. */
static inline void bare_open_link(const struct bare *bare, const struct bare_world *world)
{
    memcpy(bare->peer_space, &world->space[LINK_PEER], sizeof(uint32_t));
    bare_set(world->route[LINK_SUT], bare->create);
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        bare_offload(world->ioctl[side], side);
        for (size_t i = 0; i < bare->ends[side].count; i++)
            bare_set(world->route[side], bare->ends[side].configure[i]);
    }
    for (enum link_side side = 0; side < LINK_SIDES; side++)
        bare_await_link(bare, world, side);
}

/* --- The capture --- */

/* Sends a frame across and reads it. True when the kernel has stamped it. */
static inline bool bare_mark(const struct bare_world *world)
{
    static char frame[2048], control[256];
    char marker[ETH_ZLEN] = {2, 0, 0, 0, 0, -1, 2, 0, 0, 0, 0, -2, (char)0x88, (char)0xb5};
    struct iovec bytes = {frame, sizeof(frame)};
    struct pollfd wanted = {.fd = world->packet[LINK_PEER], .events = POLLIN};
    bool stamped = false;

    bare_must((int)send(world->packet[LINK_SUT], marker, sizeof(marker), 0), "marker");
    for (;;) {
        struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1, .msg_control = control,
                                 .msg_controllen = sizeof(control)};

        if (recvmsg(wanted.fd, &message, MSG_DONTWAIT) < 0) {
            bare_must(poll(&wanted, 1, 2000) - 1, "wait for the marker");
            continue;
        }
        for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
            stamped |= c->cmsg_type == SCM_TIMESTAMPING;
        if (memcmp(frame, marker, sizeof(marker)) == 0)
            return stamped;
    }
}

/* The capture at the peer's end, the sender of markers at the sut's. */
static inline void bare_open_capture(const struct bare_world *world)
{
    struct sockaddr_ll all = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
                              .sll_ifindex = BARE_INDEX};
    struct sockaddr_ll none = {.sll_family = AF_PACKET, .sll_ifindex = BARE_INDEX};
    int memory = 32 << 20, one = 1;
    int stamps = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;
    int fd = world->packet[LINK_PEER];
    const struct timespec breath = {.tv_nsec = 50000};

    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &memory, sizeof(memory)) < 0)
        bare_must(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &memory, sizeof(memory)), "memory");
    bare_must(setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof(stamps)), "stamps");
    bare_must(setsockopt(fd, SOL_PACKET, PACKET_AUXDATA, &one, sizeof(one)), "flags");
    bare_must(bind(fd, (struct sockaddr *)&all, sizeof(all)), "bind");
    bare_must(bind(world->packet[LINK_SUT], (struct sockaddr *)&none, sizeof(none)), "bind");
    while (!bare_mark(world))
        (void)nanosleep(&breath, NULL);
}

/* `arg` is the two descriptors. A thread that allocated could hold the allocator's lock at the
 * moment of a clone, and the copy would never get it. */
static inline void *bare_close_packets(void *arg)
{
    const int *packets = arg;

    (void)close(packets[LINK_PEER]);
    (void)close(packets[LINK_SUT]);
    return NULL;
}

/* Has them closed in the background. */
static inline void bare_dismiss(const struct bare_world *world)
{
    static int packets[BARE_DISMISSED_MAX][LINK_SIDES];
    static unsigned turn;
    int *own = packets[turn++ % BARE_DISMISSED_MAX];
    pthread_attr_t attributes;
    pthread_t thread;

    memcpy(own, world->packet, sizeof(world->packet));
    (void)pthread_attr_init(&attributes);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bare_must(-pthread_create(&thread, &attributes, bare_close_packets, own), "thread");
    (void)pthread_attr_destroy(&attributes);
}

/* --- The two processes --- */

/* A listener and an epoll, then nothing until the other end of `control` is closed. */
static inline _Noreturn void bare_payload(int control)
{
    struct sockaddr_storage address;
    socklen_t length = link_address(LINK_SUT, AF_INET, ADDRESS_PORT, &address);
    int epoll = bare_must(epoll_create1(EPOLL_CLOEXEC), "epoll");
    int wake = bare_must(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd");
    int listener = bare_must(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), "socket");
    struct epoll_event in = {.events = EPOLLIN};
    int one = 1;
    char byte = 0;

    bare_must(epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &in), "epoll_ctl");
    bare_must(setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)), "option");
    bare_must(bind(listener, (struct sockaddr *)&address, length), "bind");
    bare_must(listen(listener, 128), "listen");
    bare_must(epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &in), "epoll_ctl");
    bare_must((int)write(control, &byte, 1), "write");
    (void)!read(control, &byte, 1);
    _exit(0);
}

/* Pid 1 of the namespace: only waits. */
static inline _Noreturn void bare_init(const struct bare_world *world, int ends[2])
{
    pid_t payload;

    (void)close(ends[0]);
    bare_must(setns(world->space[LINK_SUT], CLONE_NEWNET), "setns");
    /* Not fork(), which waits for the locks of threads that are not here. */
    payload = bare_must((int)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL), "clone");
    if (payload == 0)
        bare_payload(ends[1]);
    (void)close(ends[1]);
    (void)waitpid(payload, NULL, 0);
    _exit(0);
}

/* Starts both and waits until the listener is there. */
static inline void bare_start(struct bare_world *world)
{
    int ends[2];
    char byte;
    long pid;

    bare_must(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), "socketpair");
    pid = syscall(SYS_clone, CLONE_NEWPID | CLONE_PIDFD | SIGCHLD, NULL, &world->pidfd, NULL, NULL);
    bare_must((int)pid, "clone");
    if (pid == 0)
        bare_init(world, ends);
    world->init = (pid_t)pid;
    (void)close(ends[1]);
    world->control = ends[0];
    if (read(world->control, &byte, 1) != 1)
        bare_must(-1, "the payload");
}

/* --- Outside --- */

/* A world, up to the point at which a timeline would begin. */
static inline void bare_open(const struct bare *bare, struct bare_world *ret_world)
{
    bare_open_spaces(ret_world);
    bare_open_link(bare, ret_world);
    bare_open_capture(ret_world);
    bare_start(ret_world);
}

/* The end of both processes, the last marker, and the end of the world. */
static inline void bare_close(const struct bare_world *world)
{
    (void)close(world->control);
    (void)waitpid(world->init, NULL, 0);
    (void)close(world->pidfd);
    (void)bare_mark(world);
    bare_dismiss(world);
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        (void)close(world->ioctl[side]);
        (void)close(world->diag[side]);
        (void)close(world->route[side]);
        (void)close(world->space[side]);
    }
    (void)close(world->home);
}

#endif
