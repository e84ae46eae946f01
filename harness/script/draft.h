/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_DRAFT_H
#define EDGEWISE_HARNESS_SCRIPT_DRAFT_H

/*
 * A plan while its script is being read: the plan, what only the checks need to know of it, and
 * where its words stand. The parts of the language fill it; a draft with mistakes never becomes a
 * plan.
 */

#include "harness/script/keyword.h"
#include "harness/script/lexer.h"
#include "harness/script/mistakes.h"
#include "harness/script/plan.h"
#include "harness/script/plan_memory.h"

#define DRAFT_NAME_MAX      24 /* bytes of a peer's name */
#define DRAFT_SETTINGS_MAX  32
#define DRAFT_REACTIONS_MAX 1000
#define DRAFT_EXPECTS_MAX   10000

#define DRAFT_KINDS(X)                                                       \
    X(TCP, "tcp", 1u << PLAN_IPV4 | 1u << PLAN_IPV6)                         \
    X(STREAM, "stream", 1u << PLAN_IPV4 | 1u << PLAN_IPV6 | 1u << PLAN_UNIX) \
    X(PIPE, "pipe", 1u << PLAN_PIPE)

enum draft_kind {
#define X(name, text, families) DRAFT_##name,
    DRAFT_KINDS(X)
#undef X
        DRAFT_KIND_COUNT
};

struct draft {
    struct plan plan;
    struct mistakes *mistakes;
    struct plan_place settings[DRAFT_SETTINGS_MAX]; /* line 0 and column 0: not said */
    struct plan_place link;
    struct plan_place family;
    struct plan_place trigger;
    struct plan_place app;
    struct plan_place end; /* behind the last line: where something missing would stand */

    struct plan_peer *peers;
    enum draft_kind kinds[PLAN_PEERS_MAX];
    size_t peer_room;
    struct plan_statement *statements;
    size_t statement_room;
    struct plan_reaction *reactions;
    size_t reaction_room;
    struct plan_expect *expects;
    size_t expect_room;

    bool peers_wrong;      /* a peer is missing because of a mistake that was told */
    bool full;             /* a bound of the plan was exceeded, and told */
    struct instant last;   /* time of the last statement as written */
    uint64_t payload_size; /* of all statements so far */
};

/* Peers that one word names: `c`, or c1 .. c8 for `c*8`. */
struct draft_group {
    uint32_t peers[PLAN_PEERS_MAX];
    uint32_t count;
};

/* One keyword of a section and what reads its line; words[0] is the keyword. */
struct draft_keyword {
    const char *name;
    void (*read)(struct draft *draft, const struct lexer_line *line);
};

/* Whether a place was ever set. */
bool draft_said(struct plan_place place);

/* Notes `place` in `noted`; false, with a mistake, when `what` was said before. */
bool draft_once(struct draft *draft, struct plan_place *noted, struct plan_place place,
                const char *what);

/* A line of exactly `count` words; false, with a mistake that shows `form`. */
bool draft_count(struct draft *draft, const struct lexer_line *line, size_t count,
                 const char *form);

/* Words 1.. of a line as a set of bits by their index in `table`; 0 after a mistake. */
unsigned draft_bits(struct draft *draft, const struct lexer_line *line, struct keyword_table table,
                    const char *what);

/* Adds the peers of a declaration such as `c*8 tcp`; false after a mistake. */
bool draft_declare(struct draft *draft, struct lexer_word word, enum draft_kind kind);

/* Finds the declared peers that a word names; false after a mistake. */
bool draft_group(struct draft *draft, struct lexer_word word, struct draft_group *ret_group);

/* Append to the plan. False, with a mistake, above a bound. */
bool draft_statement(struct draft *draft, const struct plan_statement *statement);
bool draft_reaction(struct draft *draft, const struct plan_reaction *reaction);
bool draft_expect(struct draft *draft, const struct plan_expect *expect);

/* The word of a kind and the families (bits) that can carry it. */
const char *draft_kind_name(enum draft_kind kind);
unsigned draft_kind_families(enum draft_kind kind);

#endif
