/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/score.h"

#include <assert.h>

void score_add(struct score *score, enum result_verdict verdict)
{
    assert(verdict < RESULT_VERDICT_COUNT);
    score->count[verdict]++;
}

uint32_t score_total(const struct score *score)
{
    uint32_t total = 0;

    for (int i = 0; i < RESULT_VERDICT_COUNT; i++)
        total += score->count[i];
    return total;
}

enum status score_status(const struct score *score)
{
    static const struct {
        enum result_verdict verdict;
        enum status status;
    } order[] = {
        {RESULT_ERROR, STATUS_BROKEN},
        {RESULT_FAIL, STATUS_FAILED},
        {RESULT_LATE, STATUS_LATE},
        {RESULT_PASS, STATUS_OK},
        {RESULT_SKIP, STATUS_CANNOT},
    };

    _Static_assert(sizeof(order) / sizeof(*order) == RESULT_VERDICT_COUNT, "every verdict");
    for (int i = 0; i < RESULT_VERDICT_COUNT; i++)
        if (score->count[order[i].verdict] > 0)
            return order[i].status;
    return STATUS_USAGE;
}
