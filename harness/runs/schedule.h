/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_SCHEDULE_H
#define EDGEWISE_HARNESS_RUNS_SCHEDULE_H

/*
 * In which order runs are made: in rounds over all cells, so that every cell has been run once
 * before any is run again. Pure: the same options give the same order.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs that may wait to be made again. */
#define SCHEDULE_AGAIN_MAX 64

struct schedule_options {
    size_t cells;
    const bool *exact; /* for each cell, borrowed; false: it may run where nothing is exact */
    uint32_t rounds;   /* at least 1 */
    bool shuffle;      /* each round in an order of its own, of `seed` */
    uint64_t seed;
};

/* One run to be made. */
struct schedule_ticket {
    size_t cell;
    uint32_t round;   /* from 0 */
    uint32_t attempt; /* from 1; above only after late ones */
};

/* How far the runs of one kind have come. */
struct schedule_cursor {
    bool exact;
    size_t cells; /* of this kind */
    uint32_t round;
    size_t at;     /* in the round's order */
    size_t *order; /* of all cells */
};

struct schedule {
    struct schedule_options options;
    struct schedule_cursor cursors[2]; /* exact runs, free ones: a free one may go ahead */
    struct schedule_ticket again[SCHEDULE_AGAIN_MAX];
    size_t again_count;
    bool stopped;
};

/* Free with schedule_close. */
void schedule_open(struct schedule *schedule, const struct schedule_options *options);
void schedule_close(struct schedule *schedule);

/* The next run, or with `free_only` the next one that need not be exact: late ones again first. */
bool schedule_next(struct schedule *schedule, bool free_only, struct schedule_ticket *ret_ticket);

/* The run was late: once more. False when it is not to be: the schedule was stopped. */
bool schedule_again(struct schedule *schedule, const struct schedule_ticket *ticket);

/* Nothing new is to begin. */
void schedule_stop(struct schedule *schedule);

/* Runs in all. */
uint64_t schedule_total(const struct schedule *schedule);

#endif
