/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/lateness.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/ledger/cause.h"
#include "harness/memory.h"

#define REASON_MAX (PATH_MAX + 1024)

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

/* Of a script that leaves itself too little time: what to write instead. */
static void advise(const struct plan *plan, const struct lateness *late, char *text, size_t size)
{
    uint32_t busy = plan->statements[late->busy].place.line;
    uint32_t line = plan->statements[late->statement].place.line;
    /* A quarter more, in whole 5 ms: the next run takes another time. */
    int64_t ms = (late->worst.ns + late->worst.ns / 4) / 5000000 * 5 + 5;
    int used = snprintf(text, size, "; line %u took %" PRId64 " ms; ", busy,
                        (late->work.ns + 500000) / 1000000);

    if (busy == line)
        (void)snprintf(text + used, size - (size_t)used,
                       "spread its statements over time, or write `tolerance %" PRId64 "ms`", ms);
    else
        (void)snprintf(text + used, size - (size_t)used,
                       "write line %u later, or `tolerance %" PRId64 "ms`", line, ms);
}

/* What kept a bench that could have been on time. */
static void blame(const struct plan *plan, const struct lateness *late, char *text, size_t size)
{
    const struct plan_statement *holder = &plan->statements[late->holder];
    char words[CAUSE_TEXT_MAX], span[32];

    if (!late->held) {
        (void)snprintf(text, size, "; no line held it up: the machine was busy");
        return;
    }
    cause_statement(plan, holder, words);
    cause_span(late->hold, span, sizeof(span));
    (void)snprintf(text, size, "; line %u held it up for %s%s: %s", holder->place.line, span,
                   holder->verb == PLAN_SEND ? ", until its bytes were with the sut" : "", words);
}

char *lateness_reason(const struct plan *plan, const struct lateness *late)
{
    const struct plan_statement *statement = &plan->statements[late->statement];
    char text[CAUSE_TEXT_MAX], why[CAUSE_TEXT_MAX + 128] = "", span[32], tolerance[32];
    char *reason = memory_zeroed(REASON_MAX, 1);

    cause_statement(plan, statement, text);
    cause_span(late->worst, span, sizeof(span));
    cause_time((struct instant){plan->tolerance.ns}, tolerance, sizeof(tolerance));
    if (late->by_work)
        advise(plan, late, why, sizeof(why));
    else
        blame(plan, late, why, sizeof(why));
    (void)snprintf(reason, REASON_MAX, "%s:%u: %s: %s late; the tolerance is %s%s", plan->file,
                   statement->place.line, text, span, tolerance, why);
    return reason;
}
