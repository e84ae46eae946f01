/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_SIM_KERNEL_SOCKET_H
#define EDGEWISE_SIM_KERNEL_SOCKET_H

/* What every socket has: names, options, a state, an error, what it has received. The types are
 * stream (TCP), local (UNIX streams) and datagram. */

#include "core/instant.h"
#include "sim/kernel/chain.h"
#include "sim/kernel/description.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/watch.h"

/* States of a connection. UNIX sockets and datagrams know CLOSED, LISTEN and ESTABLISHED alone. */
enum socket_state {
    SOCKET_CLOSED,
    SOCKET_LISTEN,
    SOCKET_SYN_SENT,
    SOCKET_ESTABLISHED,
    SOCKET_FIN_WAIT_1,
    SOCKET_FIN_WAIT_2,
    SOCKET_CLOSE_WAIT,
    SOCKET_CLOSING,
    SOCKET_LAST_ACK,
};

/* How far connect() is (E77). */
enum socket_phase {
    SOCKET_UNCONNECTED,
    SOCKET_CONNECTING,
    SOCKET_CONNECTED,
    SOCKET_DISCONNECTING,
};

#define SOCKET_BOTH (KERNEL_SHUT_READ | KERNEL_SHUT_WRITE)

enum socket_flag {
    SOCKET_NO_SPACE = 1 << 0,    /* somebody waits for room to send (E38) */
    SOCKET_DONE = 1 << 1,        /* a FIN has come: a read no longer gives the error (E71) */
    SOCKET_FIN_WAITS = 1 << 2,   /* our FIN stands behind bytes that cannot go yet */
    SOCKET_BOUND = 1 << 3,       /* its address was chosen by bind */
    SOCKET_OOBINLINE = 1 << 4,
    SOCKET_REUSEADDR = 1 << 5,
    SOCKET_RESET_ON_CLOSE = 1 << 6, /* SO_LINGER of 0 */
    SOCKET_URGENT = 1 << 7,      /* urgent_at is a mark ... */
    SOCKET_URGENT_VALID = 1 << 8, /* ... whose byte nobody has read by MSG_OOB */
    SOCKET_HOST_BOUND = 1 << 9,  /* bind chose the host, here or at the listener */
};

struct socket {
    struct kernel_address local;
    struct kernel_address remote;
    struct instant retry; /* SYN_SENT: when to ask again */
    struct chain in;      /* received */
    struct chain out;     /* sent, and not arrived yet */
    struct watch watch;
    uint32_t type;        /* description_type */
    uint32_t description; /* 0: not accepted yet, or closed and still sending */
    uint32_t peer;        /* the other end, or 0 */
    uint32_t parent;      /* the listener in whose queue it stands, or 0 */
    uint32_t queue_after;
    uint32_t queue_first; /* of a listener: connections that nobody has accepted */
    uint32_t queue_last;
    uint32_t queue_length;
    uint32_t backlog;
    uint32_t record_first; /* what `in` consists of; TCP has none */
    uint32_t record_last;
    uint32_t record_count;
    uint32_t state;
    uint32_t phase;
    uint32_t shut; /* kernel_how */
    uint32_t flags;
    int32_t error; /* a positive errno that nobody has been told yet */
    uint32_t sndbuf;
    uint32_t rcvbuf;
    uint32_t lowat;
    uint32_t charged; /* memory of what it sent and nobody has read (records) */
    uint32_t held;    /* memory of what it has received (records) */
    uint32_t urgent_at;   /* in `in` */
    uint32_t urgent_sent; /* in `out`: 1 + its place, 0: none */
    uint32_t urgent_byte;
    uint32_t retries;
};

/* A socket without a description; 0 when all are taken. */
uint32_t socket_new(struct kernel *k, enum description_type type, enum kernel_domain domain);
/* Gives it back with all that it holds; its peer loses it. */
void socket_free(struct kernel *k, uint32_t socket);

/* The socket behind a handle. */
struct socket *socket_at(struct kernel *k, uint32_t socket);
const struct socket *socket_peek(const struct kernel *k, uint32_t socket);

/* Neither a descriptor nor a listener's queue refers to it. */
bool socket_orphan(const struct socket *self);

/* The pending error, which is then no longer pending; 0 or a positive errno. */
int socket_take_error(struct socket *self);

/* kernel_option_set and kernel_option. */
int socket_set(struct kernel *k, uint32_t socket, enum kernel_option option, int value);
int socket_get(struct kernel *k, uint32_t socket, enum kernel_option option, int *ret_value);

/* For the tables of the types. */
struct watch *socket_watch(struct kernel *k, uint32_t socket, uint32_t mode);

/* A listener's queue (E78, E79). */
bool socket_queue_full(const struct socket *listener);
void socket_queue_push(struct kernel *k, uint32_t listener, uint32_t socket);
/* The first, out of the queue; 0 when it is empty. */
uint32_t socket_queue_pop(struct kernel *k, uint32_t listener);

#endif
