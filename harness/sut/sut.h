/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_SUT_H
#define EDGEWISE_HARNESS_SUT_SUT_H

/*
 * What is under test, as the conductor sees it: something that is started in a namespace, goes on
 * when it is granted a turn, takes verbs, keeps a journal or none, and can be stopped.
 */

#include <stdint.h>

#include "core/journal.h"
#include "harness/happened.h"
#include "harness/script/plan.h"
#include "harness/sut/defects.h"
#include "netns/space.h"

/* Verbs that one order carries at most. */
#define SUT_VERBS_MAX 64

#define SUT_VERBS(X)                                                              \
    X(CONSUME) /* the application gives `count` frames of `peer` back */          \
    X(ADOPT)   /* a descriptor for `peer` is waiting on the control socket */     \
    X(FAULT)   /* `fault` applies to `peer` from now on */                        \
    X(STOP)    /* an orderly stop */

enum sut_verb_kind {
#define X(name) SUT_##name,
    SUT_VERBS(X)
#undef X
        SUT_VERB_COUNT
};

struct sut_verb {
    enum sut_verb_kind kind;
    uint32_t line; /* of the script, 0 for the bench's own */
    uint32_t peer;
    uint32_t count;
    struct plan_fault fault;
};

/* What the bench wants next. With no bound the sut goes on until it is idle. */
struct sut_order {
    struct instant now; /* script time, the reactor's clock under lock-step */
    uint64_t rounds;    /* 0: no bound */
    uint64_t quanta;    /* 0: no bound */
    bool more;          /* more verbs of the same turn follow: the sut goes on with the last ones */
    uint32_t verb_count;
    struct sut_verb verbs[SUT_VERBS_MAX];
};

#define SUT_STATUSES(X)                                                                      \
    X(IDLE)    /* it would wait until `deadline` */                                          \
    X(HELD)    /* the order's bound of rounds or quanta is used up */                        \
    X(LIMIT)   /* the script's limit of rounds or calls is used up; it will not go on */     \
    X(STOPPED) /* it stopped when told */                                                    \
    X(FAILED)  /* it could not start, its reactor gave up, or a verb cannot be done: `text` */

enum sut_status {
#define X(name) SUT_##name,
    SUT_STATUSES(X)
#undef X
        SUT_STATUS_COUNT
};

struct sut_report {
    enum sut_status status;
    struct instant deadline;
    uint64_t rounds;
    uint64_t calls;
    char text[160];
};

struct kernel;

struct sut_start {
    const struct plan *plan;
    enum reactor_trigger trigger;
    enum plan_family family;
    enum defects defect;       /* what is taken away from it; NONE in a proper run */
    const struct space *space; /* its network namespace; NULL with a simulated kernel */
    struct kernel *kernel;     /* simulated; NULL: the real one */
    int cpu;                   /* where it runs; -1: where the caller does */
    bool patient;              /* it does not go before ordinary work */
    struct block *block;       /* lent, for its journal; NULL: its own */
    struct trail *trail;       /* told who it is; NULL: nobody */
};

/* What can go wrong while the bench waits for the sut. */
#define SUT_GONE (-ECHILD)    /* it died */
#define SUT_HUNG (-ETIMEDOUT) /* it did not report in time */

struct sut_ops {
    /* Starts it and waits until it is in service; then it is idle. 0, SUT_GONE, SUT_HUNG, or
     * -errno. */
    int (*start)(void *self, const struct sut_start *start, struct failure *failure);
    /* Carries out an order. 0 and `ret_report`, SUT_GONE or SUT_HUNG, -EINTR when the bench was
     * told to end. Under free pace it does not wait for the sut to be idle. */
    int (*grant)(void *self, const struct sut_order *order, struct sut_report *ret_report);
    /* Hands a descriptor over for the next ADOPT of the same peer; `fd` stays the caller's. 0,
     * -errno. */
    int (*give)(void *self, int fd);
    /* The journal, NULL without one. Valid until close. */
    const struct journal *(*journal)(void *self);
    /* The peer of the n-th source (from 0) that came into service, PLAN_NOBODY when it is not there
     * yet. NULL: the sut cannot tell; then they come as the script connects them. */
    uint32_t (*source)(void *self, uint32_t n);
    /* True once it will not go on, whatever is granted. NULL: only a grant tells. */
    bool (*over)(void *self);
    /* Waits for its end after STOP, or ends it. Tells how it ended; `ret_text` is the caller's to
     * free, NULL when it stopped properly. */
    enum happened_fate (*finish)(void *self, char **ret_text);
    /* After finish: the lines of the script that it did not carry out to the full. NULL: none. */
    void (*left_over)(void *self, struct lines *lines);
    /* Frees all but the journal, which moves to `happened`. Ends the sut if it still lives. */
    void (*close)(void *self, struct happened *happened);
};

struct sut {
    const struct sut_ops *ops;
    void *self;
};

#endif
