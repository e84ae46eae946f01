/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RESULT_H
#define EDGEWISE_HARNESS_RESULT_H

/*
 * What one run came to: one scenario, in one world, under one trigger, over one family. Filled by
 * the conductor and the judge, told by the report.
 */

#include <stdbool.h>
#include <stdint.h>

#include "harness/lines.h"
#include "harness/script/plan.h"

#define RESULT_VERDICTS(X)                                                        \
    X(PASS, "pass")                                                               \
    X(FAIL, "fail")                                                               \
    X(LATE, "late")   /* all ledgers equal, but a peer acted after its time */    \
    X(ERROR, "error") /* the bench itself broke, or the journal overflowed */     \
    X(SKIP, "skip")   /* this world cannot carry it here */

enum result_verdict {
#define X(name, text) RESULT_##name,
    RESULT_VERDICTS(X)
#undef X
        RESULT_VERDICT_COUNT
};

/* The surest first. */
#define RESULT_WORLDS(X)                                           \
    X(VETH, "veth") /* the real kernel, two namespaces and a link */ \
    X(SIM, "sim")   /* a simulated kernel, in virtual time */

enum result_world {
#define X(name, text) RESULT_WORLD_##name,
    RESULT_WORLDS(X)
#undef X
        RESULT_WORLD_COUNT
};

/* One of the three ledgers: what happened, and how it differs from what was expected. */
struct result_ledger {
    struct lines rows; /* as it happened; for events: rows of this trigger, without tags */
    struct lines diff; /* empty when equal; for people, ready to print */
};

struct result {
    const struct plan *plan;
    enum result_world world;
    enum reactor_trigger trigger;
    enum plan_family family;
    const char *defect; /* what was taken away from the sut, borrowed; NULL in a proper run */
    enum result_verdict verdict;
    struct result_ledger events;
    struct result_ledger wire; /* no rows for unix and pipe */
    struct result_ledger peers;
    /* The sut did not come to its stop: failed[0] says how it ended, `last` what it did last. */
    bool cut_short;
    struct lines last;      /* of a sut that was cut short: its last events rows */
    struct lines failed;    /* expectations that do not hold, each with `file:line:column: ` */
    struct lines left_over; /* nothing that `expect` names: "A unread 4" */
    /* Packets of the capture around the first difference, or before the end of a sut that was cut
     * short; the first line says around what. Empty: there is no capture, or no place in it. */
    struct lines packets;
    struct lines notes;     /* congestion control, buffers, retransmissions, housekeeping ... */
    char *reason;           /* why it is late, an error or a skip; NULL otherwise */
    uint32_t attempts;      /* runs it took; above 1 only after late ones */
    /* The runs of this cell by verdict; more than one in all only where runs are repeated. The rest
     * then tells of the gravest of them, and of those of the first. */
    uint32_t runs[RESULT_VERDICT_COUNT];
    struct duration worst_late; /* the peers' largest actual - due */
    bool late_by_work; /* the script leaves itself too little time: no repeat is on time either */
    struct duration setup;
    struct duration timeline;
    struct duration wall;
};

/* Frees what a result holds. The plan stays. */
void result_free(struct result *result);

/* How many of the `count` (at least 1) results, from the first on, are of its world: those of one
 * world stand together. */
size_t result_same_world(const struct result *results, size_t count);

/* The words of reports, JSON and paths. */
const char *result_verdict_name(enum result_verdict verdict);
const char *result_world_name(enum result_world world);

#endif
