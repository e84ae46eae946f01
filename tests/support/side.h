/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_SIDE_H
#define EDGEWISE_TESTS_SUPPORT_SIDE_H

/* One kernel under a walk: the descriptors that the walk names by slots, and what each step does
 * with them. */

#include <stdbool.h>
#include <stdint.h>

#include "harness/sys.h"
#include "tests/support/walk.h"

enum side_kind {
    NONE,
    TCP,
    LOCAL,
    UDP,
    LOCAL_DATAGRAM,
    PIPE,
    COUNTER,
    TIMER,
    EPOLL,
};

/* One kernel with the descriptors of the walk. */
struct side {
    struct sys sys;
    int fds[WALK_SLOTS];
    enum side_kind kinds[WALK_SLOTS];
    uint16_t port; /* the first of WALK_SLOTS */
    uint8_t pattern;
};

/* What a step needs of its slots. */
enum side_need {
    FREE = 1,     /* a is free */
    TWO_FREE,     /* a and b are */
    FREE_AND_ONE, /* a is free, b is open */
    ONE,          /* a is open */
    TWO,          /* a and b are */
};

/* How often each step is chosen, and what it needs. */
#define SIDE_STEPS(X)                    \
    X(EPOLL, epoll, FREE, 1)             \
    X(PIPE, pipe, TWO_FREE, 2)           \
    X(COUNTER, counter, FREE, 2)         \
    X(SOCKET, socket, FREE, 3)           \
    X(TIMER, timer, FREE, 1)             \
    X(SET_TIMER, set_timer, ONE, 1)      \
    X(BIND, bind, ONE, 2)                \
    X(LISTEN, listen, ONE, 2)            \
    X(CONNECT, connect, ONE, 4)          \
    X(DISSOLVE, dissolve, ONE, 1)        \
    X(ACCEPT, accept, FREE_AND_ONE, 6)   \
    X(DUP, dup, FREE_AND_ONE, 2)         \
    X(DUP_ONTO, dup_onto, TWO, 1)        \
    X(CLOSE, close, ONE, 3)              \
    X(WRITE, write, ONE, 12)             \
    X(SEND_URGENT, send_urgent, ONE, 1)  \
    X(READ, read, ONE, 10)               \
    X(RECV, recv, ONE, 4)                \
    X(PEEK, peek, ONE, 2)                \
    X(RECV_URGENT, recv_urgent, ONE, 1)  \
    X(SHUTDOWN, shutdown, ONE, 3)        \
    X(LINGER, linger, ONE, 1)            \
    X(LOWAT, lowat, ONE, 1)              \
    X(INLINE, inline, ONE, 1)            \
    X(SNDBUF, sndbuf, ONE, 1)            \
    X(NAME, name, ONE, 1)                \
    X(ERROR, error, ONE, 2)              \
    X(UNREAD, unread, ONE, 2)            \
    X(UNACKED, unacked, ONE, 1)          \
    X(LEVEL, level, ONE, 6)              \
    X(ADD, add, TWO, 10)                 \
    X(MOD, mod, TWO, 5)                  \
    X(DEL, del, TWO, 2)                  \
    X(LOOK, look, ONE, 18)

enum side_op {
#define X(name, word, need, weight) SIDE_##name,
    SIDE_STEPS(X)
#undef X
        SIDE_OP_COUNT
};

/* The word of a step, and how often it is chosen. */
const char *side_word(enum side_op op);
unsigned side_weight(enum side_op op);

/* Without descriptors, and with them closed. */
void side_open(struct side *side, struct sys sys, uint16_t port);
void side_close(struct side *side);

/* Takes a step; what it gave, or "-" when its slots do not fit, in WALK_TEXT bytes. */
void side_take(struct side *side, const struct walk_step *step, char *ret_text);
/* Waits until nothing of TCP is on the way. */
void side_settle(struct side *side);

#endif
