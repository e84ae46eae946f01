/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_HARNESS_SAMPLE_H
#define EDGEWISE_TESTS_HARNESS_SAMPLE_H

/* Results as a conductor and a judge could have left them, made by hand. */

#include <stdlib.h>
#include <string.h>

#include "harness/result.h"

static const struct plan sample_plan = {
    .file = "scenarios/framing/one.scn",
    .name = "framing/one",
    .about = "A released frame wakes the paused reader.",
    .tolerance = {5000000},
};

/* A run that passed: `rows` events rows, 12.4 ms. */
static inline struct result sample_pass(enum reactor_trigger trigger, enum plan_family family,
                                        int rows)
{
    struct result result = {
        .plan = &sample_plan,
        .trigger = trigger,
        .family = family,
        .verdict = RESULT_PASS,
        .attempts = 1,
        .worst_late = {41999},
        .setup = {2100000},
        .timeline = {6250000},
        .wall = {12400000},
    };

    for (int i = 0; i < rows; i++)
        lines_add(&result.events.rows, "c quantum %d", i + 1);
    return result;
}

/* One that failed: rows differ, an expectation does not hold, something is left over. */
static inline struct result sample_fail(enum reactor_trigger trigger, enum plan_family family)
{
    struct result result = sample_pass(trigger, family, 2);

    result.verdict = RESULT_FAIL;
    lines_add(&result.events.diff, "scenarios/framing/one.events:7: the events part here");
    lines_add(&result.events.diff, "    ctl c add IN RDHUP%s", trigger == REACTOR_ET ? " ET" : "");
    lines_add(&result.events.diff, "  - c quantum 3");
    lines_add(&result.events.diff, "  + stop");
    lines_add(&result.failed, "scenarios/framing/one.scn:24:3: c frames: expected 2, got 1");
    lines_add(&result.left_over, "c unread 4");
    lines_add(&result.notes, "c rcvbuf 131072");
    return result;
}

static inline struct result sample_with_reason(enum reactor_trigger trigger,
                                               enum plan_family family, enum result_verdict verdict,
                                               const char *reason)
{
    struct result result = sample_pass(trigger, family, verdict == RESULT_LATE ? 2 : 0);

    result.verdict = verdict;
    result.reason = strdup(reason);
    return result;
}

#endif
