/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/breaking/failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct failing_sheet *failing_sheet;

/* By system calls of its own: the functions of these names are the ones below. */
__attribute__((constructor)) static void failing_begin(void)
{
    const char *path = getenv(FAILING_SHEET);
    int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    void *(*real_mmap)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
    int fd = path ? real_open(path, O_RDWR | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    struct failing_sheet *sheet = real_mmap(NULL, sizeof(*sheet), PROT_READ | PROT_WRITE,
                                            MAP_SHARED, fd, 0);
    (void)close(fd);
    if (sheet != MAP_FAILED)
        failing_sheet = sheet;
}

/* Counts a call; true when it is the one that is to fail. */
__attribute__((format(printf, 2, 3))) static bool failing_now(enum failing_function function,
                                                              const char *format, ...)
{
    struct failing_sheet *sheet = failing_sheet;
    int before = errno;
    va_list arguments;

    if (!sheet || getpid() <= 2)
        return false;
    uint32_t number = atomic_fetch_add(&sheet->counts[function], 1) + 1;
    if (function != sheet->function || number != sheet->nth)
        return false;
    va_start(arguments, format);
    (void)vsnprintf(sheet->what, sizeof(sheet->what), format, arguments);
    va_end(arguments);
    atomic_store(&sheet->pid, getpid());
    atomic_fetch_add(&sheet->failed, 1);
    errno = before;
    return true;
}

static int failing_error(void)
{
    errno = failing_sheet->error;
    return -1;
}

/* The C library's own. */
#define REAL(name)                                                                                 \
    static __typeof__(&name) real;                                                                 \
    if (!real)                                                                                     \
        real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* FAILING(result type, function, parameters, arguments, value of failure, how to tell the call) */
#define FAILING(type, name, parameters, arguments, value, ...)                                     \
    type name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        if (failing_now(FAILING_##name, #name " " __VA_ARGS__)) {                                  \
            (void)failing_error();                                                                 \
            return value;                                                                          \
        }                                                                                          \
        return real arguments;                                                                     \
    }

FAILING(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1, "%d %d",
        domain, type & 0xff)
FAILING(int, socketpair, (int domain, int type, int protocol, int ends[2]),
        (domain, type, protocol, ends), -1, "%d %d", domain, type & 0xff)
FAILING(int, pipe2, (int ends[2], int flags), (ends, flags), -1, "%d", flags)
FAILING(int, bind, (int fd, const struct sockaddr *address, socklen_t length),
        (fd, address, length), -1, "%d", address->sa_family)
FAILING(int, connect, (int fd, const struct sockaddr *address, socklen_t length),
        (fd, address, length), -1, "%d", address->sa_family)
FAILING(int, listen, (int fd, int backlog), (fd, backlog), -1, "%d", backlog)
FAILING(int, shutdown, (int fd, int how), (fd, how), -1, "%d", how)
FAILING(int, setsockopt, (int fd, int level, int name, const void *value, socklen_t length),
        (fd, level, name, value, length), -1, "%d %d", level, name)
FAILING(int, getsockopt, (int fd, int level, int name, void *value, socklen_t *length),
        (fd, level, name, value, length), -1, "%d %d", level, name)
FAILING(int, getsockname, (int fd, struct sockaddr *address, socklen_t *length),
        (fd, address, length), -1, "%d", fd)
FAILING(ssize_t, send, (int fd, const void *bytes, size_t size, int flags),
        (fd, bytes, size, flags), -1, "%zu", size)
FAILING(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags),
        -1, "%d", flags)
FAILING(ssize_t, recv, (int fd, void *bytes, size_t size, int flags), (fd, bytes, size, flags), -1,
        "%zu %d", size, flags)
FAILING(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags), -1,
        "%d", flags)
FAILING(int, poll, (struct pollfd * entries, nfds_t count, int limit), (entries, count, limit), -1,
        "%lu %d", (unsigned long)count, limit)
FAILING(int, ppoll,
        (struct pollfd * entries, nfds_t count, const struct timespec *limit, const sigset_t *mask),
        (entries, count, limit, mask), -1, "%lu", (unsigned long)count)
FAILING(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, "%s", path)
FAILING(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), -1, "%s", path)
FAILING(int, linkat, (int fd, const char *path, int to, const char *name, int flags),
        (fd, path, to, name, flags), -1, "%s", name)
FAILING(int, renameat, (int fd, const char *path, int to, const char *name), (fd, path, to, name),
        -1, "%s", name)
FAILING(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), -1, "%s", path)
FAILING(ssize_t, read, (int fd, void *bytes, size_t size), (fd, bytes, size), -1, "%zu", size)
FAILING(ssize_t, write, (int fd, const void *bytes, size_t size), (fd, bytes, size), -1, "%d", fd)
FAILING(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), -1,
        "%d", fd)
FAILING(int, fstat, (int fd, struct stat *about), (fd, about), -1, "%d", fd)
FAILING(int, stat, (const char *path, struct stat *about), (path, about), -1, "%s", path)
FAILING(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, "%s %s", path,
        mode)
FAILING(FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL, "%s", mode)
FAILING(void *, mmap, (void *at, size_t size, int rights, int flags, int fd, off_t offset),
        (at, size, rights, flags, fd, offset), MAP_FAILED, "%d", flags)
FAILING(pid_t, fork, (void), (), -1, "%s", "")
FAILING(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), -1, "%d",
        options)
FAILING(int, unshare, (int flags), (flags), -1, "%#x", (unsigned)flags)
FAILING(int, setns, (int fd, int flags), (fd, flags), -1, "%#x", (unsigned)flags)
FAILING(int, signalfd, (int fd, const sigset_t *set, int flags), (fd, set, flags), -1, "%d", flags)
FAILING(int, eventfd, (unsigned value, int flags), (value, flags), -1, "%u", value)
FAILING(int, timerfd_create, (clockid_t clock, int flags), (clock, flags), -1, "%d", flags)
FAILING(int, timerfd_settime,
        (int fd, int flags, const struct itimerspec *when, struct itimerspec *before),
        (fd, flags, when, before), -1, "%d", flags)
FAILING(int, epoll_create1, (int flags), (flags), -1, "%d", flags)
FAILING(int, epoll_ctl, (int epoll, int op, int fd, struct epoll_event *event),
        (epoll, op, fd, event), -1, "%d", op)
FAILING(int, clock_nanosleep,
        (clockid_t clock, int flags, const struct timespec *until, struct timespec *left),
        (clock, flags, until, left), failing_sheet->error, "%d", flags)
FAILING(int, sched_getaffinity, (pid_t pid, size_t size, cpu_set_t *set), (pid, size, set), -1,
        "%d", pid)
FAILING(int, sched_setaffinity, (pid_t pid, size_t size, const cpu_set_t *set), (pid, size, set),
        -1, "%d", pid)
FAILING(int, sched_setscheduler, (pid_t pid, int policy, const struct sched_param *param),
        (pid, policy, param), -1, "%d", policy)
FAILING(ssize_t, getrandom, (void *bytes, size_t size, unsigned flags), (bytes, size, flags), -1,
        "%zu", size)
FAILING(int, sigaction, (int number, const struct sigaction *action, struct sigaction *before),
        (number, action, before), -1, "%d", number)

/* Streams in memory are no file: only libpcap's count. */
static bool failing_is_pcap(const void *caller)
{
    Dl_info about;

    return dladdr(caller, &about) != 0 && about.dli_fname && strstr(about.dli_fname, "libpcap");
}

/* A stream that could not be written says so ever after. */
static void failing_mark(FILE *stream)
{
#ifdef __GLIBC__
    stream->_flags |= 0x20; /* _IO_ERR_SEEN */
#endif
    (void)failing_error();
}

size_t fwrite(const void *bytes, size_t size, size_t count, FILE *stream)
{
    REAL(fwrite);
    if (!failing_is_pcap(__builtin_return_address(0)) ||
        !failing_now(FAILING_fwrite, "fwrite %zu", size * count))
        return real(bytes, size, count, stream);
    failing_mark(stream);
    return 0;
}

int fflush(FILE *stream)
{
    REAL(fflush);
    if (!failing_is_pcap(__builtin_return_address(0)) || !failing_now(FAILING_fflush, "fflush"))
        return real(stream);
    failing_mark(stream);
    return EOF;
}

/* Those with one more argument or none; more than one word never follows but for system calls. */
static unsigned long failing_word(va_list arguments)
{
    return va_arg(arguments, unsigned long);
}

#define FAILING_WITH_WORD(name, parameters, last, arguments, ...)                                  \
    int name parameters                                                                            \
    {                                                                                              \
        va_list rest;                                                                              \
        REAL(name);                                                                                \
        va_start(rest, last);                                                                      \
        unsigned long word = failing_word(rest);                                                   \
        va_end(rest);                                                                              \
        if (failing_now(FAILING_##name, #name " " __VA_ARGS__))                                    \
            return failing_error();                                                                \
        return real arguments;                                                                     \
    }

FAILING_WITH_WORD(open, (const char *path, int flags, ...), flags, (path, flags, (mode_t)word),
                  "%s", path)
FAILING_WITH_WORD(openat, (int fd, const char *path, int flags, ...), flags,
                  (fd, path, flags, (mode_t)word), "%s", path)
FAILING_WITH_WORD(ioctl, (int fd, unsigned long request, ...), request, (fd, request, word),
                  "%#lx", request)
FAILING_WITH_WORD(fcntl, (int fd, int command, ...), command, (fd, command, word), "%d", command)

int prctl(int option, ...)
{
    unsigned long words[4];
    va_list rest;

    REAL(prctl);
    va_start(rest, option);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        words[i] = failing_word(rest);
    va_end(rest);
    if (failing_now(FAILING_prctl, "prctl %d", option))
        return failing_error();
    return real(option, words[0], words[1], words[2], words[3]);
}

long syscall(long number, ...)
{
    long words[6];
    va_list rest;

    REAL(syscall);
    va_start(rest, number);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        words[i] = (long)failing_word(rest);
    va_end(rest);
    /* The kernel has no way to refuse to wake somebody. */
    if (number != SYS_futex && failing_now(FAILING_syscall, "syscall %ld", number))
        return failing_error();
    return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

/* What a fortified build calls in their place. */
int __open_2(const char *path, int flags);
int __openat_2(int fd, const char *path, int flags);
ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room);
ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags);
int __poll_chk(struct pollfd *entries, nfds_t count, int limit, size_t room);
int __ppoll_chk(struct pollfd *entries, nfds_t count, const struct timespec *limit,
                const sigset_t *mask, size_t room);

int __open_2(const char *path, int flags)
{
    return open(path, flags);
}

int __openat_2(int fd, const char *path, int flags)
{
    return openat(fd, path, flags);
}

ssize_t __read_chk(int fd, void *bytes, size_t size, size_t room)
{
    (void)room;
    return read(fd, bytes, size);
}

ssize_t __recv_chk(int fd, void *bytes, size_t size, size_t room, int flags)
{
    (void)room;
    return recv(fd, bytes, size, flags);
}

int __poll_chk(struct pollfd *entries, nfds_t count, int limit, size_t room)
{
    (void)room;
    return poll(entries, count, limit);
}

int __ppoll_chk(struct pollfd *entries, nfds_t count, const struct timespec *limit,
                const sigset_t *mask, size_t room)
{
    (void)room;
    return ppoll(entries, count, limit, mask);
}
