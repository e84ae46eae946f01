/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_STAGE_H
#define EDGEWISE_HARNESS_MODEL_STAGE_H

/*
 * The real reactor on a simulated kernel, one round at a time: its sources are connections whose
 * other ends belong to us, and nothing happens between two rounds but what we do there. All in one
 * thread and without a file, clock or socket of this machine.
 *
 * The sizes of everything are computed from the config, so no call here can fail for want of room;
 * one that fails nevertheless aborts the process, as harness/memory.h does.
 */

#include "core/os_fault.h"
#include "core/os_gate.h"
#include "core/os_record.h"
#include "core/reactor.h"
#include "harness/model/lookout.h"
#include "harness/sut/defects.h"
#include "sim/kernel/os_sim.h"

#define STAGE_SOURCES_MAX 16
#define STAGE_BYTES_MAX 16384 /* that one source is sent */
#define STAGE_BUDGET_MAX 10000

struct stage_config {
    uint32_t sources;      /* 1 .. STAGE_SOURCES_MAX */
    uint32_t bytes;        /* that all of them are sent, at most */
    enum reactor_trigger trigger;
    uint32_t collect;      /* h */
    bool no_requeue;       /* a source that a budget stops is left to the next notice (W2) */
    struct frame_format format;
    uint32_t capacity;
    struct budget_limits limits;
    enum defects defect;
    uint64_t calls;        /* waits and reads that the reactor may make */
    const struct reactor_handlers *handlers; /* NULL: none */
    void *app;
};

struct stage {
    struct kernel *kernel;
    struct os_sim sim;
    struct os_fault fault;
    struct spoiler *spoiler;
    struct os_record record;
    struct lookout lookout;
    struct os_gate gate;
    struct journal *journal; /* of the last round */
    struct reader_rules rules;
    struct reactor_protocol protocol;
    struct reactor *reactor;
    uint32_t sources;
    int peers[STAGE_SOURCES_MAX];   /* descriptors of the other ends */
    int fds[STAGE_SOURCES_MAX];     /* of the reactor's ends */
    struct identity ids[STAGE_SOURCES_MAX];
    uint32_t journal_records;
    uint32_t journal_bytes;
    bool idle;
};

/* What a round came to. */
enum stage_end {
    STAGE_ON,     /* something was there to do */
    STAGE_IDLE,   /* nothing: the reactor would sleep */
    STAGE_BROKEN, /* it found itself broken, or the calls are used up: it has closed everything */
};

/* Makes the kernel, the connections and the reactor; no source is in service yet. `stage` must
 * stay where it is. Close with stage_close. */
void stage_open(struct stage *stage, const struct stage_config *config);
void stage_close(struct stage *stage);

/* Puts a source into service. */
void stage_adopt(struct stage *stage, uint32_t source);

/* What the other end does. */
void stage_send(struct stage *stage, uint32_t source, const uint8_t *bytes, uint32_t size);
void stage_end(struct stage *stage, uint32_t source);   /* no more bytes follow */
void stage_reset(struct stage *stage, uint32_t source); /* what was sent can still be read */

/* The next `times` reads of a source, 0: all, are interrupted. */
void stage_interrupt(struct stage *stage, uint32_t source, uint32_t times);

/* A notice IN of a source comes with the next batch, with no arrival behind it. */
void stage_notify(struct stage *stage, uint32_t source);

/* Empties the journal, before something outside of a round. */
void stage_forget(struct stage *stage);

/* One round; the journal then holds what the reactor did in it. */
enum stage_end stage_round(struct stage *stage);

/* Bytes that a source has not been read of; -1 when it is closed. */
long stage_unread(struct stage *stage, uint32_t source);

/* The number of a source, STAGE_SOURCES_MAX for another identity. */
uint32_t stage_source(const struct stage *stage, struct identity id);

/* The source whose descriptor `fd` is, likewise. */
uint32_t stage_source_of(const struct stage *stage, int fd);

/* The sources in the queue that a READY, STOP, END or RESUME record tells, head first, to
 * `ret_queue` of STAGE_SOURCES_MAX. Returns how many. */
uint32_t stage_queue(const struct stage *stage, const struct journal_record *record,
                     uint8_t *ret_queue);

#endif
