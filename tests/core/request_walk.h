/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CORE_REQUEST_WALK_H
#define EDGEWISE_TESTS_CORE_REQUEST_WALK_H

/*
 * Every sequence of words up to a length, with the promises of R-A looked at after each. What is
 * refused or ignored must leave the account as it was; a sequence with such a word in it then ends
 * as the one without it, and is not walked a second time.
 */

#include "tests/core/request_play.h"

#define WALK_ROWS 64

struct walk {
    const struct request_rules *rules;
    const struct request_act *acts;
    size_t count;
    unsigned steps;   /* legal ones */
    unsigned runs;    /* sequences that retired the request */
    unsigned broken;  /* promises */
    unsigned stuck;   /* of `runs`: something went on after the retirement */
    unsigned rows;    /* distinct ledger rows, if they are asked for */
    bool ask_rows;
    char row[WALK_ROWS][PLAY_ROW];
};

/* R-A-07, R-A-22: what is decided stays decided. */
static unsigned broken_columns(const struct request *before, const struct request *after)
{
    bool pending = before->cancel == REQUEST_CANCEL_PENDING;
    bool none = before->cancel == REQUEST_CANCEL_NONE;
    unsigned broken = 0;

    broken += before->logical != REQUEST_LOGICAL_WAITING && after->logical != before->logical;
    broken += before->target != REQUEST_TARGET_INFLIGHT && after->target != before->target;
    broken += !pending && !none && after->cancel != before->cancel;
    broken += pending &&
              (after->cancel == REQUEST_CANCEL_NONE || after->cancel == REQUEST_CANCEL_UNSENT);
    broken += none && after->cancel > REQUEST_CANCEL_PENDING &&
              after->cancel != REQUEST_CANCEL_UNSENT;
    return broken;
}

/* R-A-04, R-A-05, R-A-06: nobody holds it exactly when it returns, and that is the last move. */
static unsigned broken_moves(const struct request *before, const struct request *after,
                             const struct request_effect *effect)
{
    unsigned broken = 0;

    for (unsigned i = 0; i < effect->moves; i++) {
        bool held = effect->after[i].device + effect->after[i].borrows > 0;
        bool last = i + 1u == effect->moves;

        broken += effect->after[i].device < 0 || effect->after[i].borrows < 0;
        broken += held == (last && effect->returned);
    }
    broken += effect->returned != (!before->returned && after->returned);
    broken += effect->returned && effect->moves == 0;
    broken += effect->looks && (after->returned || after->borrows == 0);
    return broken;
}

/* R-A-06: retired when all three are done, and then at once. */
static unsigned broken_retirement(const struct request *after, const struct request_effect *effect)
{
    bool all = after->logical != REQUEST_LOGICAL_WAITING &&
               after->target != REQUEST_TARGET_INFLIGHT &&
               after->cancel != REQUEST_CANCEL_PENDING && after->device == 0 &&
               after->borrows == 0 && after->returned;

    unsigned late = effect->retired != all;

    return late + (effect->retired != (after->state == REQUEST_RETIRED));
}

/* R-A-22: as it was, but for the count of refusals. */
static unsigned broken_refusal(struct play *p, const uint64_t *saved, unsigned verdict)
{
    bool same;

    p->ledger.table->refused -= verdict == REQUEST_REFUSE;
    same = memcmp(p->memory, saved, sizeof(p->memory)) == 0;
    p->ledger.table->refused += verdict == REQUEST_REFUSE;
    return !same;
}

/* Applies `act` and looks at every promise. */
static bool walk_step(struct walk *w, struct play *p, struct identity id,
                      const struct request_act *act)
{
    struct request before = *play_record(p);
    uint64_t saved[sizeof(p->memory) / sizeof(p->memory[0])];
    struct request_effect effect;
    const struct request *after;

    memcpy(saved, p->memory, sizeof(saved));
    effect = request_apply(&p->ledger, id, act);
    after = play_record(p);
    w->broken += !request_check(&p->ledger);
    if (effect.verdict != REQUEST_STEP) {
        w->broken += broken_refusal(p, saved, effect.verdict);
        return false;
    }
    w->broken += broken_columns(&before, after) + broken_moves(&before, after, &effect) +
                 broken_retirement(after, &effect);
    w->broken += p->ledger.pool->returned != after->returned;
    w->broken += !identity_equal(id, p->id); /* a stale record did something */
    w->stuck += before.state == REQUEST_RETIRED;
    w->runs += effect.retired;
    w->steps++;
    return true;
}

static void walk_note(struct walk *w, const struct play *p)
{
    char row[PLAY_ROW];

    if (!w->ask_rows)
        return;
    play_row(p, row);
    for (unsigned i = 0; i < w->rows; i++)
        if (strcmp(w->row[i], row) == 0)
            return;
    if (w->rows == WALK_ROWS)
        abort();
    memcpy(w->row[w->rows++], row, PLAY_ROW);
}

static void walk_from(struct walk *w, struct play *p, unsigned depth)
{
    uint64_t saved[sizeof(p->memory) / sizeof(p->memory[0])];
    struct identity stale = {p->id.slot, p->id.generation + 1};

    walk_note(w, p);
    if (depth == 0)
        return;
    memcpy(saved, p->memory, sizeof(saved));
    for (size_t i = 0; i < 2 * w->count; i++) {
        if (walk_step(w, p, i % 2 == 0 ? p->id : stale, &w->acts[i / 2]))
            walk_from(w, p, depth - 1);
        memcpy(p->memory, saved, sizeof(saved));
    }
}

/* Walks from a submission; `w` holds the rules and the acts. */
static void walk_all(struct walk *w, enum request_lease lease, unsigned depth)
{
    struct play p;

    play_submitted(&p, w->rules, lease);
    w->broken += !request_check(&p.ledger);
    walk_from(w, &p, depth);
}

static void walk_open(struct walk *w, const struct request_rules *rules, struct request_act *acts)
{
    *w = (struct walk){.rules = rules, .acts = acts, .count = PLAY_WORD_COUNT};
    for (size_t i = 0; i < PLAY_WORD_COUNT; i++)
        acts[i] = play_words[i].act;
}

#endif
