/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/runs/standing.h"

#include <string.h>

static unsigned standing_gravity(enum result_verdict verdict)
{
    static const unsigned gravities[] = {
        [RESULT_SKIP] = 0, [RESULT_PASS] = 1, [RESULT_LATE] = 2,
        [RESULT_FAIL] = 3, [RESULT_ERROR] = 4,
    };

    _Static_assert(sizeof(gravities) / sizeof(*gravities) == RESULT_VERDICT_COUNT, "one each");
    return gravities[verdict];
}

bool standing_would_keep(const struct standing *standing, enum result_verdict verdict)
{
    return standing->count == 0 ||
           standing_gravity(verdict) > standing_gravity(standing->kept.result.verdict);
}

void standing_add(struct standing *standing, struct outcome *outcome)
{
    enum result_verdict verdict = outcome->result.verdict;
    uint32_t runs[RESULT_VERDICT_COUNT];

    memcpy(runs, standing->kept.result.runs, sizeof(runs));
    if (standing_would_keep(standing, verdict)) {
        outcome_free(&standing->kept);
        standing->kept = *outcome;
    } else {
        outcome_free(outcome);
    }
    runs[verdict]++;
    memcpy(standing->kept.result.runs, runs, sizeof(runs));
    standing->count++;
}

void standing_free(struct standing *standing)
{
    outcome_free(&standing->kept);
    *standing = (struct standing){0};
}
