/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/kernel/kernel.h"

#include <errno.h>
#include <string.h>

#include "sim/kernel/adversary.h"
#include "sim/kernel/clock.h"
#include "sim/kernel/counter.h"
#include "sim/kernel/description.h"
#include "sim/kernel/epoll.h"
#include "sim/kernel/kernel_impl.h"
#include "sim/kernel/layout.h"
#include "sim/kernel/name.h"
#include "sim/kernel/pipe.h"
#include "sim/kernel/socket.h"
#include "sim/kernel/table.h"
#include "sim/kernel/timer.h"

#define START_NS   INT64_C(1000000000)
#define PORT_FIRST 32768
#define WORD       8

/* The block. */

size_t kernel_size(const struct kernel_config *config)
{
    struct kernel head;

    return layout_place(&head, config);
}

struct kernel *kernel_init(void *memory, const struct kernel_config *config)
{
    struct kernel *k = memory;
    size_t size = kernel_size(config);

    assert(size > 0);
    memset(memory, 0, size);
    k->config = *config;
    k->size = (uint32_t)size;
    k->now = (struct instant){START_NS};
    k->random = (UINT64_C(1) << 32) + config->seed;
    k->next_port = PORT_FIRST;
    (void)layout_place(k, config);
    return k;
}

uint64_t kernel_digest(const struct kernel *k)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    uint64_t word;

    for (uint32_t at = 0; at < k->size; at += WORD) {
        memcpy(&word, (const uint8_t *)k + at, WORD);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    return hash;
}

uint32_t kernel_objects(const struct kernel *k)
{
    uint32_t objects = 0;

#define X(name) objects += k->name.used;
    KERNEL_SLABS(X)
#undef X
    return objects;
}

/* Time. */

struct instant kernel_now(const struct kernel *k)
{
    return k->now;
}

struct instant kernel_due(const struct kernel *k)
{
    return clock_due(k);
}

int kernel_sleep(struct kernel *k, struct instant deadline)
{
    if (instant_equal(deadline, INSTANT_NEVER))
        return -EDEADLK;
    while (instant_before(k->now, deadline))
        (void)clock_step(k, deadline);
    return 0;
}

void kernel_signal(struct kernel *k, uint32_t process)
{
    table_of(k, process)->signalled = 1;
}

/* Descriptors. */

/* Room for `count` descriptors that are new. */
static int kernel_room(const struct kernel *k, uint32_t process, uint32_t count)
{
    if (k->descriptions.count - k->descriptions.used < count)
        return -ENFILE;
    return table_room(k, process, count);
}

/* A number for a new body, for which there is room. */
static int kernel_install(struct kernel *k, uint32_t process, enum description_type type,
                          uint32_t body, uint32_t mode)
{
    return table_add(k, process, description_new(k, type, body, mode));
}

int kernel_dup(struct kernel *k, uint32_t process, int fd)
{
    uint32_t description = table_get(k, process, fd);

    return description == 0 ? -EBADF : table_add(k, process, description);
}

int kernel_dup_onto(struct kernel *k, uint32_t process, int fd, int onto)
{
    uint32_t description = table_get(k, process, fd);

    if (description == 0 || onto < 0 || (uint32_t)onto >= k->config.descriptors)
        return -EBADF;
    if (fd == onto)
        return onto;
    if (table_get(k, process, onto) != 0)
        table_remove(k, process, onto);
    table_put(k, process, onto, description);
    return onto;
}

int kernel_close(struct kernel *k, uint32_t process, int fd)
{
    if (table_get(k, process, fd) == 0)
        return -EBADF;
    table_remove(k, process, fd);
    return 0;
}

void kernel_exit(struct kernel *k, uint32_t process)
{
    for (uint32_t fd = 0; fd < k->config.descriptors; fd++)
        (void)kernel_close(k, process, (int)fd);
    table_of(k, process)->signalled = 0;
}

int kernel_pass(struct kernel *k, uint32_t process, int fd, uint32_t receiver)
{
    uint32_t description = table_get(k, process, fd);

    return description == 0 ? -EBADF : table_add(k, receiver, description);
}

#define INODE_SHIFT 24 /* above every handle */

long kernel_inode(const struct kernel *k, uint32_t process, int fd)
{
    uint32_t handle = table_get(k, process, fd);
    const struct description *description;

    if (handle == 0)
        return -EBADF;
    description = description_at(k, handle);
    return (long)(description->type << INODE_SHIFT | description->body);
}

/* A socket whose reads and writes have no borders. */
static bool kernel_streams(const struct kernel *k, uint32_t description)
{
    uint32_t type = description_at(k, description)->type;

    return type == DESCRIPTION_STREAM || type == DESCRIPTION_LOCAL;
}

long kernel_read(struct kernel *k, uint32_t process, int fd, void *bytes, size_t size)
{
    uint32_t handle = table_get(k, process, fd);

    if (handle == 0 || !(description_at(k, handle)->mode & DESCRIPTION_READ))
        return -EBADF;
    if (!description_ops(k, handle)->read)
        return -EINVAL;
    if (kernel_streams(k, handle) || description_at(k, handle)->type == DESCRIPTION_PIPE)
        size = adversary_cut(k, size);
    return description_ops(k, handle)->read(k, description_at(k, handle)->body, bytes, size);
}

long kernel_write(struct kernel *k, uint32_t process, int fd, const void *bytes, size_t size)
{
    uint32_t handle = table_get(k, process, fd);

    if (handle == 0 || !(description_at(k, handle)->mode & DESCRIPTION_WRITE))
        return -EBADF;
    if (!description_ops(k, handle)->write)
        return -EINVAL;
    if (kernel_streams(k, handle))
        size = adversary_cut(k, size);
    return description_ops(k, handle)->write(k, description_at(k, handle)->body, bytes, size);
}

/* An epoll has ioctls, other ones. */
static int kernel_no_ioctl(const struct kernel *k, uint32_t description)
{
    return description_at(k, description)->type == DESCRIPTION_EPOLL ? -EINVAL : -ENOTTY;
}

long kernel_unread(struct kernel *k, uint32_t process, int fd)
{
    uint32_t handle = table_get(k, process, fd);

    if (handle == 0)
        return -EBADF;
    if (!description_ops(k, handle)->unread)
        return kernel_no_ioctl(k, handle);
    return description_ops(k, handle)->unread(k, description_at(k, handle)->body);
}

long kernel_level(struct kernel *k, uint32_t process, int fd, uint32_t asked)
{
    uint32_t handle = table_get(k, process, fd);

    return handle == 0 ? -EBADF : (long)description_level(k, handle, asked);
}

/* Pipes, counters, timers. */

int kernel_pipe(struct kernel *k, uint32_t process, int ret_ends[2])
{
    int code = kernel_room(k, process, 2);
    uint32_t body;

    if (code < 0)
        return code;
    body = pipe_new(k);
    if (body == 0)
        return -ENFILE;
    ret_ends[0] = kernel_install(k, process, DESCRIPTION_PIPE, body, DESCRIPTION_READ);
    ret_ends[1] = kernel_install(k, process, DESCRIPTION_PIPE, body, DESCRIPTION_WRITE);
    return 0;
}

int kernel_fifo(struct kernel *k, uint32_t process, uint32_t name, bool writes)
{
    int code = kernel_room(k, process, 1);
    uint32_t body, mode;

    if (code < 0)
        return code;
    code = pipe_open(k, name, writes, &body, &mode);
    return code < 0 ? code : kernel_install(k, process, DESCRIPTION_PIPE, body, mode);
}

int kernel_eventfd(struct kernel *k, uint32_t process, uint32_t value, bool semaphore)
{
    int code = kernel_room(k, process, 1);
    uint32_t body;

    if (code < 0)
        return code;
    body = counter_new(k, value, semaphore);
    if (body == 0)
        return -ENFILE;
    return kernel_install(k, process, DESCRIPTION_COUNTER, body,
                          DESCRIPTION_READ | DESCRIPTION_WRITE);
}

int kernel_timerfd(struct kernel *k, uint32_t process)
{
    int code = kernel_room(k, process, 1);
    uint32_t body;

    if (code < 0)
        return code;
    body = timer_new(k);
    if (body == 0)
        return -ENFILE;
    return kernel_install(k, process, DESCRIPTION_TIMER, body,
                          DESCRIPTION_READ | DESCRIPTION_WRITE);
}

int kernel_timer_set(struct kernel *k, uint32_t process, int fd, struct instant first,
                     struct duration period)
{
    uint32_t handle = table_get(k, process, fd);

    if (handle == 0)
        return -EBADF;
    if (description_at(k, handle)->type != DESCRIPTION_TIMER || period.ns < 0)
        return -EINVAL;
    timer_set(k, description_at(k, handle)->body, first, period);
    return 0;
}

/* Sockets. */

/* The socket behind a number: 0 or -errno. */
static int kernel_find_socket(const struct kernel *k, uint32_t process, int fd,
                              uint32_t *ret_socket, const struct socket_ops **ret_ops)
{
    uint32_t handle = table_get(k, process, fd);

    if (handle == 0)
        return -EBADF;
    *ret_ops = description_ops(k, handle)->socket;
    if (!*ret_ops)
        return -ENOTSOCK;
    *ret_socket = description_at(k, handle)->body;
    return 0;
}

/* A number for a socket that has none, for which there is room. */
static int kernel_install_socket(struct kernel *k, uint32_t process, uint32_t socket)
{
    int fd = kernel_install(k, process, (enum description_type)socket_at(k, socket)->type, socket,
                            DESCRIPTION_READ | DESCRIPTION_WRITE);

    socket_at(k, socket)->description = table_get(k, process, fd);
    return fd;
}

int kernel_socket(struct kernel *k, uint32_t process, enum kernel_domain domain,
                  enum kernel_kind kind)
{
    enum description_type type = DESCRIPTION_STREAM;
    int code;
    uint32_t socket;

    if (domain <= KERNEL_UNSPECIFIED || domain >= KERNEL_DOMAIN_COUNT)
        return -EAFNOSUPPORT;
    if (kind == KERNEL_DATAGRAM)
        type = DESCRIPTION_DATAGRAM;
    else if (domain == KERNEL_LOCAL)
        type = DESCRIPTION_LOCAL;
    code = kernel_room(k, process, 1);
    if (code < 0)
        return code;
    socket = socket_new(k, type, domain);
    return socket == 0 ? -ENFILE : kernel_install_socket(k, process, socket);
}

int kernel_bind(struct kernel *k, uint32_t process, int fd, const struct kernel_address *address)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    return code < 0 ? code : name_bind(k, socket, address);
}

int kernel_listen(struct kernel *k, uint32_t process, int fd, int backlog)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    return code < 0 ? code : ops->listen(k, socket, backlog < 0 ? UINT32_MAX : (uint32_t)backlog);
}

int kernel_accept(struct kernel *k, uint32_t process, int fd)
{
    const struct socket_ops *ops;
    uint32_t listener;
    int code = kernel_find_socket(k, process, fd, &listener, &ops);

    if (code == 0)
        code = kernel_room(k, process, 1);
    if (code < 0)
        return code;
    if (socket_at(k, listener)->type == DESCRIPTION_DATAGRAM)
        return -EOPNOTSUPP;
    if (socket_at(k, listener)->state != SOCKET_LISTEN)
        return -EINVAL;
    if (socket_at(k, listener)->queue_length == 0)
        return -EAGAIN;
    return kernel_install_socket(k, process, socket_queue_pop(k, listener));
}

int kernel_connect(struct kernel *k, uint32_t process, int fd,
                   const struct kernel_address *address)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    return code < 0 ? code : ops->connect(k, socket, address);
}

int kernel_shutdown(struct kernel *k, uint32_t process, int fd, unsigned how)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    if (code < 0)
        return code;
    if (how == 0 || (how & ~(unsigned)SOCKET_BOTH))
        return -EINVAL;
    return ops->shutdown(k, socket, how);
}

int kernel_name(const struct kernel *k, uint32_t process, int fd,
                struct kernel_address *ret_address)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    if (code == 0)
        *ret_address = socket_peek(k, socket)->local;
    return code;
}

int kernel_remote(const struct kernel *k, uint32_t process, int fd,
                  struct kernel_address *ret_address)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    if (code == 0 && socket_peek(k, socket)->remote.domain == KERNEL_UNSPECIFIED)
        code = -ENOTCONN;
    if (code == 0)
        *ret_address = socket_peek(k, socket)->remote;
    return code;
}

long kernel_remote_unread(struct kernel *k, uint32_t process, int fd)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);
    uint32_t peer;

    if (code < 0)
        return code;
    peer = socket_at(k, socket)->peer;
    return peer == 0 ? -ENOTCONN
                     : description_ops_of(socket_at(k, peer)->type)->unread(k, peer);
}

int kernel_option_set(struct kernel *k, uint32_t process, int fd, enum kernel_option option,
                      int value)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    return code < 0 ? code : socket_set(k, socket, option, value);
}

int kernel_option(struct kernel *k, uint32_t process, int fd, enum kernel_option option,
                  int *ret_value)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    return code < 0 ? code : socket_get(k, socket, option, ret_value);
}

long kernel_send(struct kernel *k, uint32_t process, int fd, const void *bytes, size_t size,
                 unsigned flags)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    if (code < 0)
        return code;
    if (kernel_streams(k, table_get(k, process, fd)) && !(flags & KERNEL_OOB))
        size = adversary_cut(k, size);
    return ops->send(k, socket, bytes, size, flags);
}

long kernel_recv(struct kernel *k, uint32_t process, int fd, void *bytes, size_t size,
                 unsigned flags)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    if (code < 0)
        return code;
    if (kernel_streams(k, table_get(k, process, fd)))
        size = adversary_cut(k, size);
    return ops->recv(k, socket, bytes, size, flags);
}

long kernel_unacked(const struct kernel *k, uint32_t process, int fd)
{
    const struct socket_ops *ops;
    uint32_t socket;
    int code = kernel_find_socket(k, process, fd, &socket, &ops);

    if (code == -ENOTSOCK)
        return kernel_no_ioctl(k, table_get(k, process, fd));
    return code < 0 ? code : ops->unacked(k, socket);
}

/* Epoll. */

int kernel_epoll(struct kernel *k, uint32_t process)
{
    int code = kernel_room(k, process, 1);
    uint32_t body;

    if (code < 0)
        return code;
    body = slab_take(k, &k->epolls);
    if (body == 0)
        return -ENFILE;
    return kernel_install(k, process, DESCRIPTION_EPOLL, body,
                          DESCRIPTION_READ | DESCRIPTION_WRITE);
}

/* The epoll behind a number, 0 when it is none. */
static uint32_t kernel_find_epoll(const struct kernel *k, uint32_t description)
{
    const struct description *self = description_at(k, description);

    return self->type == DESCRIPTION_EPOLL ? self->body : 0;
}

int kernel_epoll_ctl(struct kernel *k, uint32_t process, int epoll, enum os_ctl op, int fd,
                     uint32_t events, uint64_t data)
{
    uint32_t holder = table_get(k, process, epoll);
    uint32_t target = table_get(k, process, fd);

    if (holder == 0 || target == 0)
        return -EBADF;
    if (holder == target || kernel_find_epoll(k, holder) == 0)
        return -EINVAL;
    return epoll_control(k, kernel_find_epoll(k, holder), op, (uint32_t)fd, target, events, data);
}

int kernel_epoll_wait(struct kernel *k, uint32_t process, int epoll, struct os_event *ret_events,
                      int max, struct instant deadline)
{
    uint32_t holder = table_get(k, process, epoll);
    int code;
    int count;

    if (max <= 0)
        return -EINVAL;
    if (holder == 0)
        return -EBADF;
    if (kernel_find_epoll(k, holder) == 0)
        return -EINVAL;
    do {
        count = epoll_collect(k, kernel_find_epoll(k, holder), ret_events, max);
        if (count > 0)
            return count;
        code = clock_wait(k, process, deadline);
    } while (code > 0);
    return code;
}

static int kernel_poll_once(struct kernel *k, uint32_t process, struct kernel_poll *entries,
                            uint32_t count)
{
    int found = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct kernel_poll *entry = &entries[i];
        uint32_t handle = table_get(k, process, entry->fd);

        entry->found = 0;
        if (handle != 0)
            entry->found = description_level(k, handle, entry->asked) &
                           (entry->asked | OS_ERR | OS_HUP);
        else if (entry->fd >= 0)
            entry->found = KERNEL_NVAL;
        found += entry->found != 0;
    }
    return found;
}

int kernel_poll(struct kernel *k, uint32_t process, struct kernel_poll *entries, uint32_t count,
                struct instant deadline)
{
    int found;
    int code;

    do {
        found = kernel_poll_once(k, process, entries, count);
        if (found > 0)
            return found;
        code = clock_wait(k, process, deadline);
    } while (code > 0);
    return code;
}
