/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/interest.h"

#include <assert.h>

#include "core/defect.h"
#include "core/source.h"
#include "core/trace.h"

#define INTEREST_READ (OS_IN | OS_RDHUP)

static const uint16_t interest_modes[REACTOR_TRIGGER_COUNT] = {
    [REACTOR_ET] = OS_ET,
    [REACTOR_LT] = 0,
    [REACTOR_OS] = OS_ET | OS_ONESHOT,
};

static int interest_change(struct reactor *r, struct identity id, enum os_ctl op, uint16_t events)
{
    struct source *source = &r->sources[id.slot];
    int rc = os_ctl(r->os, op, source->fd, events, identity_pack(id));

    if (source->kind == SOURCE_STREAM)
        trace_ctl(r, id, op, source->mask, events, rc);
    if (rc < 0) {
        r->account->ctl_errors++;
        return rc;
    }
    source->mask = events;
    source->armed = op != OS_DEL;
    source->registered = op != OS_DEL;
    return 0;
}

int interest_add(struct reactor *r, struct identity id)
{
    const struct source *source = &r->sources[id.slot];
    uint16_t events = INTEREST_READ | interest_modes[r->config.trigger];
    int rc;

    assert(!source->registered);
    if (source->kind == SOURCE_LISTENER)
        events = OS_IN;
    rc = interest_change(r, id, OS_ADD, events);
    if (rc == 0)
        r->account->registrations++;
    return rc;
}

void interest_delete(struct reactor *r, struct identity id)
{
    if (r->sources[id.slot].registered)
        (void)interest_change(r, id, OS_DEL, 0);
}

/* The events that a level-triggered entry may ask for in each state. */
static uint16_t interest_wanted(const struct reader *reader)
{
    bool paused = reader->state == READER_PAUSED && !DEFECT(PAUSED_UNMASKED);

    return paused || reader->state == READER_FINISHED ? 0 : INTEREST_READ;
}

/* The kernel would tell us of input. */
static bool interest_heard(const struct source *source)
{
    return (source->mask & OS_IN) && (!(source->mask & OS_ONESHOT) || source->armed);
}

/* A source that waits for a notice which cannot come would wait for ever (R-ET-09). It is served as
 * if it had one: its reads then tell how it stands, and the entry is tried again after them. */
static void interest_rescue(struct reactor *r, struct identity id)
{
    bool room = source_room(r, &r->sources[id.slot]);

    source_step(r, id, room ? READER_NOTICE_ROOM : READER_NOTICE_NO_ROOM);
    trace_ready(r, id);
}

static void interest_update(struct reactor *r, struct identity id)
{
    const struct source *source = &r->sources[id.slot];
    const struct reader *reader = &source->reader;

    if (reader->state == READER_FAILED) {
        interest_delete(r, id);
    } else if (r->config.trigger == REACTOR_LT) {
        if (source->mask != interest_wanted(reader))
            (void)interest_change(r, id, OS_MOD, interest_wanted(reader));
    } else if (r->config.trigger == REACTOR_OS) {
        if (reader->state == READER_WAITING && !reader->hint && !source->armed)
            (void)interest_change(r, id, OS_MOD, source->mask);
    }
}

void interest_sync(struct reactor *r, struct identity id)
{
    const struct source *source = &r->sources[id.slot];

    assert(source->kind == SOURCE_STREAM);
    if (!source->registered)
        return;
    interest_update(r, id);
    if (source->reader.state == READER_WAITING && !source->reader.hint && !interest_heard(source))
        interest_rescue(r, id);
}

void interest_noticed(struct reactor *r, struct identity id, uint16_t events)
{
    struct source *source = &r->sources[id.slot];

    source->armed = false;
    if (DEFECT(HANGUP_ENTRY_KEPT))
        return;
    if (r->config.trigger == REACTOR_LT && !(source->mask & OS_IN) && (events & (OS_ERR | OS_HUP)))
        interest_delete(r, id);
}

void interest_listen(struct reactor *r, struct identity id, bool on)
{
    assert(r->sources[id.slot].kind == SOURCE_LISTENER);
    (void)interest_change(r, id, OS_MOD, on ? OS_IN : 0);
}
