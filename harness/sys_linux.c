/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sys_linux.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

static int checked(int result)
{
    return result < 0 ? -errno : result;
}

static long checked_size(ssize_t result)
{
    return result < 0 ? -errno : (long)result;
}

static struct timespec to_timespec(int64_t ns)
{
    assert(ns >= 0);
    return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

static struct instant kernel_now(void *self)
{
    (void)self;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (struct instant){now.tv_sec * NS_PER_S + now.tv_nsec};
}

static int kernel_sleep_until(void *self, struct instant deadline)
{
    (void)self;
    if (deadline.ns <= 0)
        return 0;

    struct timespec until = to_timespec(deadline.ns);
    int error;
    do
        error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    while (error == EINTR);
    return -error;
}

/* What is left until `deadline` as the argument of a wait: NULL is for ever. */
static const struct timespec *time_left(struct instant deadline, struct timespec *room)
{
    if (instant_equal(deadline, INSTANT_NEVER))
        return NULL;

    int64_t ns = 0;
    if (!instant_equal(deadline, INSTANT_PAST))
        ns = instant_since(deadline, kernel_now(NULL)).ns;
    *room = to_timespec(ns > 0 ? ns : 0);
    return room;
}

static int kernel_socket(void *self, int domain, int type, int protocol)
{
    const struct sys_linux *kernel = self;

    type |= SOCK_NONBLOCK;
    if (kernel->space != NULL)
        return space_socket(kernel->space, domain, type, protocol, NULL);
    return checked(socket(domain, type | SOCK_CLOEXEC, protocol));
}

static int kernel_pipe(void *self, int ret_ends[2])
{
    (void)self;
    return checked(pipe2(ret_ends, O_NONBLOCK | O_CLOEXEC));
}

static int kernel_dup(void *self, int fd)
{
    (void)self;
    return checked(fcntl(fd, F_DUPFD_CLOEXEC, 0));
}

static int kernel_close(void *self, int fd)
{
    (void)self;
    return checked(close(fd));
}

static long kernel_inode(void *self, int fd)
{
    (void)self;
    struct stat about;

    if (fstat(fd, &about) < 0)
        return -errno;
    if (about.st_ino == 0 || about.st_ino > UINT32_MAX)
        return -EOVERFLOW;
    return (long)about.st_ino;
}

static int kernel_bind(void *self, int fd, const struct sockaddr *address, socklen_t length)
{
    (void)self;
    return checked(bind(fd, address, length));
}

static int kernel_listen(void *self, int fd, int backlog)
{
    (void)self;
    return checked(listen(fd, backlog));
}

static int kernel_accept(void *self, int fd)
{
    (void)self;
    return checked(accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

static int kernel_connect(void *self, int fd, const struct sockaddr *address, socklen_t length)
{
    (void)self;
    return checked(connect(fd, address, length));
}

static int kernel_shutdown(void *self, int fd, int how)
{
    (void)self;
    return checked(shutdown(fd, how));
}

static int kernel_getsockname(void *self, int fd, struct sockaddr_storage *ret_address,
                              socklen_t *ret_length)
{
    (void)self;
    socklen_t length = sizeof(*ret_address);

    if (getsockname(fd, (struct sockaddr *)ret_address, &length) < 0)
        return -errno;
    *ret_length = length;
    return 0;
}

static int kernel_setsockopt(void *self, int fd, int level, int name, const void *value,
                             socklen_t length)
{
    (void)self;
    return checked(setsockopt(fd, level, name, value, length));
}

static int kernel_getsockopt(void *self, int fd, int level, int name, void *value,
                             socklen_t *length)
{
    (void)self;
    return checked(getsockopt(fd, level, name, value, length));
}

static long kernel_send(void *self, int fd, const void *bytes, size_t size, int flags)
{
    (void)self;
    return checked_size(send(fd, bytes, size, flags | MSG_NOSIGNAL));
}

static long kernel_recv(void *self, int fd, void *bytes, size_t size, int flags)
{
    (void)self;
    return checked_size(recv(fd, bytes, size, flags));
}

/* write(2) has no MSG_NOSIGNAL, so the signal is held back, and taken if it was this write's. */
static long kernel_write(void *self, int fd, const void *bytes, size_t size)
{
    (void)self;
    sigset_t broken_pipe, before, pending;
    (void)sigemptyset(&broken_pipe);
    (void)sigaddset(&broken_pipe, SIGPIPE);
    (void)pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    (void)sigpending(&pending);

    long result = checked_size(write(fd, bytes, size));

    if (result == -EPIPE && !sigismember(&pending, SIGPIPE))
        (void)sigtimedwait(&broken_pipe, NULL, &(struct timespec){0});
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}

static long kernel_read(void *self, int fd, void *bytes, size_t size)
{
    (void)self;
    return checked_size(read(fd, bytes, size));
}

static long counted(int fd, unsigned long request)
{
    int count = 0;

    return ioctl(fd, request, &count) < 0 ? -errno : count;
}

static long kernel_unread(void *self, int fd)
{
    (void)self;
    return counted(fd, FIONREAD);
}

static long kernel_unacked(void *self, int fd)
{
    (void)self;
    return counted(fd, SIOCOUTQ);
}

static int kernel_poll(void *self, struct pollfd *entries, unsigned count, struct instant deadline)
{
    (void)self;
    struct timespec room;

    return checked(ppoll(entries, count, time_left(deadline, &room), NULL));
}

static int kernel_epoll_create(void *self)
{
    (void)self;
    return checked(epoll_create1(EPOLL_CLOEXEC));
}

static int kernel_epoll_ctl(void *self, int epoll, int op, int fd, const struct epoll_event *event)
{
    (void)self;
    struct epoll_event copy = event != NULL ? *event : (struct epoll_event){0};

    return checked(epoll_ctl(epoll, op, fd, &copy));
}

static int kernel_epoll_wait(void *self, int epoll, struct epoll_event *ret_events, int max,
                             struct instant deadline)
{
    (void)self;
    struct timespec room;

    assert(max >= 1);
    assert(max <= SYS_EVENTS_MAX);
    return checked(epoll_pwait2(epoll, ret_events, max, time_left(deadline, &room), NULL));
}

static int kernel_eventfd(void *self, unsigned value)
{
    (void)self;
    return checked(eventfd(value, EFD_NONBLOCK | EFD_CLOEXEC));
}

static int kernel_dup_onto(void *self, int fd, int onto)
{
    (void)self;
    return checked(dup3(fd, onto, O_CLOEXEC));
}

static int kernel_timerfd(void *self)
{
    (void)self;
    return checked(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC));
}

/* The kernel takes 0 for "not at all", and has no time before it. */
static int kernel_timerfd_set(void *self, int fd, struct instant first, struct duration period)
{
    (void)self;
    struct itimerspec when = {0};

    if (!instant_equal(first, INSTANT_NEVER)) {
        when.it_value = to_timespec(first.ns > 0 ? first.ns : 1);
        when.it_interval = to_timespec(period.ns);
    }
    return checked(timerfd_settime(fd, TFD_TIMER_ABSTIME, &when, NULL));
}

static int kernel_fifo(void *self, const char *path, int writes)
{
    (void)self;
    if (mkfifo(path, S_IRUSR | S_IWUSR) < 0 && errno != EEXIST)
        return -errno;
    return checked(open(path, (writes ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_CLOEXEC));
}

static const struct sys_ops ops = {
    .now = kernel_now,
    .sleep_until = kernel_sleep_until,
    .socket = kernel_socket,
    .pipe = kernel_pipe,
    .dup = kernel_dup,
    .close = kernel_close,
    .inode = kernel_inode,
    .bind = kernel_bind,
    .listen = kernel_listen,
    .accept = kernel_accept,
    .connect = kernel_connect,
    .shutdown = kernel_shutdown,
    .getsockname = kernel_getsockname,
    .setsockopt = kernel_setsockopt,
    .getsockopt = kernel_getsockopt,
    .send = kernel_send,
    .recv = kernel_recv,
    .write = kernel_write,
    .read = kernel_read,
    .unread = kernel_unread,
    .unacked = kernel_unacked,
    .poll = kernel_poll,
    .epoll_create = kernel_epoll_create,
    .epoll_ctl = kernel_epoll_ctl,
    .epoll_wait = kernel_epoll_wait,
    .eventfd = kernel_eventfd,
    .dup_onto = kernel_dup_onto,
    .timerfd = kernel_timerfd,
    .timerfd_set = kernel_timerfd_set,
    .fifo = kernel_fifo,
};

struct sys sys_linux_open(struct sys_linux *ret_kernel, const struct space *space)
{
    assert(space == NULL || space->fd >= 0);
    *ret_kernel = (struct sys_linux){.space = space};
    return (struct sys){.ops = &ops, .self = ret_kernel};
}

struct instant sys_linux_now(void)
{
    struct sys_linux kernel;

    return sys_now(sys_linux_open(&kernel, NULL));
}
