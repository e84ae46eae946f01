/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/cell.h"

#include <assert.h>
#include <stdio.h>

static const char *const verdict_words[] = {
#define X(name, text) [RESULT_##name] = #name,
    RESULT_VERDICTS(X)
#undef X
};
_Static_assert(sizeof(verdict_words) / sizeof(*verdict_words) == RESULT_VERDICT_COUNT,
               "a word each");

struct cell_name cell_name(const struct result *result)
{
    struct cell_name name;
    int size = snprintf(name.text, sizeof(name.text), "%s-%s-%s%s%s",
                        result_world_name(result->world), reactor_trigger_name(result->trigger),
                        plan_family_name(result->family), result->defect ? "+" : "",
                        result->defect ? result->defect : "");

    assert(size > 0 && (size_t)size < sizeof(name.text));
    (void)size;
    return name;
}

const char *cell_verdict_word(enum result_verdict verdict)
{
    assert(verdict < RESULT_VERDICT_COUNT);
    return verdict_words[verdict];
}

long long cell_ms(struct duration duration)
{
    return (duration.ns + 500000) / 1000000;
}
