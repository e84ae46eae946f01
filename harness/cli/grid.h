/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_GRID_H
#define EDGEWISE_HARNESS_CLI_GRID_H

/*
 * Every cell of every scenario chosen, in the order of reports: scenario by scenario, its worlds,
 * their families, their triggers; and what each has come to so far. A scenario is done once each of
 * its cells has been run as often as it is to be.
 */

#include "harness/cli/selection.h"
#include "harness/conduct/bench.h"
#include "harness/runs/standing.h"

struct grid_cell {
    const struct selection_item *item;
    enum result_world world;
    enum plan_family family;
    enum reactor_trigger trigger;
};

struct grid {
    const struct selection *selection;
    struct grid_cell *cells;
    struct standing *standings; /* of each cell */
    bool *exact;                /* each cell's run must be exact */
    size_t *first;              /* each item's first cell, and behind the last item `count` */
    uint64_t *left;             /* runs that each item still has to make */
    size_t count;
};

/* The cells of a selection that is borrowed, in each of `worlds` (bits 1 << enum result_world, not
 * 0), each to be run `rounds` times. grid_free. */
void grid_make(struct grid *ret_grid, const struct selection *selection, unsigned worlds,
               uint32_t rounds);
void grid_free(struct grid *grid);

/* Index of a cell's item. */
size_t grid_item(const struct grid *grid, size_t cell);

/* A run of `cell` is over: takes its outcome over. */
void grid_add(struct grid *grid, size_t cell, struct outcome *outcome);

#endif
