/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/grid.h"

#include <assert.h>
#include <stdlib.h>

#include "harness/memory.h"

static void add_world(struct grid *grid, const struct selection_item *item,
                      enum result_world world)
{
    for (unsigned family = 0; family < PLAN_FAMILY_COUNT; family++)
        for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
            if (!(item->families & 1u << family) || !(item->triggers & 1u << trigger))
                continue;
            grid->exact[grid->count] = bench_exact(item->plan, world);
            grid->cells[grid->count++] = (struct grid_cell){
                .item = item,
                .world = world,
                .family = (enum plan_family)family,
                .trigger = (enum reactor_trigger)trigger,
            };
        }
}

static void add_item(struct grid *grid, const struct selection_item *item, unsigned worlds)
{
    for (unsigned world = 0; world < RESULT_WORLD_COUNT; world++)
        if (worlds & 1u << world)
            add_world(grid, item, (enum result_world)world);
}

void grid_make(struct grid *ret_grid, const struct selection *selection, unsigned worlds,
               uint32_t rounds)
{
    size_t runs = selection_runs(selection) * (size_t)__builtin_popcount(worlds);
    struct grid grid = {
        .selection = selection,
        .cells = memory_zeroed(runs, sizeof(*grid.cells)),
        .standings = memory_zeroed(runs, sizeof(*grid.standings)),
        .exact = memory_zeroed(runs, sizeof(*grid.exact)),
        .first = memory_zeroed(selection->count + 1, sizeof(*grid.first)),
        .left = memory_zeroed(selection->count, sizeof(*grid.left)),
    };

    for (size_t i = 0; i < selection->count; i++) {
        grid.first[i] = grid.count;
        add_item(&grid, &selection->items[i], worlds);
        grid.left[i] = (uint64_t)rounds * (grid.count - grid.first[i]);
    }
    assert(grid.count == runs);
    grid.first[selection->count] = grid.count;
    *ret_grid = grid;
}

void grid_free(struct grid *grid)
{
    for (size_t i = 0; i < grid->count; i++)
        standing_free(&grid->standings[i]);
    free(grid->cells);
    free(grid->standings);
    free(grid->exact);
    free(grid->first);
    free(grid->left);
    *grid = (struct grid){0};
}

size_t grid_item(const struct grid *grid, size_t cell)
{
    assert(cell < grid->count);
    return (size_t)(grid->cells[cell].item - grid->selection->items);
}

void grid_add(struct grid *grid, size_t cell, struct outcome *outcome)
{
    size_t item = grid_item(grid, cell);

    assert(grid->left[item] > 0);
    standing_add(&grid->standings[cell], outcome);
    grid->left[item]--;
}
