/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_LATENESS_H
#define EDGEWISE_HARNESS_LEDGER_LATENESS_H

/* How late the peers of one run acted, and whether the machine or the script is why. */

#include "harness/happened.h"

#define LATENESS_STRETCH 4 /* statements from which on work can be told from a busy machine */

/* How late the peers were. */
struct lateness {
    struct duration worst; /* the largest actual - due, 0 when all were on time */
    uint32_t statement;    /* whose it was; meaningless when `worst` is 0 */
    bool by_work;          /* no machine cures it; the rest is meaningful only then */
    uint32_t busy;         /* the last statement of the line that was carried out meanwhile */
    struct duration work;  /* what that line took */
    bool held;             /* one statement alone kept the bench from being on time */
    uint32_t holder;       /* that statement; meaningful only then, as `hold` is */
    struct duration hold;  /* from its beginning until the bench was through with it */
};

/* actual - due of one action, 0 when it was on time. */
struct duration lateness_of_action(const struct happened_action *action);

/*
 * The latest of all actions, and whether the script itself is why: the statements of the instant
 * before that one, or of its own, take longer than the script has room for.
 *
 * The record tells when each statement began. Where one began only after its successor was due,
 * nobody slept in between: the time from beginning to beginning is work. Such a stretch of one
 * instant, back from the latest action, is the cause when it would make that action late beyond the
 * tolerance even if each of its statements took no more than the median of them. The median is what
 * keeps a busy machine out: a process that is kept from its CPU stalls in a few places, not in half
 * of them. For the same reason a stretch of fewer than LATENESS_STRETCH statements is never called
 * work; neither is one with a wait-until, which waits for the sut, nor one of several instants,
 * between which the sut has its turns.
 *
 * A single statement can hold the bench as well: a sender waits for the sut's window, up to the
 * kernel's probe of it, 200 ms. It is named when it took more than half of the time lost; `free` of
 * the record tells how far back to look.
 */
struct lateness lateness_of(const struct happened *happened);

/* "x.scn:23: c send 54: 203 ms late; the tolerance is 5ms; ..." with what is why, for a person. The
 * caller frees it. */
char *lateness_reason(const struct plan *plan, const struct lateness *late);

#endif
