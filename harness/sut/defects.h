/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_DEFECTS_H
#define EDGEWISE_HARNESS_SUT_DEFECTS_H

/*
 * The negative controls (R-NEG): rules that can be taken away from our own reactor, one at a time,
 * each with the scenario that must then fail, and how. A bench that passes with a defect on would
 * be blind. Preferred are changed cells of the reader's table, then decorators, then a changed
 * config, and only then a mark in the code (core/defect), for which a build of its own is needed.
 */

#include "core/defect.h"
#include "core/reactor.h"
#include "harness/sut/spoiler.h"

/* In the order of their requirements. */
#define DEFECTS_LIST(X)                                  \
    X(NO_REQUEUE, "no-requeue")                          \
    X(NO_ATTEMPT_LIMIT, "no-attempt-limit")              \
    X(COLLECT_WHEN_IDLE, "collect-when-idle")            \
    X(REQUEUE_ON_EAGAIN, "requeue-on-eagain")            \
    X(HINT_CLEARED, "hint-cleared")                      \
    X(NO_DEDUP, "no-dedup")                              \
    X(EAGAIN_IS_EOF, "eagain-is-eof")                    \
    X(HANGUP_IS_EOF, "hangup-is-eof")                    \
    X(NO_CAPACITY_EVENT, "no-capacity-event")            \
    X(PAUSED_REQUEUES, "paused-requeues")                \
    X(ROOM_BESIDE_RESERVATION, "room-beside-reservation") \
    X(READ_AHEAD, "read-ahead")                          \
    X(TOLD_BY_NUMBER, "told-by-number")                  \
    X(BATCH_UNCHECKED, "batch-unchecked")                \
    X(QUEUE_BEFORE_TURN, "queue-before-turn")            \
    X(READ_PAST_RESET, "read-past-reset")                \
    X(PAUSED_UNMASKED, "paused-unmasked")                \
    X(HANGUP_ENTRY_KEPT, "hangup-entry-kept")

enum defects {
    DEFECTS_NONE,
#define X(name, text) DEFECTS_##name,
    DEFECTS_LIST(X)
#undef X
        DEFECTS_COUNT
};

#define DEFECTS_FORMS(X)                                     \
    X(CELL, "table cell")                                    \
    X(DECORATOR, "decorator")                                \
    X(CONFIGURATION, "configuration")                        \
    X(MARK, "mark")

enum defects_form {
#define X(name, text) DEFECTS_##name,
    DEFECTS_FORMS(X)
#undef X
        DEFECTS_FORM_COUNT
};

#define DEFECTS_CELLS_MAX 2

/* A cell of the reader's table, and what stands there instead. */
struct defects_cell {
    enum reader_state state;
    enum reader_event event;
    struct reader_cell cell;
};

struct defects_entry {
    const char *requirements; /* "R-NEG-01 R-NEG-02" */
    const char *taken;        /* the rule that is taken away */
    const char *wrong;        /* what must go wrong then */
    const char *scenario;     /* that shows it */
    unsigned triggers;        /* under which it does, bits 1 << enum reactor_trigger */
    const char *elsewhere;    /* why not under the others; NULL when there are none */
    enum defects_form form;

    /* How, by form. */
    struct defects_cell cells[DEFECTS_CELLS_MAX];
    uint32_t cell_count;
    enum spoiler_kind spoiler;
    void (*configure)(struct reactor_protocol *protocol);
    enum defect_mark mark;
};

/* What there is to know about `which`, which is not NONE. */
const struct defects_entry *defects_entry(enum defects which);

/* "no-requeue" ...; NULL for NONE. */
const char *defects_name(enum defects which);

/* "table cell" ... */
const char *defects_form_name(enum defects_form form);

/* The defect called `name`, NONE for NULL and when there is no such one. */
enum defects defects_find(const char *name);

/* The name that is nearest to what was typed, or NULL. */
const char *defects_nearest(const char *typed);

/* True when this build can switch `which` on: marks need -DDEFECTS. */
bool defects_possible(enum defects which);

/* The parts of a sut, each changed if `which` is of that form, and left alone by NONE. */
void defects_change_rules(enum defects which, struct reader_rules *rules);
void defects_change_protocol(enum defects which, struct reactor_protocol *protocol);

/* The decorator of `which`, SPOILER_NONE unless it is one. */
enum spoiler_kind defects_spoiler(enum defects which);

/* Switches the mark of `which` on in this process, and every other mark off. */
void defects_switch(enum defects which);

#endif
