/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/lateness.h"

#include <stdlib.h>

#include "harness/memory.h"

struct duration lateness_of_action(const struct happened_action *action)
{
    struct duration late = instant_since(action->actual, action->due);

    return late.ns > 0 ? late : DURATION_ZERO;
}

/* Whether the bench came from the action before to this one without a pause. */
static bool follows_at_once(const struct happened *happened, uint32_t action)
{
    const struct happened_action *before = &happened->actions[action - 1];
    const struct happened_action *after = &happened->actions[action];

    for (uint32_t i = before->statement + 1; i < after->statement; i++)
        if (happened->plan->statements[i].verb == PLAN_WAIT_UNTIL)
            return false;
    return !instant_before(before->actual, after->due);
}

static int64_t work_of(const struct happened *happened, uint32_t action)
{
    return instant_since(happened->actions[action + 1].actual, happened->actions[action].actual).ns;
}

static int by_length(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static int64_t median_work(const struct happened *happened, uint32_t first, uint32_t end)
{
    size_t count = end - first;
    int64_t *work = memory_zeroed(count, sizeof(*work));
    int64_t median;

    for (size_t i = 0; i < count; i++)
        work[i] = work_of(happened, first + (uint32_t)i);
    qsort(work, count, sizeof(*work), by_length);
    median = work[(count - 1) / 2];
    free(work);
    return median;
}

/* What the last line of the stretch took of it. */
static void find_busy(const struct happened *happened, uint32_t first, uint32_t last,
                      struct lateness *late)
{
    const struct plan_statement *statements = happened->plan->statements;
    uint32_t line;

    late->busy = happened->actions[last - 1].statement;
    line = statements[late->busy].place.line;
    for (uint32_t i = first; i < last; i++)
        if (statements[happened->actions[i].statement].place.line == line)
            late->work.ns += work_of(happened, i);
}

static void find_work(const struct happened *happened, uint32_t latest, struct lateness *late)
{
    const struct happened_action *actions = happened->actions;
    uint32_t first = latest;
    int64_t room, needed;

    while (first > 0 && follows_at_once(happened, first) &&
           instant_equal(actions[first - 1].due, actions[latest - 1].due))
        first--;
    if (latest - first < LATENESS_STRETCH)
        return;
    room = instant_since(actions[latest].due, actions[first].due).ns +
           happened->plan->tolerance.ns;
    if (__builtin_mul_overflow(median_work(happened, first, latest), (int64_t)(latest - first),
                               &needed))
        needed = INT64_MAX;
    late->by_work = needed > room;
    if (late->by_work)
        find_busy(happened, first, latest, late);
}

/* The longest statement since the bench last slept before an action. */
static void find_holder(const struct happened *happened, uint32_t latest, struct lateness *late)
{
    for (uint32_t i = latest; i > 0; i--) {
        const struct happened_action *after = &happened->actions[i];
        const struct happened_action *before = &happened->actions[i - 1];
        bool same = instant_equal(before->due, after->due);
        struct duration took =
            instant_since(same ? after->actual : after->free, before->actual);

        if (!same && !instant_before(after->due, after->free))
            break;
        if (took.ns <= late->hold.ns)
            continue;
        late->hold = took;
        late->holder = before->statement;
    }
    late->held = late->hold.ns > late->worst.ns / 2;
}

struct lateness lateness_of(const struct happened *happened)
{
    struct lateness late = {.worst = DURATION_ZERO};
    uint32_t latest = 0;

    for (uint32_t i = 0; i < happened->action_count; i++) {
        if (lateness_of_action(&happened->actions[i]).ns <= late.worst.ns)
            continue;
        late.worst = lateness_of_action(&happened->actions[i]);
        late.statement = happened->actions[i].statement;
        latest = i;
    }
    if (late.worst.ns > happened->plan->tolerance.ns) {
        find_work(happened, latest, &late);
        find_holder(happened, latest, &late);
    }
    return late;
}
