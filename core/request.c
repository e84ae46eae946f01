/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/request.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

_Static_assert(sizeof(struct request) == 32, "no padding");
_Static_assert(REQUEST_TOKENS == 64, "a token is a bit of `live`");

#define IN_MASK(mask, state) ((mask) >> (state) & 1u)

/* --- The block of memory --- */

static size_t request_align(size_t size)
{
    return (size + 7) / 8 * 8;
}

static size_t request_table_size(uint32_t count)
{
    return sizeof(struct request_table) + count * sizeof(struct request);
}

size_t request_size(const struct request_config *config)
{
    return request_align(identity_table_size(config->slots)) +
           request_align(request_table_size(config->slots)) +
           request_align(pool_size(config->buffers));
}

static void request_table_init(struct request_table *table, const struct request_config *config)
{
    *table = (struct request_table){.count = config->slots, .admitted = config->admitted};
    for (uint32_t slot = 0; slot < config->slots; slot++)
        table->record[slot] = (struct request){.id = IDENTITY_NONE, .state = REQUEST_RETIRED};
}

void request_open(struct request_ledger *ret_ledger, const struct request_rules *rules,
                  const struct request_config *config, void *memory)
{
    uint8_t *at = memory;

    assert(config->admitted >= 1 && config->admitted <= config->slots);
    assert((uintptr_t)memory % 8 == 0);

    memset(memory, 0, request_size(config));
    ret_ledger->rules = rules;
    ret_ledger->ids = (struct identity_table *)(void *)at;
    at += request_align(identity_table_size(config->slots));
    ret_ledger->table = (struct request_table *)(void *)at;
    at += request_align(request_table_size(config->slots));
    ret_ledger->pool = (struct pool *)(void *)at;

    identity_table_init(ret_ledger->ids, config->slots);
    for (uint32_t slot = 0; slot < config->slots && config->generation > 1; slot++)
        ret_ledger->ids->slot[slot].generation = config->generation - 1;
    request_table_init(ret_ledger->table, config);
    pool_init(ret_ledger->pool, config->buffers, config->bytes);
}

/* --- Submission --- */

/* R-A-19: who keeps a place is the rules' to say. */
static int request_admission(const struct request_ledger *ledger, uint32_t bytes)
{
    if (bytes == 0 || bytes > ledger->pool->bytes)
        return -EMSGSIZE;
    if (ledger->table->places >= ledger->table->admitted)
        return -EAGAIN;
    if (ledger->ids->free == ledger->ids->count)
        return -ENFILE;
    if (ledger->pool->free == ledger->pool->count)
        return -ENOBUFS;
    return 0;
}

static void request_lease_early(struct request_ledger *ledger, struct request *request)
{
    (void)pool_hold(ledger->pool, request->buffer, request->id);
    request->live = 1;
    request->tokens = 1;
    request->borrows = 1;
}

int request_submit(struct request_ledger *ledger, uint32_t bytes, enum request_lease lease,
                   struct identity *ret_id)
{
    struct request_table *table = ledger->table;
    int error = request_admission(ledger, bytes);
    struct request *request;
    struct identity id;

    if (error < 0) {
        table->refused++;
        return error;
    }
    error = identity_take(ledger->ids, &id);
    assert(error == 0);
    request = &table->record[id.slot];
    *request = (struct request){.id = id, .state = REQUEST_WAITING, .device = 1};
    error = pool_take(ledger->pool, id, bytes, &request->buffer);
    assert(error == 0);
    if (lease == REQUEST_LEASE_EARLY)
        request_lease_early(ledger, request);

    table->places += IN_MASK(ledger->rules->places, REQUEST_WAITING);
    table->open++;
    table->unretired++;
    if (table->unretired > table->peak)
        table->peak = table->unretired;
    *ret_id = id;
    return 0;
}

/* --- Which row an act is --- */

static bool request_token_is_live(const struct request *request, uint32_t token)
{
    return token < REQUEST_TOKENS && (request->live >> token & 1u) != 0;
}

/* The target's callback must never lack one. */
static bool request_has_tokens(const struct request *request)
{
    return request->tokens < REQUEST_TOKENS - 1;
}

/* Records that the device and the cancel will still send. */
static unsigned request_owed(const struct request *request)
{
    unsigned device = request->target == REQUEST_TARGET_INFLIGHT;
    unsigned cancel = request->cancel == REQUEST_CANCEL_PENDING;

    return device + cancel;
}

static enum request_event request_answer(uint8_t cancel)
{
    static const uint8_t rows[REQUEST_CANCEL_COUNT] = {
        [REQUEST_CANCEL_OK] = REQUEST_ON_CANCEL_OK,
        [REQUEST_CANCEL_NOT_FOUND] = REQUEST_ON_CANCEL_NOT_FOUND,
        [REQUEST_CANCEL_ALREADY] = REQUEST_ON_CANCEL_ALREADY,
        [REQUEST_CANCEL_BAD_ID] = REQUEST_ON_CANCEL_BAD_ID,
    };

    assert(cancel >= REQUEST_CANCEL_OK && cancel <= REQUEST_CANCEL_BAD_ID);
    return rows[cancel];
}

static enum request_event request_end(const struct request *request, const struct request_act *act)
{
    assert(act->target > REQUEST_TARGET_INFLIGHT && act->target < REQUEST_TARGET_COUNT);
    if (act->borrow)
        return REQUEST_ON_TARGET_BORROW;
    return request->borrows > 0 ? REQUEST_ON_TARGET_LEASED : REQUEST_ON_TARGET_CLEAR;
}

static enum request_event request_give_back(const struct request *request, uint32_t token,
                                            enum request_event more, enum request_event last)
{
    if (!request_token_is_live(request, token))
        return REQUEST_ON_TOKEN_DEAD;
    return request->borrows > 1 ? more : last;
}

static enum request_event request_pass_on(const struct request *request, uint32_t token)
{
    if (!request_token_is_live(request, token))
        return REQUEST_ON_TOKEN_DEAD;
    return request_has_tokens(request) ? REQUEST_ON_HANDOFF : REQUEST_ON_TOKENS_SPENT;
}

static enum request_event request_classify(const struct request *request,
                                           const struct request_act *act)
{
    assert(act->kind < REQUEST_KIND_COUNT);
    switch ((enum request_kind)act->kind) {
    case REQUEST_KIND_DEADLINE:
        return act->unsent ? REQUEST_ON_DEADLINE_UNSENT : REQUEST_ON_DEADLINE;
    case REQUEST_KIND_EXIT:
        return act->unsent ? REQUEST_ON_EXIT_UNSENT : REQUEST_ON_EXIT;
    case REQUEST_KIND_DELIVER:
        return request->delivered < request_owed(request) ? REQUEST_ON_DELIVER
                                                          : REQUEST_ON_DELIVER_SURPLUS;
    case REQUEST_KIND_TARGET:
        return request_end(request, act);
    case REQUEST_KIND_CANCEL:
        return request_answer(act->cancel);
    case REQUEST_KIND_BORROW:
        return request_has_tokens(request) ? REQUEST_ON_BORROW : REQUEST_ON_TOKENS_SPENT;
    case REQUEST_KIND_RELEASE:
        return request_give_back(request, act->token, REQUEST_ON_RELEASE_MORE,
                                 REQUEST_ON_RELEASE_LAST);
    case REQUEST_KIND_THROW:
        return request_give_back(request, act->token, REQUEST_ON_THROW_MORE,
                                 REQUEST_ON_THROW_LAST);
    case REQUEST_KIND_HANDOFF:
        return request_pass_on(request, act->token);
    case REQUEST_KIND_COUNT:
        break;
    }
    return REQUEST_ON_STALE;
}

/* --- Carrying out a cell --- */

/* The only place that writes `state` of a live record; false when the mask forbids it. As with the
 * reader, the mask is a second line behind the cells, and nothing crashes where they disagree. */
static bool request_set_state(struct request_ledger *ledger, struct request *request, uint8_t next)
{
    const struct request_rules *rules = ledger->rules;

    if (next > REQUEST_RETIRED || !IN_MASK(rules->successors[request->state], next))
        return false;
    ledger->table->places -= IN_MASK(rules->places, request->state);
    ledger->table->places += IN_MASK(rules->places, next);
    if (next == REQUEST_RETIRED) {
        ledger->table->unretired--;
        (void)identity_retire(ledger->ids, request->id);
    }
    request->state = next;
    return true;
}

static void request_decide(struct request_table *table, struct request *request, uint8_t decision,
                           uint8_t target)
{
    if (decision == REQUEST_DECIDE_KEEP)
        return;
    table->open -= request->logical == REQUEST_LOGICAL_WAITING;
    if (decision == REQUEST_DECIDE_RESULT)
        request->logical =
            target == REQUEST_TARGET_OK ? REQUEST_LOGICAL_OK : REQUEST_LOGICAL_ERROR;
    else
        request->logical = decision == REQUEST_DECIDE_TIMEOUT ? REQUEST_LOGICAL_TIMEOUT
                                                              : REQUEST_LOGICAL_EXITED;
}

/* A record that nobody saw arrive was delivered and taken at once. */
static void request_consume(struct request_table *table, struct request *request)
{
    table->consumed++;
    if (request->delivered > 0)
        request->delivered--;
    else
        table->delivered++;
}

static void request_record(struct request_table *table, struct request *request, uint8_t record,
                           const struct request_act *act)
{
    if (record == REQUEST_RECORD_DELIVER) {
        table->delivered++;
        request->delivered++;
    } else if (record == REQUEST_RECORD_TARGET) {
        request_consume(table, request);
        request->target = act->target;
    } else if (record == REQUEST_RECORD_CANCEL) {
        request_consume(table, request);
        request->cancel = act->cancel;
    }
}

static void request_borrow(struct request_ledger *ledger, struct request *request,
                           struct request_effect *effect)
{
    request->borrows++;
    (void)pool_hold(ledger->pool, request->buffer, request->id);
    if (request->tokens < REQUEST_TOKENS) {
        effect->token = request->tokens++;
        request->live |= UINT64_C(1) << effect->token;
    }
}

/* Lets go of the buffer; the pool alone knows whether that was the last who held it. */
static void request_drop(struct request_ledger *ledger, struct request *request,
                         struct request_effect *effect)
{
    if (pool_drop(ledger->pool, request->buffer, request->id) == 1) {
        request->returned = 1;
        effect->returned = 1;
    }
}

static void request_move(struct request_ledger *ledger, struct request *request, uint8_t move,
                         uint32_t token, struct request_effect *effect)
{
    if (move == REQUEST_MOVE_NONE)
        return;
    if (move == REQUEST_MOVE_BORROW) {
        request_borrow(ledger, request, effect);
    } else if (move == REQUEST_MOVE_RELEASE) {
        request->borrows--;
        if (token < REQUEST_TOKENS)
            request->live &= ~(UINT64_C(1) << token);
        request_drop(ledger, request, effect);
    } else {
        request->device--;
        request_drop(ledger, request, effect);
    }
    effect->after[effect->moves].device = request->device;
    effect->after[effect->moves++].borrows = request->borrows;
}

static bool request_carry_out(struct request_ledger *ledger, struct request *request,
                              const struct request_cell *cell, const struct request_act *act,
                              struct request_effect *effect)
{
    if (!request_set_state(ledger, request, cell->next))
        return false;
    request_decide(ledger->table, request, cell->decision, act->target);
    request_record(ledger->table, request, cell->record, act);
    if (cell->pursuit != REQUEST_PURSUE_KEEP)
        request->cancel = cell->pursuit == REQUEST_PURSUE_PENDING ? REQUEST_CANCEL_PENDING
                                                                  : REQUEST_CANCEL_UNSENT;
    request_move(ledger, request, cell->first, act->token, effect);
    request_move(ledger, request, cell->second, act->token, effect);
    effect->looks = cell->looks;
    effect->retired = request->state == REQUEST_RETIRED;
    return true;
}

struct request_effect request_apply(struct request_ledger *ledger, struct identity id,
                                    const struct request_act *act)
{
    struct request_effect effect = {
        .verdict = REQUEST_REFUSE, .event = REQUEST_ON_STALE, .token = UINT32_MAX};
    const struct request_cell *cell;
    struct request *request;

    if (!identity_equal(identity_of(ledger->ids, id.slot), IDENTITY_NONE)) {
        request = &ledger->table->record[id.slot];
        if (identity_valid(ledger->ids, id))
            effect.event = (uint8_t)request_classify(request, act);
        cell = &ledger->rules->cell[request->state][effect.event];
        effect.verdict = cell->verdict;
        if (cell->verdict == REQUEST_STEP &&
            !request_carry_out(ledger, request, cell, act, &effect))
            effect.verdict = REQUEST_REFUSE;
    }
    ledger->table->refused += effect.verdict == REQUEST_REFUSE;
    return effect;
}

const struct request *request_at(const struct request_ledger *ledger, struct identity id)
{
    const struct request *request;

    if (id.slot >= ledger->table->count)
        return NULL;
    request = &ledger->table->record[id.slot];
    return identity_equal(request->id, id) ? request : NULL;
}

/* --- Names --- */

const char *request_state_name(enum request_state state)
{
    static const char *const names[] = {
#define X(name) [REQUEST_##name] = #name,
        REQUEST_STATES(X)
#undef X
        [REQUEST_RETIRED] = "RETIRED",
    };

    assert((unsigned)state <= REQUEST_RETIRED);
    return names[state];
}

const char *request_event_name(enum request_event event)
{
    static const char *const names[] = {
#define X(name, text) [REQUEST_ON_##name] = text,
        REQUEST_EVENTS(X)
#undef X
    };

    assert((unsigned)event < REQUEST_EVENT_COUNT);
    return names[event];
}

const char *request_kind_name(enum request_kind kind)
{
    static const char *const names[] = {
#define X(name, text) [REQUEST_KIND_##name] = text,
        REQUEST_KINDS(X)
#undef X
    };

    assert((unsigned)kind < REQUEST_KIND_COUNT);
    return names[kind];
}

const char *request_logical_name(enum request_logical logical)
{
    static const char *const names[] = {
#define X(name, text) [REQUEST_LOGICAL_##name] = text,
        REQUEST_LOGICALS(X)
#undef X
    };

    assert((unsigned)logical < REQUEST_LOGICAL_COUNT);
    return names[logical];
}

const char *request_target_name(enum request_target target)
{
    static const char *const names[] = {
#define X(name, text) [REQUEST_TARGET_##name] = text,
        REQUEST_TARGETS(X)
#undef X
    };

    assert((unsigned)target < REQUEST_TARGET_COUNT);
    return names[target];
}

const char *request_cancel_name(enum request_cancel cancel)
{
    static const char *const names[] = {
#define X(name, text) [REQUEST_CANCEL_##name] = text,
        REQUEST_CANCELS(X)
#undef X
    };

    assert((unsigned)cancel < REQUEST_CANCEL_COUNT);
    return names[cancel];
}
