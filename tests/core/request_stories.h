/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_CORE_REQUEST_STORIES_H
#define EDGEWISE_TESTS_CORE_REQUEST_STORIES_H

/*
 * The worked ledgers of a request: W4, the variants of W5, the orders, the admission. Each is a
 * check of rules: how many of its rows come out otherwise.
 */

#include <errno.h>

#include "tests/core/request_play.h"

/* Whether a row that differs is told. */
static bool stories_aloud;

struct story_line {
    const char *words; /* NULL ends a story */
    const char *row;   /* the ledger after them */
    const char *moves; /* of the last word; NULL: not asked */
};

struct story {
    const char *name;
    enum request_lease lease;
    struct story_line line[9];
};

#define SUBMITTED  "WAITING/INFLIGHT/NONE 1,0 HELD,retained 1 1 0"
#define TIMED_OUT  "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0"
#define START      {"", SUBMITTED, NULL}
#define OVERDUE    START, {"deadline", TIMED_OUT, ""}

static const struct story story_w4 = {
    "cancellation of REQ (3,7)", REQUEST_LEASE_NONE,
    {OVERDUE,
     {"target:ok:borrow", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0", "(1,1)(0,1)"},
     {"release:0", "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 0", "(0,0)"},
     {"cancel:notfound", "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 0", ""}}};

static const struct story stories_w5[] = {
    {"target before deadline", REQUEST_LEASE_NONE,
     {START,
      {"target:ok:borrow", "OK/TERMINAL(ok)/NONE 0,1 HELD,retained 0 1 0", "(1,1)(0,1)"},
      {"deadline", "OK/TERMINAL(ok)/NONE 0,1 HELD,retained 0 1 0", ""},
      {"release:0", "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 0", "(0,0)"}}},
    {"error before deadline", REQUEST_LEASE_NONE,
     {START, {"target:err", "ERROR/TERMINAL(err)/NONE 0,0 RETURNED,retired 0 0 0", "(0,0)"}}},
    {"cancel ok, then target", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"cancel:ok", "TIMEOUT/INFLIGHT/DONE(ok) 1,0 HELD,retained 0 1 0", ""},
      {"target:canceled", "TIMEOUT/TERMINAL(canceled)/DONE(ok) 0,0 RETURNED,retired 0 0 0", NULL}}},
    {"target, then cancel ok", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"target:canceled", "TIMEOUT/TERMINAL(canceled)/PENDING 0,0 RETURNED,retained 0 1 0", NULL},
      {"cancel:ok", "TIMEOUT/TERMINAL(canceled)/DONE(ok) 0,0 RETURNED,retired 0 0 0", ""}}},
    {"not cancellable, later error", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"cancel:already", "TIMEOUT/INFLIGHT/DONE(already) 1,0 HELD,retained 0 1 0", ""},
      {"target:err", "TIMEOUT/TERMINAL(err)/DONE(already) 0,0 RETURNED,retired 0 0 0", NULL}}},
    {"wrong cancel identity", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"cancel:badid", "TIMEOUT/INFLIGHT/DONE(badid) 1,0 HELD,retained 0 1 0", ""},
      {"target:ok:borrow", "TIMEOUT/TERMINAL(ok)/DONE(badid) 0,1 HELD,retained 0 1 0", NULL},
      {"release:0", "TIMEOUT/TERMINAL(ok)/DONE(badid) 0,0 RETURNED,retired 0 0 0", NULL}}},
    {"cancel submission fails", REQUEST_LEASE_NONE,
     {START,
      {"deadline:submitfail", "TIMEOUT/INFLIGHT/DONE(submit_failed) 1,0 HELD,retained 0 1 0", ""},
      {"target:ok:borrow", "TIMEOUT/TERMINAL(ok)/DONE(submit_failed) 0,1 HELD,retained 0 1 0",
       NULL},
      {"release:0", "TIMEOUT/TERMINAL(ok)/DONE(submit_failed) 0,0 RETURNED,retired 0 0 0", NULL}}},
    {"callback throws", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"target:ok:borrow", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0", NULL},
      {"throw:0", "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 0", "(0,0)"},
      {"throw:0", "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 1", ""},
      {"cancel:notfound", "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 1", ""}}},
    {"callback throws, answered", REQUEST_LEASE_NONE,
     {START,
      {"target:ok:borrow borrow", "OK/TERMINAL(ok)/NONE 0,2 HELD,retained 0 1 0", "(0,2)"},
      {"throw:0", "OK/TERMINAL(ok)/NONE 0,1 HELD,retained 0 1 0", "(0,1)"},
      {"throw:1", "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 0", "(0,0)"}}},
    {"handoff", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"target:ok:borrow", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0", NULL},
      {"handoff:0", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0", "(0,2)(0,1)"},
      {"release:0", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 1", ""},
      {"cancel:notfound", "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,1 HELD,retained 0 1 1", ""},
      {"release:1", "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 1", "(0,0)"}}},
    {"fd 3 reused, request live", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"target:ok:borrow@7", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0", NULL},
      {"target:ok@8", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 1", ""},
      {"release:0@8", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 2", ""},
      {"cancel:ok@6", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 3", ""},
      {"release:0@7", "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 3", NULL},
      {"cancel:notfound", "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 3", ""}}},
    {"fd 3 reused, request retired", REQUEST_LEASE_NONE,
     {START,
      {"target:ok:borrow release:0", "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 0", NULL},
      {"target:ok@7", "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 1", ""},
      {"target:ok@8", "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 2", ""}}},
    {"duplicate target, release and cancel", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"target:ok:borrow", "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 0", NULL},
      {"target:ok:borrow target:err target:canceled",
       "TIMEOUT/TERMINAL(ok)/PENDING 0,1 HELD,retained 0 1 3", ""},
      {"cancel:ok", "TIMEOUT/TERMINAL(ok)/DONE(ok) 0,1 HELD,retained 0 1 3", ""},
      {"cancel:ok cancel:notfound", "TIMEOUT/TERMINAL(ok)/DONE(ok) 0,1 HELD,retained 0 1 5", ""},
      {"release:0", "TIMEOUT/TERMINAL(ok)/DONE(ok) 0,0 RETURNED,retired 0 0 5", NULL},
      {"release:0", "TIMEOUT/TERMINAL(ok)/DONE(ok) 0,0 RETURNED,retired 0 0 6", ""}}},
    {"nobody drains", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"deliver deliver", TIMED_OUT, ""},
      {"deliver", "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 1", ""}}},
    {"never-returned borrow", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"target:ok:borrow handoff:0 cancel:notfound",
       "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,1 HELD,retained 0 1 0", ""},
      {"deadline logical_exit", "TIMEOUT/TERMINAL(ok)/DONE(notfound) 0,1 HELD,retained 0 1 0",
       ""}}},
    {"cancel never completes", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"target:ok:borrow release:0 deadline",
       "TIMEOUT/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 0", ""}}},
    {"device never ends", REQUEST_LEASE_NONE,
     {OVERDUE,
      {"cancel:already deadline", "TIMEOUT/INFLIGHT/DONE(already) 1,0 HELD,retained 0 1 0", ""}}},
    {"logical exit", REQUEST_LEASE_NONE,
     {START,
      {"logical_exit", "EXITED/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0", ""},
      {"deadline", "EXITED/INFLIGHT/PENDING 1,0 HELD,retained 0 1 0", ""},
      {"target:ok", "EXITED/TERMINAL(ok)/PENDING 0,0 RETURNED,retained 0 1 0", NULL},
      {"cancel:notfound", "EXITED/TERMINAL(ok)/DONE(notfound) 0,0 RETURNED,retired 0 0 0", ""}}},
    {"logical exit, cancel submission fails", REQUEST_LEASE_NONE,
     {START,
      {"logical_exit:submitfail", "EXITED/INFLIGHT/DONE(submit_failed) 1,0 HELD,retained 0 1 0",
       ""},
      {"target:err", "EXITED/TERMINAL(err)/DONE(submit_failed) 0,0 RETURNED,retired 0 0 0", NULL}}},
    {"logical exit after the answer returns nothing", REQUEST_LEASE_NONE,
     {START,
      {"target:ok:borrow logical_exit logical_exit:submitfail",
       "OK/TERMINAL(ok)/NONE 0,1 HELD,retained 0 1 0", ""}}},
    {"callback releases before the target", REQUEST_LEASE_NONE,
     {OVERDUE, {"release:0", "TIMEOUT/INFLIGHT/PENDING 1,0 HELD,retained 0 1 1", ""}}},
    {"a lease given back before the target", REQUEST_LEASE_EARLY,
     {{"", "WAITING/INFLIGHT/NONE 1,1 HELD,retained 1 1 0", NULL},
      {"borrow", "WAITING/INFLIGHT/NONE 1,1 HELD,retained 1 1 1", ""},
      {"handoff:0", "WAITING/INFLIGHT/NONE 1,1 HELD,retained 1 1 1", "(1,2)(1,1)"},
      {"release:1", "WAITING/INFLIGHT/NONE 1,0 HELD,retained 1 1 1", "(1,0)"},
      {"target:ok", "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 1", "(0,0)"}}},
    {"a lease and a borrow", REQUEST_LEASE_EARLY,
     {{"target:ok:borrow", "OK/TERMINAL(ok)/NONE 0,2 HELD,retained 0 1 0", "(1,2)(0,2)"},
      {"release:1", "OK/TERMINAL(ok)/NONE 0,1 HELD,retained 0 1 0", "(0,1)"},
      {"release:0", "OK/TERMINAL(ok)/NONE 0,0 RETURNED,retired 0 0 0", "(0,0)"}}},
};

#define STORY_W5_COUNT (sizeof(stories_w5) / sizeof(*stories_w5))

static unsigned differs(const char *name, const char *after, const char *want, const char *got)
{
    if (strcmp(want, got) == 0)
        return 0;
    if (stories_aloud)
        print_error("%s: after \"%s\"\n  want %s\n  got  %s\n", name, after, want, got);
    return 1;
}

static unsigned tell(const struct request_rules *rules, const struct story *story)
{
    unsigned broken = 0;
    struct play p;

    play_submitted(&p, rules, story->lease);
    for (const struct story_line *line = story->line; line->words != NULL; line++) {
        char row[PLAY_ROW], moves[PLAY_ROW];
        struct request_effect effect = play_all(&p, line->words);

        play_row(&p, row);
        broken += differs(story->name, line->words, line->row, row);
        play_moves(&effect, moves);
        broken += line->moves != NULL && differs(story->name, line->words, line->moves, moves);
    }
    return broken + !request_check(&p.ledger);
}

static unsigned w4_row_by_row(const struct request_rules *rules)
{
    return tell(rules, &story_w4);
}

static unsigned every_variant_of_w5(const struct request_rules *rules)
{
    unsigned broken = 0;

    for (size_t i = 0; i < STORY_W5_COUNT; i++)
        broken += tell(rules, &stories_w5[i]);
    return broken;
}

/* --- The orders of the cancel's answer (C), the target (T) and the end of the lease (L) --- */

struct order {
    const char *events; /* "CTL" */
    const char *row[3]; /* d,b pool,REQ after each; NULL: refused */
};

#define DONE "0,0 RETURNED,retired"

static const struct order orders_callback[] = {
    {"CTL", {"1,0 HELD,retained", "0,1 HELD,retained", DONE}},
    {"TCL", {"0,1 HELD,retained", "0,1 HELD,retained", DONE}},
    {"TLC", {"0,1 HELD,retained", "0,0 RETURNED,retained", DONE}},
    {"CLT", {"1,0 HELD,retained", NULL, "0,1 HELD,retained"}},
    {"LCT", {NULL, "1,0 HELD,retained", "0,1 HELD,retained"}},
    {"LTC", {NULL, "0,1 HELD,retained", "0,1 HELD,retained"}},
};

static const struct order orders_early[] = {
    {"CTL", {"1,1 HELD,retained", "0,1 HELD,retained", DONE}},
    {"CLT", {"1,1 HELD,retained", "1,0 HELD,retained", DONE}},
    {"TCL", {"0,1 HELD,retained", "0,1 HELD,retained", DONE}},
    {"TLC", {"0,1 HELD,retained", "0,0 RETURNED,retained", DONE}},
    {"LCT", {"1,0 HELD,retained", "1,0 HELD,retained", DONE}},
    {"LTC", {"1,0 HELD,retained", "0,0 RETURNED,retained", DONE}},
};

static const char *order_word(char event, enum request_lease lease)
{
    if (event == 'C')
        return "cancel:notfound";
    if (event == 'L')
        return "release:0";
    return lease == REQUEST_LEASE_EARLY ? "target:ok" : "target:ok:borrow";
}

/* Plays one order; the rows that differ. `ret_legal`: nothing was refused. */
static unsigned follow(const struct request_rules *rules, const struct order *order,
                       enum request_lease lease, bool *ret_legal)
{
    unsigned broken = 0;
    struct play p;

    play_submitted(&p, rules, lease);
    (void)play(&p, "deadline");
    *ret_legal = true;
    for (size_t i = 0; i < 3; i++) {
        struct request_effect effect = play(&p, order_word(order->events[i], lease));
        char row[PLAY_ROW];

        if (effect.verdict != REQUEST_STEP)
            *ret_legal = false;
        if (order->row[i] == NULL) {
            broken += effect.verdict != REQUEST_REFUSE;
            continue;
        }
        play_row(&p, row);
        broken += strncmp(strchr(row, ' ') + 1, order->row[i], strlen(order->row[i])) != 0;
    }
    return broken + !request_check(&p.ledger);
}

static unsigned follow_all(const struct request_rules *rules, const struct order *orders,
                           enum request_lease lease, unsigned legal)
{
    unsigned broken = 0, found = 0;

    for (size_t i = 0; i < 6; i++) {
        bool is_legal;
        unsigned wrong = follow(rules, &orders[i], lease, &is_legal);

        if (wrong != 0 && stories_aloud)
            print_error("order %s: %u rows differ\n", orders[i].events, wrong);
        broken += wrong;
        found += is_legal;
    }
    return broken + (found != legal);
}

/* R-A-23, R-A-25, R-NEG-40. */
static unsigned three_orders_under_the_callback_rule(const struct request_rules *rules)
{
    return follow_all(rules, orders_callback, REQUEST_LEASE_NONE, 3);
}

/* R-A-24, R-A-25. */
static unsigned six_orders_with_an_early_lease(const struct request_rules *rules)
{
    return follow_all(rules, orders_early, REQUEST_LEASE_EARLY, 6);
}

/* --- Admission --- */

static unsigned refused(struct play *p, uint64_t held)
{
    struct identity none = IDENTITY_NONE;
    unsigned broken = 0;

    broken += request_submit(&p->ledger, PLAY_BYTES, REQUEST_LEASE_NONE, &none) != -EAGAIN;
    broken += !identity_equal(none, IDENTITY_NONE);
    return broken + (p->ledger.pool->held_bytes != held);
}

/* QREQ 2, MBUF 4096: the third is refused while both are in flight, while the first is ended but
 * lent, and while its buffer is back but its cancel owed (R-A-19, R-A-20). */
static unsigned two_places_for_three_requests(const struct request_rules *rules)
{
    struct identity second, third;
    unsigned broken = 0;
    struct play p;

    play_submitted(&p, rules, REQUEST_LEASE_NONE);
    broken += request_submit(&p.ledger, PLAY_BYTES, REQUEST_LEASE_NONE, &second) != 0;
    (void)play(&p, "deadline");
    broken += refused(&p, 8192);
    (void)play(&p, "target:ok:borrow");
    broken += refused(&p, 8192);
    (void)play(&p, "release:0");
    broken += refused(&p, 4096);
    (void)play(&p, "cancel:notfound");
    broken += request_submit(&p.ledger, PLAY_BYTES, REQUEST_LEASE_NONE, &third) != 0;
    broken += p.ledger.pool->peak_bytes != 8192;
    broken += p.ledger.table->peak != PLAY_ADMITTED;
    broken += p.ledger.table->refused != 3;
    return broken + !request_check(&p.ledger);
}

#undef SUBMITTED
#undef TIMED_OUT
#undef START
#undef OVERDUE
#undef DONE

#endif
