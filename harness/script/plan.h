/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_PLAN_H
#define EDGEWISE_HARNESS_SCRIPT_PLAN_H

/*
 * A scenario as data, ready to run: what the parser makes of one script, and the only thing that
 * the conductor, the sut and the ledgers know of it. Every node keeps the line it came from. All
 * memory belongs to the plan and goes with plan_free.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/reactor.h"

/* Bounds of one script. */
#define PLAN_PEERS_MAX 64
#define PLAN_STATEMENTS_MAX 100000
#define PLAN_PAYLOAD_MAX (UINT64_C(64) << 20) /* bytes of all payloads together */

#define PLAN_FAMILIES(X) \
    X(IPV4, "ipv4")      \
    X(IPV6, "ipv6")      \
    X(UNIX, "unix")      \
    X(PIPE, "pipe")

enum plan_family {
#define X(name, text) PLAN_##name,
    PLAN_FAMILIES(X)
#undef X
        PLAN_FAMILY_COUNT
};

/* Where in the script something stands; column counts bytes from 1. */
struct plan_place {
    uint32_t line;
    uint32_t column;
};

struct plan_bytes {
    const uint8_t *data; /* NULL when size is 0 */
    size_t size;
};

/* A peer: the far end of one connection. Its index in plan.peers is its number everywhere. */
struct plan_peer {
    const char *name;
    struct plan_place place;
};

/* "No peer": a statement about the sut or the bench as a whole. */
#define PLAN_NOBODY UINT32_MAX

#define PLAN_VERBS(X)                                                                              \
    X(CONNECT, "connect")       /* peer */                                                         \
    X(SEND, "send")             /* peer, bytes */                                                  \
    X(SHUTDOWN, "shutdown")     /* peer, how */                                                    \
    X(RESET, "reset")           /* peer: linger 0, close */                                        \
    X(CLOSE, "close")           /* peer */                                                         \
    X(CONSUME, "consume")       /* sut: the application gives `count` frames of `peer` back */     \
    X(RUN, "run")               /* sut: this instant grants `rounds` or `quanta` instead of all */ \
    X(HOLD, "hold")             /* sut: no grant until go */                                       \
    X(GO, "go")                 /* sut */                                                          \
    X(FAULT, "fault")           /* sut: the rule `fault` from now on */                            \
    X(WAIT_UNTIL, "wait-until") /* the bench: no later statement before `condition` holds */

enum plan_verb {
#define X(name, text) PLAN_##name,
    PLAN_VERBS(X)
#undef X
        PLAN_VERB_COUNT
};

#define PLAN_HOWS(X)     \
    X(WRITE, "write")    \
    X(READ, "read")      \
    X(BOTH, "both")

enum plan_how {
#define X(name, text) PLAN_HOW_##name,
    PLAN_HOWS(X)
#undef X
        PLAN_HOW_COUNT
};

/* What a fault does to a call of the sut's os table. */
#define PLAN_FAULTS(X)                                                                 \
    X(ERRNO, "errno") /* read, accept: fails with `error`, nothing happens */          \
    X(SHORT, "short") /* read: asks for at most `bytes` */                             \
    X(HOLD, "hold")   /* wait: keeps a fetched notice of `peer` until its descriptor   \
                         number belongs to another source (R-ID-07) */

enum plan_fault_kind {
#define X(name, text) PLAN_FAULT_##name,
    PLAN_FAULTS(X)
#undef X
        PLAN_FAULT_COUNT
};

#define PLAN_CALLS(X)   \
    X(READ, "read")     \
    X(ACCEPT, "accept") \
    X(WAIT, "wait")

enum plan_call {
#define X(name, text) PLAN_CALL_##name,
    PLAN_CALLS(X)
#undef X
        PLAN_CALL_COUNT
};

struct plan_fault {
    enum plan_call call;
    enum plan_fault_kind kind;
    int error;      /* ERRNO: positive errno */
    uint32_t bytes; /* SHORT: at least 1 */
    uint32_t times; /* 0: always */
};

#define PLAN_CONDITIONS(X)                                                            \
    X(UNREAD, "unread")   /* `peer`'s bytes in the sut's kernel are `count` */        \
    X(BLOCKED, "blocked") /* `peer` cannot send on: the sut's window is closed */     \
    X(ENDED, "ended")     /* the sut has seen `peer`'s end */                         \
    X(IDLE, "idle")       /* the sut waits and has nothing to do */

enum plan_condition {
#define X(name, text) PLAN_UNTIL_##name,
    PLAN_CONDITIONS(X)
#undef X
        PLAN_CONDITION_COUNT
};

struct plan_statement {
    struct plan_place place;
    struct instant at; /* script time: 0 is the start of the timeline; never decreases */
    enum plan_verb verb;
    uint32_t peer; /* index, or PLAN_NOBODY */
    struct plan_bytes bytes;
    enum plan_how how;
    uint32_t count;  /* CONSUME: frames; WAIT_UNTIL UNREAD: bytes */
    uint32_t rounds; /* RUN: one of these two is not 0 */
    uint32_t quanta;
    struct plan_fault fault;
    enum plan_condition condition;
};

/* `on c frame 2 close d`: what the application does inside one of its callbacks. */
#define PLAN_TRIGGERS(X)                                              \
    X(OPEN, "open")                                                   \
    X(DATA, "data")   /* the `number`-th delivery of raw bytes */     \
    X(FRAME, "frame") /* the `number`-th frame */                     \
    X(END, "end")

enum plan_on {
#define X(name, text) PLAN_ON_##name,
    PLAN_TRIGGERS(X)
#undef X
        PLAN_ON_COUNT
};

#define PLAN_ACTIONS(X)                                                     \
    X(CLOSE, "close")     /* `target` */                                    \
    X(CONSUME, "consume") /* `count` frames of `target` */                  \
    X(TAKES, "takes")     /* the callback lasts `duration` of script time */

enum plan_action {
#define X(name, text) PLAN_DO_##name,
    PLAN_ACTIONS(X)
#undef X
        PLAN_ACTION_COUNT
};

struct plan_reaction {
    struct plan_place place;
    uint32_t peer;
    enum plan_on on;
    uint32_t number; /* from 1; DATA and FRAME only */
    enum plan_action action;
    uint32_t target;
    uint32_t count;
    struct duration duration;
};

/*
 * What must come out, beside the ledgers. UNREAD and HELD also name what may be left over: nothing
 * else may. The counts are sums over the rows of one peer, or of all peers when `peer` is
 * PLAN_NOBODY.
 */
#define PLAN_EXPECTS(X)                                                                      \
    X(FRAMES, "frames")     /* every frame of `peer`, in order: items */                     \
    X(BYTES, "bytes")       /* every byte the application got, in order: items[0] */         \
    X(END, "end")           /* outcome, and error for ERROR */                               \
    X(PEAK, "peak")         /* value: the most that used + reserved ever was */              \
    X(UNREAD, "unread")     /* value: bytes left in the sut's kernel at the stop */          \
    X(HELD, "held")         /* value: credit still used at the stop */                       \
    X(RECEIVED, "received") /* every byte the peer got, in order: items[0] */                \
    X(SAW, "saw")           /* how the peer's own read direction ended: saw */               \
    X(NOTICES, "notices")   /* value */                                                      \
    X(QUANTA, "quanta")                                                                      \
    X(READS, "reads")                                                                        \
    X(EAGAIN, "eagain")                                                                      \
    X(EINTR, "eintr")                                                                        \
    X(STALE, "stale")

enum plan_expect_kind {
#define X(name, text) PLAN_EXPECT_##name,
    PLAN_EXPECTS(X)
#undef X
        PLAN_EXPECT_COUNT
};

#define PLAN_SAWS(X)                                          \
    X(NOTHING, "nothing") /* still open when the run ended */ \
    X(FIN, "fin")                                             \
    X(RESET, "reset")

enum plan_saw {
#define X(name, text) PLAN_SAW_##name,
    PLAN_SAWS(X)
#undef X
        PLAN_SAW_COUNT
};

struct plan_expect {
    struct plan_place place;
    unsigned triggers; /* bits 1 << enum reactor_trigger; `et os: ...` holds for those only */
    enum plan_expect_kind kind;
    uint32_t peer;
    const struct plan_bytes *items;
    uint32_t item_count;
    enum reader_outcome outcome;
    int error;
    enum plan_saw saw;
    uint64_t value;
};

enum plan_pace { PLAN_LOCKSTEP, PLAN_FREE };
enum plan_compare { PLAN_EXACT, PLAN_STREAMS };
enum plan_consume { PLAN_CONSUME_AUTO, PLAN_CONSUME_MANUAL };

/* Options of every socket at both ends; 0 or NULL: the kernel's own. */
struct plan_sockets {
    uint32_t rcvbuf;
    uint32_t sndbuf;
    const char *congestion; /* "reno" unless the script says otherwise */
    /* Where that is said, 0:0 nowhere; line 0: --set number `column`, from 1. */
    struct plan_place congestion_place;
};

struct plan {
    const char *file;      /* path as given, for messages */
    const char *name;      /* "framing/one-frame-per-quantum" */
    const char *about;
    const char *const *covers;
    uint32_t cover_count;
    unsigned families; /* bits 1 << enum plan_family */
    unsigned triggers; /* bits 1 << enum reactor_trigger */
    struct plan_sockets sockets;
    uint32_t backlog;

    uint32_t collect;
    struct budget_limits limits;
    struct frame_format format;
    uint32_t capacity;
    bool requeue; /* off: a budget stop forgets the source (W2) */
    enum plan_consume consume;
    uint64_t rounds_max; /* of the whole run */
    uint64_t calls_max;  /* of the sut's os table, in the whole run */
    enum plan_pace pace;
    enum plan_compare compare;
    struct duration tolerance; /* how late a peer's action may be before the verdict is `late` */

    const struct plan_peer *peers;
    uint32_t peer_count;
    const struct plan_statement *statements;
    uint32_t statement_count;
    const struct plan_reaction *reactions;
    uint32_t reaction_count;
    const struct plan_expect *expects;
    uint32_t expect_count;

    struct plan_memory *memory; /* the plan's own */
};

/* Index of the peer called `name`, PLAN_NOBODY when there is none. */
uint32_t plan_peer_find(const struct plan *plan, const char *name);

/* Frees everything that the plan holds. NULL is fine. */
void plan_free(struct plan *plan);

/* The words of scripts, JSON and paths: "ipv4", "send", "frames" ... */
const char *plan_family_name(enum plan_family family);
const char *plan_verb_name(enum plan_verb verb);
const char *plan_saw_name(enum plan_saw saw);
const char *plan_expect_name(enum plan_expect_kind kind);
const char *plan_condition_name(enum plan_condition condition);

#endif
