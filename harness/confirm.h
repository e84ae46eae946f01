/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CONFIRM_H
#define EDGEWISE_HARNESS_CONFIRM_H

/*
 * Has what a peer did arrived in the sut's kernel? Under lock-step the sut is granted a turn only
 * when the answer is yes, or when the sut itself stands in the way. The answers come from
 * sock_diag, from outside, and from FIONREAD on the write end of a pipe (E118-E121). Nothing here
 * waits: the conductor repeats { peer_push; confirm_check } for all peers, up to a limit, while one
 * of them is PENDING.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/peer.h"
#include "netns/diag.h"

enum confirm_answer {
    CONFIRM_DONE,    /* all that was lined up has arrived, or can no longer arrive */
    CONFIRM_PENDING, /* on its way, or the kernel would take more: push and ask again */
    CONFIRM_BLOCKED, /* the rest waits for the sut to read, or to accept */
};

#define CONFIRM_MISSINGS(X)                                     \
    X(NOTHING, "nothing")                                       \
    X(CONNECT, "the connection")                                \
    X(BYTES, "bytes")                                           \
    X(ACK, "an acknowledgement")                                \
    X(END, "the end of its writing")                            \
    X(RST, "its reset")

enum confirm_missing {
#define X(name, text) CONFIRM_MISSING_##name,
    CONFIRM_MISSINGS(X)
#undef X
        CONFIRM_MISSING_COUNT
};

/* The account of one peer: what identifies the sut's side, and what the last check found. */
struct confirm {
    const struct peer *peer; /* borrowed */
    int (*look)(struct confirm *confirm, uint64_t sut_read); /* in the kernel that it is in */
    bool (*crowded)(void *arg, int fd); /* at once: see below */
    void *arg;
    struct diag *sut;        /* asks the sut's namespace; borrowed */
    struct diag *near;       /* asks the peer's namespace; borrowed */
    uint64_t cookie;         /* of the sut's socket; DIAG_ANY_COOKIE until it was seen */
    enum confirm_missing missing;
    uint64_t arrived;     /* bytes */
    enum diag_state seen; /* state of the sut's side; 0: no such socket */
};

/* Starts the account of a peer. For a UNIX peer, whose socket is in the sut's namespace, and for
 * a pipe `near` is not used and may be NULL; a pipe needs neither. Nothing to close. */
void confirm_open(struct confirm *ret_confirm, const struct peer *peer, struct diag *sut,
                  struct diag *near);

/* The same in a kernel where what a call took has arrived when the call returns, unless there is no
 * room for it. `crowded` tells whether the listener that TCP socket `fd` calls has none: otherwise
 * only time is missing. */
void confirm_open_at_once(struct confirm *ret_confirm, const struct peer *peer,
                          bool (*crowded)(void *arg, int fd), void *arg);

/* Looks once. `sut_read` is how many bytes the sut has read from this peer, as its journal says;
 * it matters for UNIX and pipe, and must then be at rest. A peer that never connected is DONE.
 * When the sut has closed its end, the kernel's answer to anything further is a RST, so no
 * socket means DONE. Returns enum confirm_answer or -errno. Ask at least once while the peer is
 * OPEN, before the sut can have closed: that look keeps the cookie. */
int confirm_check(struct confirm *confirm, uint64_t sut_read);

/* What sock_diag says about one TCP connection. */
struct confirm_view {
    bool has_sut;      /* the sut's side, by its cookie once that is known */
    struct diag_tcp sut;
    bool is_whole;     /* false: the rest was not asked for, which is enough for most DONEs */
    bool has_sender;   /* the peer's side, also after its close */
    struct diag_tcp sender;
    bool listener_is_full; /* of the port that the peer connects to */
};

/* The judgement behind confirm_check for TCP, on the view and the peer alone. PENDING from a view
 * that is not whole means "ask for the rest". */
enum confirm_answer confirm_judge(struct confirm *confirm, const struct confirm_view *view);

/* What the last check missed: "c: 5 of 9 bytes arrived; the sut's side is ESTABLISHED". "c:
 * nothing is missing" after DONE. Always terminates within `size`. */
void confirm_explain(const struct confirm *confirm, char *text, size_t size);

#endif
