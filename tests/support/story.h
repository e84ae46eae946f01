/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_STORY_H
#define EDGEWISE_TESTS_SUPPORT_STORY_H

/*
 * A run that never took place: a script of a few statements, and a journal written from rows of
 * text. It reads rows by their words, with code of its own, so that what events_make tells of such
 * a journal can be held against the text it came from.
 */

#include "harness/happened.h"

#define STORY_PEERS      8
#define STORY_STATEMENTS 32
#define STORY_EXPECTS    16

struct story_credit {
    uint32_t used;
    uint32_t reserved;
};

struct story {
    struct plan plan;
    struct happened happened;
    struct journal *journal;
    struct instant now; /* script time of the next row */

    char names[STORY_PEERS][32];
    struct plan_peer peers[STORY_PEERS];
    struct plan_statement statements[STORY_STATEMENTS];
    struct plan_expect expects[STORY_EXPECTS];
    struct happened_action actions[STORY_STATEMENTS];
    struct happened_peer got[STORY_PEERS];
    uint32_t sources[STORY_PEERS];

    struct story_credit credits[STORY_PEERS]; /* the last one of each source's rows */
    uint32_t was[STORY_PEERS];                /* its interest mask */
};

/* `peers` are names with blanks between them, in the order in which the sut gets their
 * connections. The plan is that of the framing exercise: capacity 9, header 2, payload 3. Ends
 * with story_end. */
void story_begin(struct story *story, enum reactor_trigger trigger, const char *peers);
void story_end(struct story *story);

/* The next rows are of this script time. */
void story_at(struct story *story, int64_t ms);

/* One record more, from a row as it stands in an events file, without tags. */
void story_row(struct story *story, const char *row);

/* All rows of an events file that belong to this trigger. `file` is from the root of the tree. */
void story_file(struct story *story, const char *file);

/* A statement of `peer` at the story's present time, on the next line of the script, carried out
 * `late_us` after it was due. `bytes` is for PLAN_SEND. Returns its action, to be spoilt. */
struct happened_action *story_does(struct story *story, const char *peer, enum plan_verb verb,
                                   const char *bytes, size_t size, int64_t late_us);

/* A statement of the bench's: it has no action. */
struct plan_statement *story_says(struct story *story, enum plan_verb verb, const char *peer);

/* An expectation, to be completed; `peer` NULL: of the sut. */
struct plan_expect *story_expects(struct story *story, enum plan_expect_kind kind,
                                  const char *peer);

/* Index of a peer. */
uint32_t story_peer(const struct story *story, const char *name);

#endif
