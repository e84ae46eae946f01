/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_PEER_H
#define EDGEWISE_HARNESS_PEER_H

/*
 * One far end: connects to the sut, sends the exact bytes of the script, ends as the script says.
 * It has no clock and no loop. The statements of the script only line work up (peer_queue,
 * peer_shutdown, peer_close); peer_push does as much of it, in order, as the kernel takes now.
 * peer_reset alone does not wait. A peer reads only when told, by peer_drain.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "harness/peer_options.h"
#include "harness/script/plan.h"
#include "harness/sys.h"

/* The most bytes one peer keeps of what it got, and the most that wait to be sent. */
#define PEER_BYTES_MAX PLAN_PAYLOAD_MAX

#define PEER_STATES(X)                                                                         \
    X(IDLE, "idle")             /* no connection yet */                                        \
    X(CONNECTING, "connecting") /* asked for; work lines up behind it */                       \
    X(OPEN, "open")             /* sends and gets */                                           \
    X(SHUT, "shut")             /* its FIN is out; still gets */                               \
    X(BROKEN, "broken")         /* refused or reset by the sut; what had arrived can be got */ \
    X(RESET, "reset")           /* its RST is out; no descriptor */                            \
    X(CLOSED, "closed")         /* closed by itself; no descriptor */

enum peer_state {
#define X(name, text) PEER_##name,
    PEER_STATES(X)
#undef X
        PEER_STATE_COUNT
};

enum peer_end {
    PEER_END_READ = 1 << 0,
    PEER_END_WRITE = 1 << 1,
    PEER_END_CLOSE = 1 << 2,
};

/* A byte queue: what is between `taken` and `size` is still in it. */
struct peer_bytes {
    uint8_t *data;
    size_t taken;
    size_t size;
    size_t room;
};

/* Fields are for reading; only the functions below write them. */
struct peer {
    struct sys sys;
    const char *name; /* borrowed, for messages */
    enum plan_family family;
    struct plan_sockets sockets;
    enum peer_state state;
    int fd; /* -1: none */

    struct peer_bytes queue; /* not yet taken by the kernel */
    uint64_t bytes_taken;    /* by the kernel, ever */
    bool full;               /* the last push met a kernel that takes no more at present */
    unsigned ends;           /* enum peer_end bits, lined up behind the queue */
    bool connected;          /* was OPEN once */

    struct peer_bytes received;
    enum plan_saw saw; /* how its read direction ended */
    bool shut_read;    /* by itself: an end there says nothing (E60) */
    bool reset_seen;   /* a send took the error that a read would have shown (E71) */

    struct sockaddr_storage near; /* own address; ss_family 0: none */
    struct sockaddr_storage far;  /* the sut's */
    socklen_t near_length;
    socklen_t far_length;

    const char *failed_call; /* "connect"; NULL: nothing failed */
    int error;               /* positive errno of that call */
};

/* Makes a peer in IDLE. `name` is borrowed; `sockets` (its congestion string too) is read by
 * peer_connect, the struct is copied. Cannot fail; ends with peer_free. */
void peer_open(struct peer *ret_peer, struct sys sys, const char *name, enum plan_family family,
               const struct plan_sockets *sockets);

/* Closes what is open, quietly, and frees. Harmless when called twice. */
void peer_free(struct peer *peer);

/* IPV4, IPV6, UNIX: makes the socket, sets its options, connects. The address is that of the
 * family (-EAFNOSUPPORT otherwise). Leaves the peer OPEN when the sut's kernel answered at once,
 * as it does over a veth, else CONNECTING: peer_push goes on. Errors: -EISCONN if it is not IDLE;
 * the kernel's, after which the peer is BROKEN. */
int peer_connect(struct peer *peer, const struct sockaddr *far, socklen_t length);

/* IPV4, IPV6, UNIX: the address that peer_connect connects from; copied. Errors: -EISCONN,
 * -EAFNOSUPPORT. */
int peer_bind(struct peer *peer, const struct sockaddr *near, socklen_t length);

/* PIPE: takes over the write end of a pipe that the caller made, and is OPEN. Errors: -EISCONN,
 * -EAFNOSUPPORT; the caller keeps `fd` then. */
int peer_adopt(struct peer *peer, int fd);

/* Lines up bytes (copied). Errors: -ENOTCONN before connect, -EPIPE behind an end of writing,
 * -EBADF after close or reset, -ENOBUFS beyond PEER_BYTES_MAX, -ENOMEM. */
int peer_queue(struct peer *peer, const void *bytes, size_t size);

/* Lines up a shutdown behind all bytes. A pipe has only `write`, which closes the end, else
 * -EOPNOTSUPP. Errors: as peer_queue. */
int peer_shutdown(struct peer *peer, enum plan_how how);

/* Lines up close() behind all that is lined up. The kernel goes on sending what it took (E84);
 * but bytes that were not drained turn the FIN into a RST (E67). Nothing may follow. Errors:
 * -EBADF when already closed, closing or reset. */
int peer_close(struct peer *peer);

/* At once: linger 0, close: a RST, and what the kernel still held of ours is dropped (E124).
 * Bytes that wait stay counted by peer_unsent(). TCP only, else -EOPNOTSUPP. Errors: -ENOTCONN
 * before connect, -EBADF after close or reset, the kernel's. */
int peer_reset(struct peer *peer);

/* Goes on: finishes the connect, hands bytes over, then the ends that are lined up, until done
 * or the kernel takes no more. Returns 1 if anything moved, 0 if not, or -errno of the call that
 * failed, once (peer_explain() names it): -ECONNREFUSED, -ECONNRESET, -EPIPE ... leave the peer
 * BROKEN. */
int peer_push(struct peer *peer);

/* Whether peer_push has something left to do, now or when the kernel will take it. */
bool peer_busy(const struct peer *peer);

/* Bytes lined up that the kernel has not taken. */
static inline size_t peer_unsent(const struct peer *peer)
{
    return peer->queue.size - peer->queue.taken;
}

/* Gets all that is there into `received` and notes in `saw` how the direction ended. Returns 1
 * if bytes or an end came, 0 if not, or -errno: -ENOBUFS beyond PEER_BYTES_MAX, -ENOMEM, the
 * kernel's. An end is not an error, and a pipe gets nothing. */
int peer_drain(struct peer *peer);

/* The abstract name of a UNIX socket as an address; -ENAMETOOLONG, -EINVAL when empty. */
int peer_unix_address(const char *name, struct sockaddr_storage *ret_address,
                      socklen_t *ret_length);

/* "c connect: Connection refused"; "" when nothing failed. Always terminates within `size`. */
void peer_explain(const struct peer *peer, char *text, size_t size);

/* Whether a call of the peer failed with an error that nothing the far end does can bring about. */
bool peer_own_fault(const struct peer *peer);

/* "idle", "connecting" ... */
const char *peer_state_name(enum peer_state state);

#endif
