/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_TAP_H
#define EDGEWISE_HARNESS_REPORT_TAP_H

/*
 * Results for --tap, by the Test Anything Protocol: a test point for each cell of a scenario, once
 * it has all of its runs, and the plan at the end, when their number is certain:
 *
 *     ok 1 - framing/one veth-et-ipv4
 *     not ok 2 - framing/one veth-lt-ipv4               fail or error
 *     ok 3 - framing/one veth-et-ipv6 # LATE reason     no directive of TAP's: part of the name
 *     ok 4 - framing/one veth-et-unix # SKIP reason
 *
 * The YAML block below each has `verdict` (pass, fail, late, error, skip), the times, the runs by
 * verdict, and where it did not pass `message`, `next` (the command to type) and `details`. When
 * the bench breaks or is interrupted with runs left, `Bail out!` stands in the plan's place.
 *
 * The version line says 13: the stream is one of version 14 as well, whose readers accept both,
 * while TAP::Harness up to 3.44 (prove of Perl 5.36) refuses the number 14. YAML keeps to what that
 * reader understands.
 */

#include <stdio.h>

#include "harness/report/next.h"
#include "harness/report/sink.h"

struct tap {
    FILE *out;
    struct next_words words;
    size_t points; /* so far */
    int status;    /* the first failed write, -errno */
};

/* A sink that writes to `out`, the caller's, each point flushed. */
struct sink tap_sink(struct tap *tap, struct next_words words, FILE *out);

/* What kept the verb from its work, `said` being lines for standard error: all is skipped where
 * `exit_status` is STATUS_CANNOT, else it bails out. */
void tap_error(int exit_status, const struct lines *said, FILE *out);

#endif
