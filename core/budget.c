/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/budget.h"

#include <assert.h>

bool budget_limits_valid(const struct budget_limits *limits)
{
    return limits->bytes >= 1 && limits->attempts >= 1 && limits->time.ns >= 0;
}

void budget_start(struct budget *budget, struct instant now)
{
    *budget = (struct budget){.start = now};
}

void budget_attempt(struct budget *budget)
{
    assert(budget->attempts < UINT32_MAX);
    budget->attempts++;
}

void budget_take(struct budget *budget, uint32_t bytes)
{
    assert(bytes <= UINT32_MAX - budget->bytes);
    budget->bytes += bytes;
}

void budget_deliver(struct budget *budget, bool frame)
{
    assert(budget->items < UINT32_MAX);
    assert(budget->frames <= budget->items);
    budget->items++;
    if (frame)
        budget->frames++;
}

uint32_t budget_bytes_left(const struct budget_limits *limits, const struct budget *budget)
{
    return budget->bytes < limits->bytes ? limits->bytes - budget->bytes : 0;
}

/* A limit of 0 is none. */
static bool budget_reached(uint32_t spent, uint32_t limit)
{
    return limit != 0 && spent >= limit;
}

unsigned budget_exhausted(const struct budget_limits *limits, const struct budget *budget,
                          struct instant now)
{
    struct duration elapsed = instant_since(now, budget->start);
    unsigned kinds = 0;

    assert(budget_limits_valid(limits));
    if (budget_reached(budget->bytes, limits->bytes))
        kinds |= 1u << BUDGET_BYTES;
    if (budget_reached(budget->frames, limits->frames))
        kinds |= 1u << BUDGET_FRAMES;
    if (budget_reached(budget->items, limits->items))
        kinds |= 1u << BUDGET_ITEMS;
    if (budget_reached(budget->attempts, limits->attempts))
        kinds |= 1u << BUDGET_ATTEMPTS;
    if (limits->time.ns != 0 && elapsed.ns >= limits->time.ns)
        kinds |= 1u << BUDGET_TIME;
    return kinds;
}

const char *budget_kind_name(enum budget_kind kind)
{
    static const char *const names[] = {
#define X(name, text) [BUDGET_##name] = text,
        BUDGET_KINDS(X)
#undef X
    };

    assert((unsigned)kind < BUDGET_KIND_COUNT);
    return names[kind];
}
