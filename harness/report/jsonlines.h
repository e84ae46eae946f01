/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_JSONLINES_H
#define EDGEWISE_HARNESS_REPORT_JSONLINES_H

/*
 * Results as they come, for --json-lines: one JSON object a line, all ASCII, flushed at once. Keys
 * in this order, RESULT and RUNS being those of harness/report/json.h, at_ms the time since the
 * start:
 *
 *     {"event": "start", "tool", "version", "seed", "replay", "runs"}
 *     {"event": "run", "at_ms", "result": RESULT}              as each run ends
 *     {"event": "scenario", "at_ms", "scenario", "world",
 *      "cells": [{"trigger", "family", "verdict", "runs": RUNS}...]}
 *     {"event": "end", "passed", "failed", "late", "errors", "skipped", "left", "wall_ms", "exit"}
 *
 * or, when nothing could start, the one line {"event": "error", "tool", "version", "exit", "text"}.
 * A stream without `end` or `error` was cut off. docs/result.schema.json describes each line.
 */

#include <stdio.h>

#include "core/instant.h"
#include "harness/report/sink.h"

struct jsonlines {
    FILE *out;
    struct instant (*now)(void);
    struct instant began;
    int status; /* the first failed write, -errno */
};

/* A sink that writes to `out`, the caller's; `now` is the monotonic clock. */
struct sink jsonlines_sink(struct jsonlines *lines, struct instant (*now)(void), FILE *out);

/* What kept the verb from its work, `said` being lines for standard error. */
void jsonlines_error(const char *tool, const char *version, int exit_status,
                     const struct lines *said, FILE *out);

#endif
