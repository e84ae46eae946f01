/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BREAKING_FAILING_H
#define EDGEWISE_TESTS_BREAKING_FAILING_H

/*
 * failing.so, for LD_PRELOAD, stands between the program and the C library: it counts the calls of
 * each function below and makes one of them fail. What it is to do, and what it saw, is a sheet in
 * a file that the environment variable EDGEWISE_FAILING names; all processes of the program share
 * it. The sut is left alone: its processes are 1 and 2 of a PID namespace.
 */

#include <stdatomic.h>
#include <stdint.h>

#define FAILING_SHEET "EDGEWISE_FAILING"

/* X(function, an errno that it may well give) */
#define FAILING_FUNCTIONS(X)                                                                       \
    X(socket, EMFILE)                                                                              \
    X(socketpair, EMFILE)                                                                          \
    X(pipe2, EMFILE)                                                                               \
    X(bind, EADDRINUSE)                                                                            \
    X(connect, ENETUNREACH)                                                                        \
    X(listen, EADDRINUSE)                                                                          \
    X(shutdown, ENOBUFS)                                                                           \
    X(setsockopt, ENOPROTOOPT)                                                                     \
    X(getsockopt, ENOPROTOOPT)                                                                     \
    X(getsockname, ENOBUFS)                                                                        \
    X(send, ENOBUFS)                                                                               \
    X(sendmsg, ENOBUFS)                                                                            \
    X(recv, ENOMEM)                                                                                \
    X(recvmsg, ENOMEM)                                                                             \
    X(ioctl, EPERM)                                                                                \
    X(poll, ENOMEM)                                                                                \
    X(ppoll, ENOMEM)                                                                               \
    X(open, EMFILE)                                                                                \
    X(openat, ENOSPC)                                                                              \
    X(mkdir, EROFS)                                                                                \
    X(mkdirat, EROFS)                                                                              \
    X(linkat, ENOSPC)                                                                              \
    X(renameat, ENOSPC)                                                                            \
    X(unlinkat, EROFS)                                                                             \
    X(read, EIO)                                                                                   \
    X(write, ENOSPC)                                                                               \
    X(writev, ENOSPC)                                                                              \
    X(fcntl, EMFILE)                                                                               \
    X(fstat, ENOMEM)                                                                               \
    X(stat, EACCES)                                                                                \
    X(fopen, EMFILE)                                                                               \
    X(fdopen, ENOMEM)                                                                              \
    X(fwrite, ENOSPC)                                                                              \
    X(fflush, ENOSPC)                                                                              \
    X(mmap, ENOMEM)                                                                                \
    X(fork, EAGAIN)                                                                                \
    X(waitpid, EINTR)                                                                              \
    X(syscall, EPERM)                                                                              \
    X(unshare, EPERM)                                                                              \
    X(setns, EPERM)                                                                                \
    X(signalfd, EMFILE)                                                                            \
    X(eventfd, EMFILE)                                                                             \
    X(timerfd_create, EMFILE)                                                                      \
    X(timerfd_settime, EINVAL)                                                                     \
    X(epoll_create1, EMFILE)                                                                       \
    X(epoll_ctl, ENOSPC)                                                                           \
    X(clock_nanosleep, EINVAL)                                                                     \
    X(sched_getaffinity, EINVAL)                                                                   \
    X(sched_setaffinity, EINVAL)                                                                   \
    X(sched_setscheduler, EPERM)                                                                   \
    X(prctl, EPERM)                                                                                \
    X(getrandom, EAGAIN)                                                                           \
    X(sigaction, EINVAL)

enum failing_function {
#define FAILING_NAME(name, error) FAILING_##name,
    FAILING_FUNCTIONS(FAILING_NAME)
#undef FAILING_NAME
    FAILING_COUNT
};

#define FAILING_WHAT_BYTES 160

struct failing_sheet {
    enum failing_function function; /* which is to fail ... */
    uint32_t nth;                   /* ... at which call of it, from 1; 0: none is */
    int32_t error;                  /* with this errno */
    _Atomic uint32_t counts[FAILING_COUNT];
    _Atomic uint32_t failed;         /* how many were made to fail */
    _Atomic int32_t pid;             /* the process whose call it was */
    char what[FAILING_WHAT_BYTES];   /* the call: "setsockopt 263 8", "open /proc/..." */
};

#endif
