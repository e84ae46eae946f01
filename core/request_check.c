/* SPDX-License-Identifier: BSD-2-Clause */
/* Every invariant of the account of requests (R-A-06, R-A-19). */
#include "core/request.h"

#define STATE(name) (1u << REQUEST_##name)
#define INFLIGHT    (STATE(WAITING) | STATE(CANCELING) | STATE(ABANDONED))
#define PENDING     (STATE(CANCELING) | STATE(LENT_CANCELING) | STATE(RETURNED))
#define BACK        (STATE(RETURNED) | STATE(RETIRED))
#define BORROWED    (STATE(LENT) | STATE(LENT_CANCELING))

/* The state says who owes, and the columns say the same. */
static bool request_check_columns(const struct request *request)
{
    unsigned state = 1u << request->state;
    bool asked = request->logical == REQUEST_LOGICAL_TIMEOUT ||
                 request->logical == REQUEST_LOGICAL_EXITED;

    return (request->logical == REQUEST_LOGICAL_WAITING) == (state == STATE(WAITING)) &&
           (request->target == REQUEST_TARGET_INFLIGHT) == ((state & INFLIGHT) != 0) &&
           (request->cancel == REQUEST_CANCEL_PENDING) == ((state & PENDING) != 0) &&
           (request->cancel != REQUEST_CANCEL_NONE) == asked &&
           (request->returned == 1) == ((state & BACK) != 0) &&
           request->delivered <= ((state & INFLIGHT) != 0) + ((state & PENDING) != 0);
}

static bool request_check_holders(const struct request *request)
{
    unsigned state = 1u << request->state;
    int live = 0;

    for (uint64_t rest = request->live; rest != 0; rest &= rest - 1)
        live++;
    return request->device == ((state & INFLIGHT) != 0) && request->borrows == live &&
           (request->tokens == REQUEST_TOKENS || request->live >> request->tokens == 0) &&
           ((state & BORROWED) == 0 || live > 0) && ((state & BACK) == 0 || live == 0);
}

/* R-A-06: held means that the pool counts the same holders, returned that it is nobody's here. */
static bool request_check_buffer(const struct request_ledger *ledger,
                                 const struct request *request)
{
    const struct pool *pool = ledger->pool;

    if (request->returned)
        return !pool_owns(pool, request->buffer, request->id);
    return pool_owns(pool, request->buffer, request->id) &&
           pool->buffer[request->buffer].holders == (uint32_t)(request->device + request->borrows);
}

static bool request_check_record(const struct request_ledger *ledger,
                                 const struct request *request)
{
    if (request->id.generation == 0)
        return true; /* a slot that nobody has had */
    return request->state <= REQUEST_RETIRED &&
           identity_valid(ledger->ids, request->id) == (request->state != REQUEST_RETIRED) &&
           request_check_columns(request) && request_check_holders(request) &&
           request_check_buffer(ledger, request);
}

bool request_check(const struct request_ledger *ledger)
{
    const struct request_table *table = ledger->table;
    uint32_t open = 0, unretired = 0, held = 0;

    for (uint32_t slot = 0; slot < table->count; slot++) {
        const struct request *request = &table->record[slot];

        if (!request_check_record(ledger, request))
            return false;
        unretired += request->state != REQUEST_RETIRED;
        open += request->state == REQUEST_WAITING;
        held += request->state != REQUEST_RETIRED && !request->returned;
    }
    return open == table->open && unretired == table->unretired && table->places == unretired &&
           unretired <= table->admitted && held == ledger->pool->held &&
           ledger->pool->held_bytes <= (uint64_t)table->admitted * ledger->pool->bytes &&
           ledger->pool->misused == 0 && table->consumed <= table->delivered &&
           pool_check(ledger->pool) && identity_table_check(ledger->ids);
}

#undef STATE
#undef INFLIGHT
#undef PENDING
#undef BACK
#undef BORROWED
