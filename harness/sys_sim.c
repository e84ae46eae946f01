/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sys_sim.h"

#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/un.h>

/* The most entries that one poll may be asked about. */
#define POLL_MAX 64

static const struct {
    uint32_t ours;
    uint32_t theirs;
} bits[] = {
    {OS_IN, EPOLLIN},   {OS_OUT, EPOLLOUT}, {OS_RDHUP, EPOLLRDHUP}, {OS_ERR, EPOLLERR},
    {OS_HUP, EPOLLHUP}, {OS_ET, EPOLLET},   {OS_ONESHOT, EPOLLONESHOT}, {KERNEL_PRI, EPOLLPRI},
    {KERNEL_NVAL, POLLNVAL}, {KERNEL_EXCLUSIVE, EPOLLEXCLUSIVE},
};

static uint32_t to_kernel(uint32_t theirs)
{
    uint32_t ours = 0;

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        if (theirs & bits[i].theirs)
            ours |= bits[i].ours;
    }
    return ours;
}

static uint32_t from_kernel(uint32_t ours)
{
    uint32_t theirs = 0;

    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
        if (ours & bits[i].ours)
            theirs |= bits[i].theirs;
    }
    return theirs;
}

static struct instant sim_now(void *self)
{
    const struct sys_sim *sim = self;

    return kernel_now(sim->kernel);
}

static int sim_sleep_until(void *self, struct instant deadline)
{
    const struct sys_sim *sim = self;

    return kernel_sleep(sim->kernel, deadline);
}

/* Descriptors. */

static int sim_pipe(void *self, int ret_ends[2])
{
    const struct sys_sim *sim = self;

    return kernel_pipe(sim->kernel, sim->process, ret_ends);
}

static int sim_dup(void *self, int fd)
{
    const struct sys_sim *sim = self;

    return kernel_dup(sim->kernel, sim->process, fd);
}

static int sim_close(void *self, int fd)
{
    const struct sys_sim *sim = self;

    return kernel_close(sim->kernel, sim->process, fd);
}

static long sim_inode(void *self, int fd)
{
    const struct sys_sim *sim = self;

    return kernel_inode(sim->kernel, sim->process, fd);
}

/* Addresses. */

static int local_address(const struct sockaddr_un *theirs, socklen_t length,
                         struct kernel_address *ours)
{
    size_t size = length - offsetof(struct sockaddr_un, sun_path);

    if (size == 0 || theirs->sun_path[0] != '\0')
        return -EOPNOTSUPP; /* there is no file system */
    if (size - 1 > KERNEL_NAME_MAX)
        return -ENAMETOOLONG;
    ours->length = (uint8_t)(size - 1);
    memcpy(ours->bytes, theirs->sun_path + 1, size - 1);
    return 0;
}

static int address_to_kernel(const struct sockaddr *theirs, socklen_t length,
                             struct kernel_address *ours)
{
    const struct sockaddr_in *ipv4 = (const struct sockaddr_in *)theirs;
    const struct sockaddr_in6 *ipv6 = (const struct sockaddr_in6 *)theirs;

    *ours = (struct kernel_address){0};
    if (length < sizeof(theirs->sa_family))
        return -EINVAL;
    switch (theirs->sa_family) {
    case AF_UNSPEC:
        return 0;
    case AF_INET:
        if (length < sizeof(*ipv4))
            return -EINVAL;
        ours->domain = KERNEL_IPV4;
        ours->port = ntohs(ipv4->sin_port);
        memcpy(ours->bytes, &ipv4->sin_addr, sizeof(ipv4->sin_addr));
        return 0;
    case AF_INET6:
        if (length < sizeof(*ipv6))
            return -EINVAL;
        ours->domain = KERNEL_IPV6;
        ours->port = ntohs(ipv6->sin6_port);
        memcpy(ours->bytes, &ipv6->sin6_addr, sizeof(ipv6->sin6_addr));
        return 0;
    case AF_UNIX:
        ours->domain = KERNEL_LOCAL;
        return local_address((const struct sockaddr_un *)theirs, length, ours);
    default:
        return -EAFNOSUPPORT;
    }
}

socklen_t sys_sim_address(const struct kernel_address *ours, struct sockaddr_storage *theirs)
{
    struct sockaddr_in *ipv4 = (struct sockaddr_in *)theirs;
    struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)theirs;
    struct sockaddr_un *local = (struct sockaddr_un *)theirs;

    *theirs = (struct sockaddr_storage){0};
    switch (ours->domain) {
    case KERNEL_IPV4:
        ipv4->sin_family = AF_INET;
        ipv4->sin_port = htons(ours->port);
        memcpy(&ipv4->sin_addr, ours->bytes, sizeof(ipv4->sin_addr));
        return sizeof(*ipv4);
    case KERNEL_IPV6:
        ipv6->sin6_family = AF_INET6;
        ipv6->sin6_port = htons(ours->port);
        memcpy(&ipv6->sin6_addr, ours->bytes, sizeof(ipv6->sin6_addr));
        return sizeof(*ipv6);
    default:
        local->sun_family = AF_UNIX;
        if (ours->length == 0)
            return offsetof(struct sockaddr_un, sun_path);
        memcpy(local->sun_path + 1, ours->bytes, ours->length);
        return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + ours->length);
    }
}

/* Sockets. */

static int sim_socket(void *self, int domain, int type, int protocol)
{
    const struct sys_sim *sim = self;
    enum kernel_domain ours = domain == AF_INET    ? KERNEL_IPV4
                              : domain == AF_INET6 ? KERNEL_IPV6
                              : domain == AF_UNIX  ? KERNEL_LOCAL
                                                   : KERNEL_UNSPECIFIED;

    type &= ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (type != SOCK_STREAM && type != SOCK_DGRAM)
        return -ESOCKTNOSUPPORT;
    if (protocol != 0 && protocol != (type == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP))
        return -EPROTONOSUPPORT;
    return kernel_socket(sim->kernel, sim->process, ours,
                         type == SOCK_STREAM ? KERNEL_STREAM : KERNEL_DATAGRAM);
}

static int sim_bind(void *self, int fd, const struct sockaddr *address, socklen_t length)
{
    const struct sys_sim *sim = self;
    struct kernel_address ours;
    int code = address_to_kernel(address, length, &ours);

    return code < 0 ? code : kernel_bind(sim->kernel, sim->process, fd, &ours);
}

static int sim_listen(void *self, int fd, int backlog)
{
    const struct sys_sim *sim = self;

    return kernel_listen(sim->kernel, sim->process, fd, backlog);
}

static int sim_accept(void *self, int fd)
{
    const struct sys_sim *sim = self;

    return kernel_accept(sim->kernel, sim->process, fd);
}

static int sim_connect(void *self, int fd, const struct sockaddr *address, socklen_t length)
{
    const struct sys_sim *sim = self;
    struct kernel_address ours;
    int code = address_to_kernel(address, length, &ours);

    return code < 0 ? code : kernel_connect(sim->kernel, sim->process, fd, &ours);
}

static int sim_shutdown(void *self, int fd, int how)
{
    const struct sys_sim *sim = self;

    /* SHUT_RD, SHUT_WR and SHUT_RDWR are 0, 1 and 2: the bits less one. */
    if (how < SHUT_RD || how > SHUT_RDWR)
        return -EINVAL;
    return kernel_shutdown(sim->kernel, sim->process, fd, (unsigned)how + 1);
}

static int sim_getsockname(void *self, int fd, struct sockaddr_storage *ret_address,
                           socklen_t *ret_length)
{
    const struct sys_sim *sim = self;
    struct kernel_address ours;
    int code = kernel_name(sim->kernel, sim->process, fd, &ours);

    if (code == 0)
        *ret_length = sys_sim_address(&ours, ret_address);
    return code;
}

/* Options. */

static const struct {
    int level;
    int name;
    enum kernel_option ours; /* KERNEL_OPTION_COUNT: makes no difference */
} options[] = {
    {SOL_SOCKET, SO_ERROR, KERNEL_ERROR},
    {SOL_SOCKET, SO_SNDBUF, KERNEL_SNDBUF},
    {SOL_SOCKET, SO_RCVBUF, KERNEL_RCVBUF},
    {SOL_SOCKET, SO_RCVLOWAT, KERNEL_RCVLOWAT},
    {SOL_SOCKET, SO_LINGER, KERNEL_LINGER},
    {SOL_SOCKET, SO_OOBINLINE, KERNEL_OOBINLINE},
    {SOL_SOCKET, SO_REUSEADDR, KERNEL_REUSEADDR},
    {IPPROTO_TCP, TCP_NODELAY, KERNEL_OPTION_COUNT},
    {IPPROTO_TCP, TCP_QUICKACK, KERNEL_OPTION_COUNT},
    {IPPROTO_TCP, TCP_CONGESTION, KERNEL_OPTION_COUNT},
};

static int find_option(int level, int name, enum kernel_option *ret_option)
{
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
        if (options[i].level == level && options[i].name == name) {
            *ret_option = options[i].ours;
            return 0;
        }
    }
    return -ENOPROTOOPT;
}

static int sim_setsockopt(void *self, int fd, int level, int name, const void *value,
                          socklen_t length)
{
    const struct sys_sim *sim = self;
    enum kernel_option option;
    struct linger linger;
    int number;
    int code = find_option(level, name, &option);

    if (code < 0 || option == KERNEL_OPTION_COUNT)
        return code;
    if (length < (option == KERNEL_LINGER ? sizeof(linger) : sizeof(number)))
        return -EINVAL;
    if (option == KERNEL_LINGER) {
        memcpy(&linger, value, sizeof(linger));
        number = linger.l_onoff != 0 ? linger.l_linger : -1;
    } else {
        memcpy(&number, value, sizeof(number));
    }
    return kernel_option_set(sim->kernel, sim->process, fd, option, number);
}

static int sim_getsockopt(void *self, int fd, int level, int name, void *value,
                          socklen_t *length)
{
    const struct sys_sim *sim = self;
    enum kernel_option option;
    int number = 0;
    int code = find_option(level, name, &option);

    if (code == 0 && (option == KERNEL_LINGER || option == KERNEL_OPTION_COUNT))
        code = -ENOPROTOOPT;
    if (code == 0)
        code = kernel_option(sim->kernel, sim->process, fd, option, &number);
    if (code < 0)
        return code;
    if (*length > sizeof(number))
        *length = sizeof(number);
    memcpy(value, &number, *length);
    return 0;
}

/* Bytes. */

/* MSG_NOSIGNAL, MSG_DONTWAIT and MSG_EOR make no difference. */
static unsigned flags_to_kernel(int flags)
{
    return (flags & MSG_PEEK ? KERNEL_PEEK : 0U) | (flags & MSG_OOB ? KERNEL_OOB : 0U) |
           (flags & MSG_TRUNC ? KERNEL_TRUNC : 0U);
}

static long sim_send(void *self, int fd, const void *bytes, size_t size, int flags)
{
    const struct sys_sim *sim = self;

    return kernel_send(sim->kernel, sim->process, fd, bytes, size, flags_to_kernel(flags));
}

static long sim_recv(void *self, int fd, void *bytes, size_t size, int flags)
{
    const struct sys_sim *sim = self;

    return kernel_recv(sim->kernel, sim->process, fd, bytes, size, flags_to_kernel(flags));
}

static long sim_write(void *self, int fd, const void *bytes, size_t size)
{
    const struct sys_sim *sim = self;

    return kernel_write(sim->kernel, sim->process, fd, bytes, size);
}

static long sim_read(void *self, int fd, void *bytes, size_t size)
{
    const struct sys_sim *sim = self;

    return kernel_read(sim->kernel, sim->process, fd, bytes, size);
}

static long sim_unread(void *self, int fd)
{
    const struct sys_sim *sim = self;

    return kernel_unread(sim->kernel, sim->process, fd);
}

static long sim_unacked(void *self, int fd)
{
    const struct sys_sim *sim = self;

    return kernel_unacked(sim->kernel, sim->process, fd);
}

/* Waiting. */

static int sim_poll(void *self, struct pollfd *entries, unsigned count, struct instant deadline)
{
    const struct sys_sim *sim = self;
    struct kernel_poll ours[POLL_MAX];
    int found;

    if (count > POLL_MAX)
        return -EINVAL;
    for (unsigned i = 0; i < count; i++)
        ours[i] = (struct kernel_poll){
            .fd = entries[i].fd, .asked = to_kernel((uint16_t)entries[i].events)};
    found = kernel_poll(sim->kernel, sim->process, ours, count, deadline);
    for (unsigned i = 0; i < count && found >= 0; i++)
        entries[i].revents = (short)from_kernel(ours[i].found);
    return found;
}

static int sim_epoll_create(void *self)
{
    const struct sys_sim *sim = self;

    return kernel_epoll(sim->kernel, sim->process);
}

static int sim_epoll_ctl(void *self, int epoll, int op, int fd, const struct epoll_event *event)
{
    const struct sys_sim *sim = self;
    struct epoll_event none = {0};

    if (op != EPOLL_CTL_ADD && op != EPOLL_CTL_MOD && op != EPOLL_CTL_DEL)
        return -EINVAL;
    if (event == NULL)
        event = &none;
    return kernel_epoll_ctl(sim->kernel, sim->process, epoll,
                            op == EPOLL_CTL_ADD   ? OS_ADD
                            : op == EPOLL_CTL_MOD ? OS_MOD
                                                  : OS_DEL,
                            fd, to_kernel(event->events), event->data.u64);
}

static int sim_epoll_wait(void *self, int epoll, struct epoll_event *ret_events, int max,
                          struct instant deadline)
{
    const struct sys_sim *sim = self;
    struct os_event ours[SYS_EVENTS_MAX];
    int count;

    assert(max <= SYS_EVENTS_MAX);
    count = kernel_epoll_wait(sim->kernel, sim->process, epoll, ours, max, deadline);
    for (int i = 0; i < count; i++) {
        ret_events[i].events = from_kernel(ours[i].events);
        ret_events[i].data.u64 = ours[i].data;
    }
    return count;
}

static int sim_eventfd(void *self, unsigned value)
{
    const struct sys_sim *sim = self;

    return kernel_eventfd(sim->kernel, sim->process, value, false);
}

static int sim_dup_onto(void *self, int fd, int onto)
{
    const struct sys_sim *sim = self;

    /* dup3, other than dup2, refuses what changes nothing. */
    return fd == onto ? -EINVAL : kernel_dup_onto(sim->kernel, sim->process, fd, onto);
}

static int sim_timerfd(void *self)
{
    const struct sys_sim *sim = self;

    return kernel_timerfd(sim->kernel, sim->process);
}

static int sim_timerfd_set(void *self, int fd, struct instant first, struct duration period)
{
    const struct sys_sim *sim = self;

    return kernel_timer_set(sim->kernel, sim->process, fd, first, period);
}

/* The kernel names FIFOs by numbers. */
static int sim_fifo(void *self, const char *path, int writes)
{
    const struct sys_sim *sim = self;
    uint32_t name = UINT32_C(0x811c9dc5);

    for (; *path != '\0'; path++)
        name = (name ^ (uint8_t)*path) * UINT32_C(0x01000193);
    return kernel_fifo(sim->kernel, sim->process, name | 1, writes);
}

static const struct sys_ops ops = {
    .now = sim_now,
    .sleep_until = sim_sleep_until,
    .socket = sim_socket,
    .pipe = sim_pipe,
    .dup = sim_dup,
    .close = sim_close,
    .inode = sim_inode,
    .bind = sim_bind,
    .listen = sim_listen,
    .accept = sim_accept,
    .connect = sim_connect,
    .shutdown = sim_shutdown,
    .getsockname = sim_getsockname,
    .setsockopt = sim_setsockopt,
    .getsockopt = sim_getsockopt,
    .send = sim_send,
    .recv = sim_recv,
    .write = sim_write,
    .read = sim_read,
    .unread = sim_unread,
    .unacked = sim_unacked,
    .poll = sim_poll,
    .epoll_create = sim_epoll_create,
    .epoll_ctl = sim_epoll_ctl,
    .epoll_wait = sim_epoll_wait,
    .eventfd = sim_eventfd,
    .dup_onto = sim_dup_onto,
    .timerfd = sim_timerfd,
    .timerfd_set = sim_timerfd_set,
    .fifo = sim_fifo,
};

struct sys sys_sim_open(struct sys_sim *ret_sim, struct kernel *kernel, uint32_t process)
{
    *ret_sim = (struct sys_sim){.kernel = kernel, .process = process};
    return (struct sys){.ops = &ops, .self = ret_sim};
}
