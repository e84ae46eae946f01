/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_DIAG_H
#define EDGEWISE_NETNS_DIAG_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "netns/failure.h"
#include "netns/netlink.h"
#include "netns/space.h"

/* What the kernel knows about a socket, asked from outside by sock_diag(7), about 1.4 us a
 * question. Works for sockets of any process, within one network namespace. */

/* TCP states as the kernel numbers them: DIAG_ESTABLISHED = 1 ... (include/net/tcp_states.h). */
#define DIAG_STATES(X) \
    X(ESTABLISHED, 1)  \
    X(SYN_SENT, 2)     \
    X(SYN_RECV, 3)     \
    X(FIN_WAIT1, 4)    \
    X(FIN_WAIT2, 5)    \
    X(TIME_WAIT, 6)    \
    X(CLOSE, 7)        \
    X(CLOSE_WAIT, 8)   \
    X(LAST_ACK, 9)     \
    X(LISTEN, 10)      \
    X(CLOSING, 11)     \
    X(NEW_SYN_RECV, 12)

enum diag_state {
#define DIAG_STATE_ENTRY(name, number) DIAG_##name = (number),
    DIAG_STATES(DIAG_STATE_ENTRY)
#undef DIAG_STATE_ENTRY
};

#define DIAG_ANY_COOKIE UINT64_MAX

struct diag {
    struct netlink netlink;
};

#define DIAG_NONE ((struct diag){.netlink = NETLINK_NONE})

/* Which TCP socket: its own address first. */
struct diag_key {
    sa_family_t family; /* AF_INET or AF_INET6 */
    uint16_t local_port, remote_port; /* network order */
    uint8_t local[16], remote[16];    /* network order, 4 or 16 bytes used */
    uint64_t cookie; /* DIAG_ANY_COOKIE, or the SO_COOKIE of exactly this socket */
};

/* Counters of one TCP_INFO, exact together at any moment (E121). */
struct diag_counters {
    uint64_t bytes_sent;     /* data only, with repetitions */
    uint64_t bytes_retrans;  /* data only */
    uint64_t bytes_acked;    /* counts our FIN, and the SYN of the side that connected (E120) */
    uint64_t bytes_received; /* counts the other side's FIN (E120) */
    uint32_t notsent_bytes;
    uint32_t unacked_segments;
    uint32_t snd_wnd_bytes;
    uint32_t snd_mss_bytes;
};

struct diag_tcp {
    enum diag_state state;
    uint32_t rqueue; /* unread bytes; a FIN counts 1 (E120). Listener: connections to accept */
    uint32_t wqueue; /* bytes not yet acknowledged; our FIN counts 1. Listener: the backlog */
    uint32_t inode;  /* 0 once no process holds the socket, or before accept */
    uint64_t cookie; /* as SO_COOKIE tells it */
    bool has_counters; /* false without a question for them, and in TIME_WAIT or SYN_RECV */
    struct diag_counters counters;
};

struct diag_unix {
    enum diag_state state; /* ESTABLISHED, LISTEN or CLOSE */
    uint32_t rqueue;       /* unread bytes. Listener: connections to accept */
    uint32_t wqueue;       /* bytes sent and unread by the other side */
    uint32_t peer_inode;   /* 0: no peer, or not accepted yet */
    uint8_t shutdown;      /* bits RCV_SHUTDOWN 1 and SEND_SHUTDOWN 2 */
};

struct diag_listener {
    sa_family_t family;
    uint16_t port;        /* host order */
    uint8_t address[16];  /* network order, 4 or 16 bytes used; all zero: any */
    uint32_t inode;
    uint32_t waiting;     /* connections to accept */
    uint32_t backlog;
};

/* Opens a socket for questions about one namespace. No privilege beyond entering it. The caller
 * closes with diag_close(). */
int diag_open(struct diag *ret_diag, const struct space *space, struct failure *failure);
void diag_close(struct diag *diag);

/* Builds a key from two addresses of one family (AF_INET or AF_INET6, else -EAFNOSUPPORT). */
int diag_key_set(struct diag_key *ret_key, const struct sockaddr *local,
                 const struct sockaddr *remote, uint64_t cookie);

/* Asks for one connection. Returns 1 and the answer, 0 when there is no such socket (the kernel's
 * ENOENT, and also when only a listener would match or another socket has the tuple now: that is
 * a result, not an error), or -errno. counters asks for TCP_INFO too. */
int diag_tcp(struct diag *diag, const struct diag_key *key, bool counters,
             struct diag_tcp *ret_tcp);

/* Asks for one UNIX socket by its inode (fstat on a descriptor of it, or peer_inode). Returns 1
 * and the answer, 0 when there is none, or -errno. */
int diag_unix(struct diag *diag, uint32_t inode, struct diag_unix *ret_unix);

/* Calls found(arg, listener) for each listening TCP socket of both families, until found returns
 * something other than 0, which is returned then; 0 at the end of the list; or -errno. found must
 * not ask the same diag. */
int diag_listeners(struct diag *diag,
                   int (*found)(void *arg, const struct diag_listener *listener), void *arg);

/* "ESTABLISHED", ...; "?" for a number outside of the list. */
const char *diag_state_name(enum diag_state state);

#endif
