/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_CORE_REACTOR_H
#define EDGEWISE_CORE_REACTOR_H

/*
 * A bounded reactor: notices are advice, work that is left over stays in a queue of ours, every
 * turn is limited, and downstream room is a wake-up source of its own.
 *
 * One round (R-L-01): stop and control; collect at most `collect` notices, with zero wait while
 * there is local work (R-L-02..04); one bounded turn of each local queue (inbox, capacity,
 * accepts); one read quantum of the head of Q.
 *
 * One thread owns a reactor. Callbacks run on it, between two operations of a quantum, and may call
 * everything here but reactor_round and reactor_run, which then answer -EBUSY (R-ID-04). Only
 * reactor_post and reactor_stop may also be called from other threads, reactor_stop from signal
 * handlers too.
 *
 * After reactor_open nothing is allocated. What the reactor knows lies in one arena of two parts:
 * `state` (indices and flags: copied and compared) and `account` (counters and peaks: copied only).
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/budget.h"
#include "core/credit.h"
#include "core/frame.h"
#include "core/identity.h"
#include "core/journal.h"
#include "core/os.h"
#include "core/reader.h"

/* How connections are registered; listeners are level-triggered under each of them. */
#define REACTOR_TRIGGERS(X) \
    X(ET, "et") /* EPOLLET */ \
    X(LT, "lt") /* level-triggered */ \
    X(OS, "os") /* EPOLLET | EPOLLONESHOT, rearmed at EAGAIN only (R-ET-14) */

enum reactor_trigger {
#define X(name, text) REACTOR_##name,
    REACTOR_TRIGGERS(X)
#undef X
        REACTOR_TRIGGER_COUNT
};

struct reactor;

/* What an application does; any member may be NULL. `app` is the config's. */
struct reactor_handlers {
    /* A source is in service: accepted by a listener, or adopted. */
    void (*open)(struct reactor *r, struct identity id, void *app);
    /* Bytes of a source without frames. Valid during the call. */
    void (*data)(struct reactor *r, struct identity id, const uint8_t *bytes, uint32_t size,
                 void *app);
    /* One whole frame. `payload` stays valid until reactor_release gives the frame back. */
    void (*frame)(struct reactor *r, struct identity id, const uint8_t *payload, uint32_t size,
                  void *app);
    /* The read direction ended; told once. The source stays until reactor_close. `error` is the
     * errno of RESET and ERROR, else 0. */
    void (*end)(struct reactor *r, struct identity id, enum reader_outcome outcome, int error,
                void *app);
    /* The source is being closed; its identity is already stale, so its tag comes along. */
    void (*close)(struct reactor *r, struct identity id, uint64_t tag, void *app);
};

/* What a kind of connection is: chosen by its index in the config. */
struct reactor_protocol {
    struct frame_format format; /* header 0: raw bytes, `capacity` 0 */
    /* Credit in bytes: at least the largest frame (R-F-24), at most 2^30. */
    uint32_t capacity;
    struct budget_limits limits; /* of one quantum */
    const struct reactor_handlers *handlers;
};

/* Bounds of a config. */
#define REACTOR_SLOTS_MAX (UINT32_C(1) << 20)
#define REACTOR_PROTOCOLS_MAX 16
#define REACTOR_READ_MAX (UINT32_C(1) << 20) /* bytes that one raw read asks for at most */

struct reactor_config {
    uint32_t slots;   /* sources at once, listeners included: 1 .. REACTOR_SLOTS_MAX */
    uint32_t collect; /* h, notices a round: 1 .. OS_EVENTS_MAX */
    enum reactor_trigger trigger;
    const struct reader_rules *rules; /* NULL: reader_rules */
    const struct reactor_protocol *protocols;
    uint32_t protocol_count; /* 1 .. REACTOR_PROTOCOLS_MAX */
    struct journal *journal; /* NULL: off */
    uint32_t inbox;          /* words that may wait in the inbox: a power of two, 2 .. 2^20 */
    /* A posted word, in the reactor's thread, in the local turn. NULL when nothing posts. */
    void (*post)(struct reactor *r, uint64_t word, void *app);
    void *app;
    /* reactor_check after every collect and quantum; a broken reactor ends the run (R-Q-12). */
    bool checks;
};

/* Counters that are never mixed up with each other (R-OBS-01). */
#define REACTOR_COUNTERS(X)                                                    \
    X(rounds)                                                                  \
    X(waits)          /* calls of os_wait */                                   \
    X(registrations)  /* interest entries added */                             \
    X(notices)        /* elements of batches, stale ones included */           \
    X(notices_again)  /* of them, for a source whose hint was already 1 */     \
    X(notices_stale)  /* of them, for a retired identity */                    \
    X(quanta)                                                                  \
    X(reads)                                                                   \
    X(reads_data)                                                              \
    X(reads_eagain)                                                            \
    X(reads_eintr)                                                             \
    X(bytes)                                                                   \
    X(frames)                                                                  \
    X(yields)         /* quanta that a budget ended, with room to go on */     \
    X(pauses)                                                                  \
    X(resumes)                                                                 \
    X(ends)                                                                    \
    X(posts)                                                                   \
    X(overshoots)     /* quanta that ended by their time budget */             \
    X(overshoot_peak_ns) /* the most that one went over it (R-B-08) */         \
    X(wait_errors)    /* waits that failed, EINTR aside (R-L-10) */            \
    X(accepts)                                                                 \
    X(closes)                                                                  \
    X(ctl_errors)                                                              \
    X(illegal)        /* events in an illegal cell: each one is a bug (R-ST-21) */ \
    X(ready_peak)     /* the most sources in Q */                              \
    X(round_notices_peak)

struct reactor_account {
#define X(name) uint64_t name;
    REACTOR_COUNTERS(X)
#undef X
};

/* The words of scripts, paths and tags: "et", "lt", "os". */
const char *reactor_trigger_name(enum reactor_trigger trigger);

/*
 * Makes a reactor over `os`, which outlives it. 0, -EINVAL (a config out of range:
 * reactor_config_error says which), -ENOMEM.
 */
int reactor_open(const struct reactor_config *config, struct os os, struct reactor **ret_reactor);

/* NULL for a usable config, else what is wrong with it; static text. */
const char *reactor_config_error(const struct reactor_config *config);

/* Closes what is left, listeners first, then in slot order, and frees the reactor. Not from a
 * callback. NULL is fine. */
void reactor_free(struct reactor *r);

/*
 * Puts listener `fd` into service; its connections get `protocol`. 0; -EINVAL, -ENFILE (no slot),
 * -ESHUTDOWN (it is stopping), or what ctl said; on failure `fd` stays the caller's.
 */
int reactor_listen(struct reactor *r, int fd, uint32_t protocol, struct identity *ret_id);

/* Puts the stream `fd` into service under `protocol`. As reactor_listen. A descriptor that may
 * block stops the only thread (R-ET-02): setting O_NONBLOCK is the caller's. */
int reactor_adopt(struct reactor *r, int fd, uint32_t protocol, struct identity *ret_id);

/*
 * Takes a source out of service and closes its descriptor, in the order of R-ID-06: undispatchable,
 * out of Q, entry deleted, closed. Frames that were not released are gone. 0, or -ESTALE.
 */
int reactor_close(struct reactor *r, struct identity id);

/*
 * Gives the oldest `frames` frames back; their room is credit again, and a paused source resumes in
 * the next local turn without any new notice (R-F-07). 0, -ESTALE, or -EINVAL when fewer are held;
 * then nothing changed.
 */
int reactor_release(struct reactor *r, struct identity id, uint32_t frames);

/* Asks for an orderly stop: seen at the start of the next round. Safe from any thread and from
 * signal handlers; idempotent; a stop before reactor_run is not lost. */
void reactor_stop(struct reactor *r);

/* Hands `word` to config.post in a coming local turn. Any thread. 0; -EAGAIN when the inbox is
 * full; -ESHUTDOWN once the reactor stops. A word that was taken is handed over, at the stop at the
 * latest (R-L-18). */
int reactor_post(struct reactor *r, uint64_t word);

/* Rounds until the reactor has stopped. 0; -EBUSY from a callback; -EPERM from another thread than
 * the one that ran the first round (R-ID-03); what the wait said, after everything was closed
 * (R-L-10); -ENOTRECOVERABLE when config.checks found the reactor broken. */
int reactor_run(struct reactor *r);

/* One round. 1 while there is more to come, 0 when it has stopped; errors as reactor_run. */
int reactor_round(struct reactor *r);

/* A number of the application's, carried with the source and never looked at. 0 at first.
 * -ESTALE. */
int reactor_tag_set(struct reactor *r, struct identity id, uint64_t tag);
uint64_t reactor_tag(const struct reactor *r, struct identity id);

/* Descriptor of a source, -1 when stale: for diagnosis, never for I/O. */
int reactor_descriptor(const struct reactor *r, struct identity id);

/* What there is to know about a source. */
struct reactor_view {
    enum reader_state state;
    bool hint;
    bool listener;
    uint32_t frames_held;
    struct credit credit;
    uint32_t credit_peak; /* the most that used + reserved ever was (R-F-13) */
};

/* Tells it. 0, or -ESTALE. */
int reactor_view(const struct reactor *r, struct identity id, struct reactor_view *ret_view);

/* The source in `slot`, IDENTITY_NONE when free. For walks over all of them: 0 .. slots - 1. */
struct identity reactor_at(const struct reactor *r, uint32_t slot);

/* The counters; valid as long as the reactor. */
const struct reactor_account *reactor_account(const struct reactor *r);

/* Checks R-Q-01..04, R-ST-19 and every credit bound; false when one is broken. */
bool reactor_check(const struct reactor *r);

/* Size of a snapshot in bytes. */
size_t reactor_snapshot_size(const struct reactor *r);

/* Copies the arena at a round boundary, or puts a copy back: the continuation is then the same,
 * provided that the kernel behind os.h was put back too. 0; -EBUSY inside a round. */
int reactor_save(const struct reactor *r, void *ret_snapshot);
int reactor_restore(struct reactor *r, const void *snapshot);

/* A digest of `state` without `account`: equal states, equal digests. */
uint64_t reactor_digest(const struct reactor *r);

#endif
