/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/listener.h"

#include <assert.h>
#include <errno.h>

#include "core/callback.h"
#include "core/interest.h"
#include "core/service.h"
#include "core/source.h"
#include "core/trace.h"

void listener_noticed(struct reactor *r, struct identity id)
{
    if (!ready_member(r->accepting, id.slot) && !ready_member(r->starved, id.slot))
        ready_push(r->accepting, id.slot);
}

static bool listener_no_slot(const struct reactor *r)
{
    return r->table->held + r->table->retired == r->table->count;
}

/* Out of service until something is closed: a level-triggered listener that cannot accept would be
 * reported in every round. */
static void listener_rest(struct reactor *r, struct identity listener)
{
    ready_remove(r->accepting, listener.slot);
    ready_push(r->starved, listener.slot);
    interest_listen(r, listener, false);
}

/* An error of the pending connection, not of the listener: accept(2) passes network errors on. */
static bool listener_may_go_on(int rc)
{
    static const int errors[] = {EINTR,       ECONNABORTED, EPROTO,     ENETDOWN,   ENOPROTOOPT,
                                 EHOSTDOWN,   ENONET,       EHOSTUNREACH, ENETUNREACH};

    for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
        if (rc == -errors[i])
            return true;
    return false;
}

static void listener_admit(struct reactor *r, struct identity listener, int fd)
{
    uint32_t protocol = r->sources[listener.slot].protocol;
    struct identity id;

    r->account->accepts++;
    if (service_admit(r, fd, SOURCE_STREAM, protocol, listener, &id) < 0) {
        (void)os_close(r->os, fd);
        r->account->closes++;
        return;
    }
    callback_open(r, id);
}

/* One accept call. False when the listener has had its turn. */
static bool listener_accept(struct reactor *r, struct identity listener)
{
    int fd;

    if (listener_no_slot(r)) {
        listener_rest(r, listener);
        return false;
    }
    fd = os_accept(r->os, r->sources[listener.slot].fd);
    if (fd >= 0) {
        listener_admit(r, listener, fd);
        return identity_valid(r->table, listener);
    }
    trace_accept(r, listener, fd, IDENTITY_NONE);
    if (listener_may_go_on(fd))
        return true;
    if (fd == -EAGAIN)
        ready_remove(r->accepting, listener.slot);
    else
        listener_rest(r, listener); /* EMFILE and its kind */
    return false;
}

/* Something was closed: a slot, and perhaps a descriptor, is free again. */
static void listener_wake(struct reactor *r)
{
    uint32_t slot;

    r->head->freed = false;
    while ((slot = ready_pop(r->starved)) != READY_NONE) {
        interest_listen(r, identity_of(r->table, slot), true);
        ready_push(r->accepting, slot);
    }
}

bool listener_pending(const struct reactor *r)
{
    return r->accepting->length > 0 || r->head->freed;
}

void listener_turn(struct reactor *r)
{
    uint32_t listeners;

    if (r->head->freed)
        listener_wake(r);
    listeners = r->accepting->length;
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
