/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_SINK_H
#define EDGEWISE_HARNESS_REPORT_SINK_H

/*
 * Where results go: one form of telling them, for people or for programs. Every sink is told the
 * same things in the same order:
 *
 *     begin; then `run` for each run as it ends, and, once a scenario has all of its runs,
 *     `scenario` with one result for each of its cells; then `end`
 *
 * A sink prints or writes as it likes; it keeps nothing of a result after the call.
 */

#include <stddef.h>
#include <stdint.h>

#include "harness/report/score.h"
#include "harness/result.h"

struct sink_start {
    const char *tool;    /* "edgewise" */
    const char *version;
    const char *replay;  /* the command that makes the same runs again, one line */
    uint64_t seed;
    size_t runs;         /* that are to be made; with --until-fail the most */
};

struct sink_finish {
    const struct score *score; /* every run counted once */
    struct duration wall;
    size_t left;        /* runs that were not made: interrupted, --fail-fast, --until-fail */
    int exit_status;    /* what the program will exit with */
};

/* Any call may be NULL. */
struct sink_ops {
    void (*begin)(void *self, const struct sink_start *start);
    /* One run has ended; result->runs counts this one alone. */
    void (*run)(void *self, const struct result *result);
    /* A scenario has all of its runs: `count` cells, at least 1, of one plan and world, in the
     * order of families and triggers. result->runs says how many runs a cell stands for. */
    void (*scenario)(void *self, const struct result *results, size_t count);
    /* The last call. 0, or -errno of the first write that failed. */
    int (*end)(void *self, const struct sink_finish *finish);
};

struct sink {
    const struct sink_ops *ops;
    void *self;
};

#endif
