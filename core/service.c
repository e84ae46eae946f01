/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/service.h"

#include <string.h>

#include "core/callback.h"
#include "core/interest.h"
#include "core/source.h"
#include "core/trace.h"

/* A source that could not come into service goes at once, and its row says so. */
static void service_turn_away(struct reactor *r, struct identity id)
{
    struct source *source = &r->sources[id.slot];

    (void)identity_retire(r->table, id);
    if (source->kind == SOURCE_STREAM)
        trace_close(r, id);
    memset(source, 0, sizeof(*source));
}

int service_admit(struct reactor *r, int fd, enum source_kind kind, uint32_t protocol,
                  struct identity listener, struct identity *ret_id)
{
    struct identity id;
    struct source *source;
    int rc = identity_take(r->table, &id);

    if (rc < 0)
        return rc;
    source = &r->sources[id.slot];
    memset(source, 0, sizeof(*source));
    source->fd = fd;
    source->kind = (uint8_t)kind;
    source->protocol = (uint8_t)protocol;
    reader_init(&source->reader);
    credit_init(&source->credit, r->protocols[protocol].capacity);
    memset(&r->source_accounts[id.slot], 0, sizeof(*r->source_accounts));
    if (!identity_equal(listener, IDENTITY_NONE))
        trace_accept(r, listener, 0, id);
    else if (kind == SOURCE_STREAM)
        trace_adopt(r, id);
    rc = interest_add(r, id);
    if (rc < 0) {
        service_turn_away(r, id);
        return rc;
    }
    *ret_id = id;
    return 0;
}

static void service_leave(struct ready *queue, uint32_t slot)
{
    if (ready_member(queue, slot))
        ready_remove(queue, slot);
}

void service_close(struct reactor *r, struct identity id)
{
    struct source *source = &r->sources[id.slot];
    const struct source was = *source;
    bool stream = was.kind == SOURCE_STREAM;

    if (stream)
        source_step(r, id, READER_CLOSE);
    (void)identity_retire(r->table, id);
    service_leave(r->ready, id.slot);
    service_leave(r->resuming, id.slot);
    service_leave(r->accepting, id.slot);
    service_leave(r->starved, id.slot);
    if (stream)
        trace_close(r, id);
    interest_delete(r, id);
    memset(source, 0, sizeof(*source));
    (void)os_close(r->os, was.fd);
    r->account->closes++;
    if (r->starved->length > 0)
        r->head->freed = true;
    if (stream)
        callback_close(r, id, was.protocol, was.tag);
}
