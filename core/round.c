/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/round.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "core/callback.h"
#include "core/check.h"
#include "core/defect.h"
#include "core/halt.h"
#include "core/interest.h"
#include "core/listener.h"
#include "core/quantum.h"
#include "core/source.h"
#include "core/trace.h"

/* Inbox words and resumptions that one local turn handles at most; the rest is local work. */
#define ROUND_TURN 64

static bool round_has_work(const struct reactor *r)
{
    return r->ready->length > 0 || r->resuming->length > 0 || listener_pending(r) ||
           ingress_pending(r->inbox) || atomic_load(&r->stop_asked);
}

static void round_notice_stream(struct reactor *r, struct identity id, uint16_t events)
{
    const struct source *source = &r->sources[id.slot];
    enum reader_state before = (enum reader_state)source->reader.state;
    bool room = source_room(r, source);
    bool again = source->reader.hint;
    enum reader_event event = room ? READER_HANGUP_ROOM : READER_HANGUP_NO_ROOM;

    if (events & OS_IN)
        event = room ? READER_NOTICE_ROOM : READER_NOTICE_NO_ROOM;
    r->account->notices_again += again;
    trace_notice(r, id, events, again ? JOURNAL_FLAG_AGAIN : 0);
    source_step(r, id, event);
    if (source->reader.state != before)
        trace_ready(r, id);
    interest_noticed(r, id, events);
    interest_sync(r, id);
}

/* For an old holder of the slot: its present one, if any, is told and ignores it (e3). */
static void round_notice_stale(struct reactor *r, struct identity id, uint16_t events)
{
    struct identity holder = identity_of(r->table, id.slot);

    r->account->notices_stale++;
    trace_notice(r, id, events, JOURNAL_FLAG_STALE);
    if (identity_valid(r->table, holder) && r->sources[holder.slot].kind == SOURCE_STREAM)
        source_step(r, holder, READER_NOTICE_STALE);
}

/* One element of a batch: checked by generation before anything is touched (R-ID-05). */
static void round_notice(struct reactor *r, const struct os_event *event)
{
    struct identity id = identity_unpack(event->data);

    r->account->notices++;
    if (!identity_valid(r->table, id) && !DEFECT(BATCH_UNCHECKED)) {
        round_notice_stale(r, id, event->events);
    } else if (r->sources[id.slot].kind == SOURCE_LISTENER) {
        trace_notice(r, id, event->events, 0);
        listener_noticed(r, id);
    } else {
        round_notice_stream(r, id, event->events);
    }
}

static int round_collect(struct reactor *r)
{
    struct instant deadline = round_has_work(r) ? INSTANT_PAST : INSTANT_NEVER;
    int count;

    /* The array's content means nothing after the last round (R-ID-14, R-L-09). */
    if (r->config.checks)
        memset(r->events, 0xa5, r->config.collect * sizeof(*r->events));
    r->account->waits++;
    count = os_wait(r->os, r->events, (int)r->config.collect, deadline);
    if (count == -EINTR)
        return 0;
    if (count < 0) {
        r->account->wait_errors++;
        return count;
    }
    assert((uint32_t)count <= r->config.collect);
    if ((uint64_t)count > r->account->round_notices_peak)
        r->account->round_notices_peak = (uint64_t)count;
    for (int i = 0; i < count; i++)
        round_notice(r, &r->events[i]);
    return 0;
}

static void round_resume_turn(struct reactor *r)
{
    uint32_t turn = r->resuming->length < ROUND_TURN ? r->resuming->length : ROUND_TURN;

    while (turn-- > 0) {
        struct identity id = identity_of(r->table, ready_pop(r->resuming));
        const struct source *source = &r->sources[id.slot];

        if (source->reader.state != READER_PAUSED)
            continue;
        if (!source_room(r, source)) {
            source_step(r, id, READER_RELEASE_TOO_LITTLE);
            continue;
        }
        source_step(r, id,
                    source->reader.hint ? READER_RELEASE_HINT : READER_RELEASE_NO_HINT);
        /* Other rules may leave it where it is. */
        if (source->reader.state == READER_PAUSED)
            continue;
        r->account->resumes++;
        trace_resume(r, id);
        interest_sync(r, id);
    }
}

static void round_inbox_turn(struct reactor *r)
{
    uint64_t word;

    for (int i = 0; i < ROUND_TURN && ingress_take(r->inbox, &word); i++) {
        r->account->posts++;
        callback_post(r, word);
    }
}

/* One bounded turn of every local queue, each in every round: none can keep another out
 * (R-L-06). */
static void round_local_turn(struct reactor *r)
{
    if (DEFECT(QUEUE_BEFORE_TURN) && r->ready->length > 0)
        return;
    round_inbox_turn(r);
    round_resume_turn(r);
    listener_turn(r);
}

static int round_verify(const struct reactor *r)
{
    if (!r->config.checks || (check_all(r) && r->account->illegal == 0))
        return 0;
    return -ENOTRECOVERABLE;
}

int round_run(struct reactor *r)
{
    int rc;

    r->account->rounds++;
    if (atomic_load(&r->stop_asked)) {
        halt_run(r);
        return 0;
    }
    rc = round_collect(r);
    if (rc < 0) {
        /* Without a wait nothing can go on; what is open is closed in order. */
        halt_run(r);
        return rc;
    }
    rc = round_verify(r);
    if (rc < 0)
        return rc;
    round_local_turn(r);
    quantum_run(r);
    rc = round_verify(r);
    return rc < 0 ? rc : 1;
}
