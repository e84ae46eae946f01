/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_KERNEL_H
#define EDGEWISE_SIM_KERNEL_KERNEL_H

/*
 * A kernel in one block of memory: descriptors, streams, pipes, datagrams, timers and epoll, as
 * Linux has them, in virtual time. It knows no clock, socket, thread, file or allocator, and keeps
 * no address: a copy of the block is a snapshot, and equal calls on equal blocks give equal blocks.
 *
 * Several processes share one kernel, each with a descriptor table of its own, and one network:
 * what one sends has arrived when its call returns (E118). Every descriptor is nonblocking. Time
 * moves only while somebody sleeps or waits.
 *
 * Calls return >= 0 or -errno. A number is a descriptor of `process`; bits of events are those of
 * core/os.h and KERNEL_PRI. Not modelled: several waits at once on one epoll, urgent data on UNIX
 * sockets, a TCP connection of a socket to itself, and FIN_WAIT and TIME_WAIT, which end at once or
 * never.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/instant.h"
#include "core/os.h"

#define KERNEL_PRI (1 << 7)
/* A mode of an entry, as EPOLLEXCLUSIVE: nobody waits while another waits here, so all it does is
 * to be heard last (E18, E22). */
#define KERNEL_EXCLUSIVE (1 << 9)

/* How many there can be of what: 1 .. 2^20 each, or 0 for none at all. */
#define KERNEL_SIZES(X)                                                    \
    X(processes)                                                           \
    X(descriptors)  /* numbers of one process */                           \
    X(descriptions) /* open file descriptions */                           \
    X(items)        /* registrations in epolls */                          \
    X(epolls)                                                              \
    X(sockets)      /* listeners, and closed ones that still send, too */  \
    X(pipes)                                                               \
    X(counters)     /* eventfds */                                         \
    X(timers)                                                              \
    X(records)      /* writes to UNIX sockets, datagrams, waiting */       \
    X(blocks)       /* of bytes on the way */

struct kernel_config {
#define X(name) uint32_t name;
    KERNEL_SIZES(X)
#undef X
    uint32_t block_size; /* bytes: 16 .. 65536, divisible by 8 */
    uint32_t sndbuf;     /* SO_SNDBUF and SO_RCVBUF of a new socket */
    uint32_t rcvbuf;
    uint32_t freedoms;   /* kernel_freedom; 0: as Linux was measured */
    uint32_t seed;       /* of what is done with them */
};

/* What an adversary does that Linux mostly does not, within what a program may rely on. */
enum kernel_freedom {
    KERNEL_SHUFFLE = 1 << 0,   /* A1: the events of one wait come in any order */
    KERNEL_FEWER = 1 << 1,     /* A2: a wait tells fewer events than it could, at least one */
    KERNEL_MORE = 1 << 2,      /* A3: an entry is told its level without a wake */
    KERNEL_INTERRUPT = 1 << 3, /* A4: a wait that would sleep is interrupted */
    KERNEL_SHORT = 1 << 4,     /* A5: reads and writes of sockets and reads of pipes are short */
    KERNEL_LATE = 1 << 5,      /* A9: time-outs and timers are late */
    KERNEL_ADVERSARY = (1 << 6) - 1,
};

#define KERNEL_COUNT_MAX (UINT32_C(1) << 20)
#define KERNEL_BLOCK_MIN 16
#define KERNEL_BLOCK_MAX 65536

struct kernel;

/* Bytes of a kernel; 0 for a config out of range, or one that needs 2^32 or more. */
size_t kernel_size(const struct kernel_config *config);

/* Makes a kernel of kernel_size(config) bytes at `memory`, which is aligned for a uint64_t and
 * stays the caller's. Its time begins at 1 s. `config` must be in range. */
struct kernel *kernel_init(void *memory, const struct kernel_config *config);

/* A digest of the whole block. */
uint64_t kernel_digest(const struct kernel *k);
/* How many objects are alive, of all kinds: 0 when every descriptor is closed and nothing is on the
 * way any more. */
uint32_t kernel_objects(const struct kernel *k);

/* Time. */

/* Virtual time. */
struct instant kernel_now(const struct kernel *k);
/* Lets time pass until `deadline`, firing what is due on the way. 0, or -EDEADLK for
 * INSTANT_NEVER. */
int kernel_sleep(struct kernel *k, struct instant deadline);
/* When something in the kernel is due next by itself; INSTANT_NEVER. */
struct instant kernel_due(const struct kernel *k);
/* A handled signal for `process`: its next wait that would block is -EINTR (E102). */
void kernel_signal(struct kernel *k, uint32_t process);

/* Descriptors. */

/* A second number, the lowest that is free. -EBADF, -EMFILE. */
int kernel_dup(struct kernel *k, uint32_t process, int fd);
/* As dup2: `fd` also under the number `onto`, whatever that was before. */
int kernel_dup_onto(struct kernel *k, uint32_t process, int fd, int onto);
/* Frees a number; with the last one of a description that is gone, and its items (E4). */
int kernel_close(struct kernel *k, uint32_t process, int fd);
/* Closes all numbers of a process, the lowest first, as its death does. */
void kernel_exit(struct kernel *k, uint32_t process);
/* A duplicate of `fd` in another process, as SCM_RIGHTS makes it. */
int kernel_pass(struct kernel *k, uint32_t process, int fd, uint32_t receiver);
/* A number for what is behind `fd`, as an inode: 1 or more, the same for duplicates. */
long kernel_inode(const struct kernel *k, uint32_t process, int fd);
/* Bytes moved, or what the type of `fd` says; -EINVAL where it has no such call. */
long kernel_read(struct kernel *k, uint32_t process, int fd, void *bytes, size_t size);
long kernel_write(struct kernel *k, uint32_t process, int fd, const void *bytes, size_t size);
/* FIONREAD. */
long kernel_unread(struct kernel *k, uint32_t process, int fd);
/* The bits that poll would give now, asked for `asked`; looking can leave a mark (E38). */
long kernel_level(struct kernel *k, uint32_t process, int fd, uint32_t asked);

/* Pipes, counters, timers. */

/* New descriptors; -EMFILE when the process, -ENFILE when the kernel has no more. ret_ends[0] is
 * read. */
int kernel_pipe(struct kernel *k, uint32_t process, int ret_ends[2]);
/* Opens a FIFO by a name that is not 0; it is there while it is open. -ENXIO for a writer without
 * any reader. */
int kernel_fifo(struct kernel *k, uint32_t process, uint32_t name, bool writes);
/* As kernel_pipe. */
int kernel_eventfd(struct kernel *k, uint32_t process, uint32_t value, bool semaphore);
int kernel_timerfd(struct kernel *k, uint32_t process);
/* Fires at `first` (INSTANT_NEVER: not at all), then each `period` (0: once). */
int kernel_timer_set(struct kernel *k, uint32_t process, int fd, struct instant first,
                     struct duration period);

/* Sockets. */

enum kernel_domain {
    KERNEL_UNSPECIFIED, /* connect: dissolves the connection (E69) */
    KERNEL_IPV4,
    KERNEL_IPV6,
    KERNEL_LOCAL,
    KERNEL_DOMAIN_COUNT,
};

enum kernel_kind {
    KERNEL_STREAM,
    KERNEL_DATAGRAM,
};

#define KERNEL_NAME_MAX 36

/* Bytes that are not used are 0. An IP host of zeros is any host. */
struct kernel_address {
    uint8_t domain;
    uint8_t length; /* of a local name; 0: none, or an IP address */
    uint16_t port;
    uint8_t bytes[KERNEL_NAME_MAX]; /* the host, or an abstract name */
};

enum kernel_flag {
    KERNEL_PEEK = 1 << 0,
    KERNEL_OOB = 1 << 1,
    KERNEL_TRUNC = 1 << 2, /* recv: the whole length of a datagram */
};

enum kernel_how {
    KERNEL_SHUT_READ = 1 << 0,
    KERNEL_SHUT_WRITE = 1 << 1,
};

enum kernel_option {
    KERNEL_ERROR,     /* takes it (E71) */
    KERNEL_SNDBUF,    /* set: doubled, as Linux does */
    KERNEL_RCVBUF,
    KERNEL_RCVLOWAT,
    KERNEL_LINGER,    /* seconds, -1: off. Only 0 makes a difference: a reset */
    KERNEL_OOBINLINE,
    KERNEL_REUSEADDR,
    KERNEL_OPTION_COUNT,
};

/* A new socket; errors as above, and -EAFNOSUPPORT. */
int kernel_socket(struct kernel *k, uint32_t process, enum kernel_domain domain,
                  enum kernel_kind kind);
/* As the system calls of these names, for nonblocking sockets: their errors, too. */
int kernel_bind(struct kernel *k, uint32_t process, int fd, const struct kernel_address *address);
int kernel_listen(struct kernel *k, uint32_t process, int fd, int backlog);
int kernel_accept(struct kernel *k, uint32_t process, int fd);
int kernel_connect(struct kernel *k, uint32_t process, int fd,
                   const struct kernel_address *address);
int kernel_shutdown(struct kernel *k, uint32_t process, int fd, unsigned how);
int kernel_name(const struct kernel *k, uint32_t process, int fd,
                struct kernel_address *ret_address);
/* Whom a connection was made with, also when that is gone; its name is empty if it had none.
 * -ENOTCONN. */
int kernel_remote(const struct kernel *k, uint32_t process, int fd,
                  struct kernel_address *ret_address);
/* Bytes that the other end of a connection has not read. -ENOTCONN when there is no other end. */
long kernel_remote_unread(struct kernel *k, uint32_t process, int fd);
/* As kernel_bind. */
int kernel_option_set(struct kernel *k, uint32_t process, int fd, enum kernel_option option,
                      int value);
int kernel_option(struct kernel *k, uint32_t process, int fd, enum kernel_option option,
                  int *ret_value);
long kernel_send(struct kernel *k, uint32_t process, int fd, const void *bytes, size_t size,
                 unsigned flags);
long kernel_recv(struct kernel *k, uint32_t process, int fd, void *bytes, size_t size,
                 unsigned flags);
/* Bytes, of kernel memory on UNIX sockets, that the other side has not taken over (SIOCOUTQ). */
long kernel_unacked(const struct kernel *k, uint32_t process, int fd);

/* Epoll. */

/* As epoll_create1 and epoll_ctl; `events` has modes too. */
int kernel_epoll(struct kernel *k, uint32_t process);
int kernel_epoll_ctl(struct kernel *k, uint32_t process, int epoll, enum os_ctl op, int fd,
                     uint32_t events, uint64_t data);
/* As os_wait. -EDEADLK when `deadline` is INSTANT_NEVER and nothing in this kernel can end the wait
 * by itself: it is somebody else's turn. */
int kernel_epoll_wait(struct kernel *k, uint32_t process, int epoll, struct os_event *ret_events,
                      int max, struct instant deadline);

struct kernel_poll {
    int fd; /* negative: left out */
    uint32_t asked;
    uint32_t found; /* KERNEL_NVAL for a number that is not open */
};

#define KERNEL_NVAL (1 << 8)

/* As poll; -EDEADLK as above. */
int kernel_poll(struct kernel *k, uint32_t process, struct kernel_poll *entries, uint32_t count,
                struct instant deadline);

#endif
