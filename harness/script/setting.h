/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_SETTING_H
#define EDGEWISE_HARNESS_SCRIPT_SETTING_H

/*
 * The settings of a plan as one table: each is written in a script as `WORD VALUE` or `WORD
 * KEY=VALUE`, and on the command line as `WORD=VALUE` or `WORD.KEY=VALUE`.
 */

#include "harness/script/draft.h"

#define SETTINGS(X)                                                               \
    X(BACKLOG, "backlog", NULL, U32, backlog, 1, 4096)                            \
    X(RCVBUF, "socket", "rcvbuf", U32, sockets.rcvbuf, 1, INT32_MAX / 2)          \
    X(SNDBUF, "socket", "sndbuf", U32, sockets.sndbuf, 1, INT32_MAX / 2)          \
    X(CONGESTION, "socket", "congestion", NAME, sockets.congestion, 1, 15)        \
    X(BYTES, "quantum", "bytes", U32, limits.bytes, 1, UINT32_MAX)                \
    X(ATTEMPTS, "quantum", "attempts", U32, limits.attempts, 1, UINT32_MAX)       \
    X(FRAMES, "quantum", "frames", U32, limits.frames, 1, UINT32_MAX)             \
    X(ITEMS, "quantum", "items", U32, limits.items, 1, UINT32_MAX)                \
    X(TIME, "quantum", "time", DURATION, limits.time, 1, 0)                       \
    X(HEADER, "frame", "header", HEADER, format.header, 1, 4)                     \
    X(PAYLOAD, "frame", "payload", U32, format.payload_max, 0, FRAME_PAYLOAD_MAX) \
    X(CAPACITY, "capacity", NULL, U32, capacity, 1, SETTING_CAPACITY_MAX)         \
    X(CONSUME, "app", "consume", CONSUME, consume, 0, 0)                          \
    X(COLLECT, "collect", "h", U32, collect, 1, OS_EVENTS_MAX)                    \
    X(REQUEUE, "requeue", NULL, SWITCH, requeue, 0, 0)                            \
    X(ROUNDS, "limit", "rounds", U64, rounds_max, 1, SETTING_LIMIT_MAX)           \
    X(CALLS, "limit", "calls", U64, calls_max, 1, SETTING_LIMIT_MAX)              \
    X(PACE, "pace", NULL, PACE, pace, 0, 0)                                       \
    X(COMPARE, "compare", NULL, COMPARE, compare, 0, 0)                           \
    X(TOLERANCE, "tolerance", NULL, DURATION, tolerance, 0, 0)

#define SETTING_CAPACITY_MAX (1u << 30)
#define SETTING_LIMIT_MAX    UINT64_C(1000000000000)

enum setting {
#define X(name, word, key, kind, field, min, max) SETTING_##name,
    SETTINGS(X)
#undef X
        SETTING_COUNT
};

/* The value of every setting that nobody says. */
void setting_defaults(struct plan *plan);

/* Reads words `from`.. of a line as values of the setting that words[0] names. */
void setting_line(struct draft *draft, const struct lexer_line *line, size_t from);

/* Sets what `text` ("quantum.bytes=4") says; `place` has line 0. False: a mistake was added. */
bool setting_override(struct draft *draft, const char *text, struct plan_place place);

/* Where the setting was said; draft_said tells whether it was. */
struct plan_place setting_place(const struct draft *draft, enum setting setting);

#endif
