/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_SPOILER_H
#define EDGEWISE_HARNESS_SUT_SPOILER_H

/*
 * Decorators over os.h that take a rule of the reactor away from below: what a reactor without the
 * rule would have made of the kernel's answers, the reactor with it is told instead. They stand
 * above the faults, which are the kernel's, and below the record and the gate, which see the
 * reactor.
 */

#include "core/os.h"
#include "core/reactor.h"
#include "harness/script/plan.h"

enum spoiler_kind {
    SPOILER_NONE,
    SPOILER_COLLECT_WHEN_IDLE, /* a wait finds nothing while a source is QUEUED */
    SPOILER_EAGAIN_IS_EOF,     /* EAGAIN of a read is the end of the stream */
    SPOILER_HANGUP_IS_EOF,     /* after a notice with RDHUP, ERR or HUP there are no more bytes */
    SPOILER_READ_AHEAD,        /* a read takes all that is there, the rest waits in an array */
    SPOILER_TOLD_BY_NUMBER,    /* a notice is for whoever has its descriptor number now */
    SPOILER_READ_PAST_RESET,   /* a read that says ECONNRESET is repeated */
    SPOILER_KIND_COUNT
};

/* Peers connect once each, and there is one listener. */
#define SPOILER_ENTRIES (PLAN_PEERS_MAX + 1)
#define SPOILER_AHEAD 4096

/* One interest entry that was added. */
struct spoiler_entry {
    uint64_t data;
    int fd;
    bool hung; /* a notice of it had RDHUP, ERR or HUP */
    uint32_t begin;
    uint32_t end;
    uint8_t ahead[SPOILER_AHEAD]; /* bytes begin .. end are still to be given out */
};

struct spoiler {
    struct os inner; /* first: os_pass */
    struct reactor *const *reactor;
    uint32_t count;
    struct spoiler_entry entries[SPOILER_ENTRIES]; /* as they were added; none ever goes */
};

/* Wraps `inner`, or hands it back for SPOILER_NONE. `spoiler` and `reactor`, which is looked at in
 * waits only, must stay where they are as long as the table is used. */
struct os spoiler_wrap(struct spoiler *spoiler, enum spoiler_kind kind, struct os inner,
                       struct reactor *const *reactor);

#endif
