/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/halt.h"

#include "core/callback.h"
#include "core/service.h"
#include "core/trace.h"

static void halt_kind(struct reactor *r, enum source_kind kind)
{
    for (uint32_t slot = 0; slot < r->config.slots; slot++) {
        struct identity id = identity_of(r->table, slot);

        if (identity_valid(r->table, id) && r->sources[slot].kind == kind)
            service_close(r, id);
    }
}

/* Words that were taken from a sender are handed over, however late (R-L-18). */
static void halt_inbox(struct reactor *r)
{
    uint64_t word;

    ingress_close(r->inbox);
    while (!ingress_drained(r->inbox)) {
        if (!ingress_take(r->inbox, &word))
            continue; /* its sender is between having a place and having written to it */
        r->account->posts++;
        callback_post(r, word);
    }
}

/* Admission first, so that what is left is finite and known (R-L-17). */
void halt_run(struct reactor *r)
{
    bool inside = r->inside;

    r->inside = true;
    r->head->halted = true;
    trace_halt(r);
    halt_kind(r, SOURCE_LISTENER);
    halt_inbox(r);
    halt_kind(r, SOURCE_STREAM);
    r->inside = inside;
}
