/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/sent.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"

/* The kernel cannot have taken more than there was. */
static size_t taken(const struct happened_action *action, const struct plan_statement *statement)
{
    size_t size = statement->bytes.size;

    return action->bytes < size ? (size_t)action->bytes : size;
}

static void add_send(struct sent *sent, const struct happened_action *action,
                     const struct plan_statement *statement)
{
    size_t size = taken(action, statement);

    if (size > 0)
        memcpy(sent->data + sent->size, statement->bytes.data, size);
    sent->size += size;
    sent->last = statement->at;
}

static bool ends(const struct plan_statement *statement)
{
    return statement->verb == PLAN_RESET || statement->verb == PLAN_CLOSE ||
           (statement->verb == PLAN_SHUTDOWN && statement->how != PLAN_HOW_READ);
}

static void add_action(struct sent *sent, const struct happened_action *action,
                       const struct plan_statement *statement)
{
    if (statement->verb == PLAN_SEND)
        add_send(sent, action, statement);
    if (action->error != 0)
        return;
    sent->ended |= ends(statement);
    sent->reset |= statement->verb == PLAN_RESET;
}

void sent_make(const struct happened *happened, uint32_t peer, struct sent *ret_sent)
{
    const struct plan *plan = happened->plan;
    struct sent sent = {.last = INSTANT_PAST};
    size_t size = 0;

    for (uint32_t i = 0; i < happened->action_count; i++) {
        const struct happened_action *action = &happened->actions[i];

        assert(action->statement < plan->statement_count);
        if (plan->statements[action->statement].peer == peer)
            size += taken(action, &plan->statements[action->statement]);
    }
    sent.data = memory_zeroed(size, 1);
    for (uint32_t i = 0; i < happened->action_count; i++) {
        const struct happened_action *action = &happened->actions[i];

        if (plan->statements[action->statement].peer == peer)
            add_action(&sent, action, &plan->statements[action->statement]);
    }
    assert(sent.size <= size);
    *ret_sent = sent;
}

uint64_t sent_before(const struct happened *happened, uint32_t peer, struct instant at)
{
    const struct plan *plan = happened->plan;
    uint64_t size = 0;

    for (uint32_t i = 0; i < happened->action_count; i++) {
        const struct happened_action *action = &happened->actions[i];
        const struct plan_statement *statement = &plan->statements[action->statement];

        if (statement->peer == peer && statement->verb == PLAN_SEND &&
            instant_before(statement->at, at))
            size += taken(action, statement);
    }
    return size;
}

void sent_free(struct sent *sent)
{
    free(sent->data);
    *sent = (struct sent){0};
}
