/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_JUNIT_H
#define EDGEWISE_HARNESS_REPORT_JUNIT_H

/*
 * Results for --junit, as the XML that CI services read. There is no one definition of it; what is
 * written here is valid by both published schemas, that of Ant's JUnit task and that of Jenkins'
 * xUnit plugin (junit-10):
 *
 *     testsuites
 *       testsuite      a scenario: name, package (its topic), id, timestamp, hostname, counts, time
 *         properties   tool, version, seed, replay; "late.CELL" with the reason for each late cell
 *         testcase...  a cell: classname "framing.one", name "veth-et-ipv4", time; with `failure`
 *                      (type "fail"), `error` (type "error") or `skipped` when it came to that
 *         system-out   a line for each cell: verdict, times, runs by verdict; why it is late
 *         system-err   empty
 *
 * Late is no failure: its testcase is empty, and told by the property and in system-out. Where runs
 * were not made, a last suite, named after the tool, has one case that is an error when the bench
 * broke or was interrupted, else skipped. Times are seconds. Of a list no more than JSON_LINES_MAX
 * lines are told.
 */

#include <stdint.h>
#include <stdio.h>

#include "harness/report/next.h"
#include "harness/report/sink.h"

/* Where and when; every suite has the same. */
struct junit_origin {
    const char *host; /* borrowed; NULL: "localhost" */
    int64_t seconds;  /* since 1970, UTC */
};

struct junit {
    FILE *out;
    struct junit_origin origin;
    struct next_words words;
    char *tool;
    struct lines properties; /* name, value, name, value ... */
    unsigned suites; /* so far */
};

/* A sink that writes to `out`, the caller's. What is there before `end` is no whole document: only
 * then let it take the place of an older file. */
struct sink junit_sink(struct junit *junit, struct junit_origin origin, struct next_words words,
                       FILE *out);

/*
 * A document of what kept the verb from its work, `said` being lines for standard error: one case
 * that is skipped where `exit_status` is STATUS_CANNOT, else an error. 0, or -errno.
 */
int junit_error(const char *tool, struct junit_origin origin, int exit_status,
                const struct lines *said, FILE *out);

#endif
