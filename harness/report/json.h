/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_JSON_H
#define EDGEWISE_HARNESS_REPORT_JSON_H

/*
 * Results as JSON. The document of --json, keys in this order:
 *
 *     {"tool", "version", "seed", "replay", "results": [RESULT...],
 *      "passed", "failed", "late", "errors", "skipped", "left", "wall_ms", "exit"}
 *
 * There is a RESULT for each cell of each scenario; the counts are of runs, `left` of those that
 * were not made. RESULT, also the whole of result.json:
 *
 *     {"scenario", "world", "trigger", "family", "defect"?,
 *      "verdict": "pass|fail|late|error|skip", "reason"?,
 *      "events": {"rows", "diff": [...]}, "wire": {...}, "peers": {...},
 *      "failed_expectations": [...], "left_over": [...], "notes": [...], "attempts", "runs": RUNS,
 *      "worst_late_us", "setup_ms", "timeline_ms", "wall_ms"}
 *
 * RUNS, {"pass", "fail", "late", "error", "skip"}, counts the runs that the result stands for by
 * their verdicts; the rest of it tells of the gravest of them. Of a list in there no more than
 * JSON_LINES_MAX lines are told; the last one then counts the rest. What kept a verb from its work
 * is a document, too, `exit` being the exit status and `text` what standard error says:
 * {"tool", "version", "error": {"exit", "text"}}.
 *
 * Times are numbers with a fraction, except for the whole microseconds of worst_late_us. `seed` is
 * a string: 64 bits do not fit every reader's numbers. Bytes that are no UTF-8 are written as
 * U+FFFD. docs/result.schema.json says all of this to programs. Running out of memory ends the
 * process with a message, as for lines.
 */

#include <stdint.h>
#include <stdio.h>

#include "harness/report/score.h"
#include "harness/report/sink.h"
#include "harness/result.h"

#define JSON_LINES_MAX 500

struct json_document {
    FILE *out;
    void *root; /* the library's */
    void *results;
};

/* A sink that prints the document to `out`, the caller's, at the end. */
struct sink json_sink(struct json_document *document, FILE *out);

/* Prints the document of an error, `said` being lines for standard error. */
void json_error(const char *tool, const char *version, int exit_status, const struct lines *said,
                FILE *out);

/* RESULT as text with a newline; the caller frees it. */
char *json_result_text(const struct result *result);

#endif
