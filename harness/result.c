/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/result.h"

#include <assert.h>
#include <stdlib.h>

static const char *const verdict_names[] = {
#define X(name, text) [RESULT_##name] = text,
    RESULT_VERDICTS(X)
#undef X
};
_Static_assert(sizeof(verdict_names) / sizeof(*verdict_names) == RESULT_VERDICT_COUNT,
               "a name each");

static const char *const world_names[] = {
#define X(name, text) [RESULT_WORLD_##name] = text,
    RESULT_WORLDS(X)
#undef X
};
_Static_assert(sizeof(world_names) / sizeof(*world_names) == RESULT_WORLD_COUNT, "a name each");

static void result_ledger_free(struct result_ledger *ledger)
{
    lines_free(&ledger->rows);
    lines_free(&ledger->diff);
}

void result_free(struct result *result)
{
    result_ledger_free(&result->events);
    result_ledger_free(&result->wire);
    result_ledger_free(&result->peers);
    lines_free(&result->last);
    lines_free(&result->failed);
    lines_free(&result->left_over);
    lines_free(&result->packets);
    lines_free(&result->notes);
    free(result->reason);
    *result = (struct result){0};
}

size_t result_same_world(const struct result *results, size_t count)
{
    size_t same = 1;

    while (same < count && results[same].world == results->world)
        same++;
    return same;
}

const char *result_verdict_name(enum result_verdict verdict)
{
    assert(verdict < RESULT_VERDICT_COUNT);
    return verdict_names[verdict];
}

const char *result_world_name(enum result_world world)
{
    assert(world < RESULT_WORLD_COUNT);
    return world_names[world];
}
