/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/listener.h"

#include <assert.h>
#include <errno.h>

#include "core/interest.h"
#include "core/reactor_impl.h"
#include "core/trace.h"

void listener_noticed(struct reactor *r, struct identity id)
{
    if (!ready_member(r->accepting, id.slot) && !ready_member(r->starved, id.slot))
        ready_push(r->accepting, id.slot);
}

static bool listener_starved(struct reactor *r, struct identity listener)
{
    if (r->table->held + r->table->retired < r->table->count)
        return false;
    ready_remove(r->accepting, listener.slot);
    ready_push(r->starved, listener.slot);
    interest_listen(r, listener, false);
    return true;
}

/* An error that concerns the pending connection or the moment, not the listener. */
static bool listener_may_go_on(int rc)
{
    return rc == -EINTR || rc == -ECONNABORTED;
}

static void listener_admit(struct reactor *r, struct identity listener, int fd)
{
    uint32_t protocol = r->sources[listener.slot].protocol;
    const struct reactor_handlers *handlers = r->protocols[protocol].handlers;
    struct identity id;

    r->account->accepts++;
    if (reactor_impl_admit(r, fd, SOURCE_STREAM, protocol, JOURNAL_ACCEPT, listener, &id) < 0) {
        (void)os_close(r->os, fd);
        return;
    }
    if (handlers->open)
        handlers->open(r, id, r->config.app);
}

/* One accept call. False when the listener has had its turn. */
static bool listener_accept(struct reactor *r, struct identity listener)
{
    int fd;

    if (listener_starved(r, listener))
        return false;
    fd = os_accept(r->os, r->sources[listener.slot].fd);
    if (fd >= 0) {
        listener_admit(r, listener, fd);
        return identity_valid(r->table, listener);
    }
    trace_accept(r, listener, fd, IDENTITY_NONE);
    if (listener_may_go_on(fd))
        return true;
    /* EAGAIN, or no descriptor left: the level-triggered entry will report again. */
    ready_remove(r->accepting, listener.slot);
    return false;
}

void listener_turn(struct reactor *r)
{
    uint32_t listeners = r->accepting->length;

    while (listeners-- > 0 && r->accepting->length > 0) {
        struct identity id = identity_of(r->table, ready_first(r->accepting));

        for (int i = 0; i < LISTENER_TURN; i++)
            if (!listener_accept(r, id))
                break;
        if (identity_valid(r->table, id) && ready_member(r->accepting, id.slot)) {
            ready_remove(r->accepting, id.slot);
            ready_push(r->accepting, id.slot);
        }
    }
}

void listener_room(struct reactor *r)
{
    uint32_t slot;

    while ((slot = ready_pop(r->starved)) != READY_NONE) {
        interest_listen(r, identity_of(r->table, slot), true);
        ready_push(r->accepting, slot);
    }
}
