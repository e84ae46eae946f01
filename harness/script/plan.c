/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/plan.h"

#include <assert.h>
#include <string.h>

#include "harness/script/plan_memory.h"

uint32_t plan_peer_find(const struct plan *plan, const char *name)
{
    for (uint32_t i = 0; i < plan->peer_count; i++)
        if (strcmp(plan->peers[i].name, name) == 0)
            return i;
    return PLAN_NOBODY;
}

/* The plan itself lies in its memory, too. */
void plan_free(struct plan *plan)
{
    if (plan)
        plan_memory_free(plan->memory);
}

#define X(name, text) text,

const char *plan_family_name(enum plan_family family)
{
    static const char *const names[] = {PLAN_FAMILIES(X)};

    assert((unsigned)family < PLAN_FAMILY_COUNT);
    return names[family];
}

const char *plan_verb_name(enum plan_verb verb)
{
    static const char *const names[] = {PLAN_VERBS(X)};

    assert((unsigned)verb < PLAN_VERB_COUNT);
    return names[verb];
}

const char *plan_saw_name(enum plan_saw saw)
{
    static const char *const names[] = {PLAN_SAWS(X)};

    assert((unsigned)saw < PLAN_SAW_COUNT);
    return names[saw];
}

const char *plan_expect_name(enum plan_expect_kind kind)
{
    static const char *const names[] = {PLAN_EXPECTS(X)};

    assert((unsigned)kind < PLAN_EXPECT_COUNT);
    return names[kind];
}

const char *plan_condition_name(enum plan_condition condition)
{
    static const char *const names[] = {PLAN_CONDITIONS(X)};

    assert((unsigned)condition < PLAN_CONDITION_COUNT);
    return names[condition];
}

#undef X
