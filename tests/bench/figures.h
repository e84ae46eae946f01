/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_BENCH_FIGURES_H
#define EDGEWISE_TESTS_BENCH_FIGURES_H

/*
 * Measured values, and how they are told: as order statistics, for on a shared machine a mean
 * measures the neighbours.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Starts as all zero. */
struct figures {
    double *value;
    size_t count;
    size_t room;
    bool sorted;
};

/* Keeps `value`. Without memory the program ends. */
static inline void figures_add(struct figures *figures, double value)
{
    if (figures->count == figures->room) {
        figures->room = figures->room == 0 ? 256 : 2 * figures->room;
        figures->value = realloc(figures->value, figures->room * sizeof(*figures->value));
        if (!figures->value)
            abort();
    }
    figures->value[figures->count++] = value;
    figures->sorted = false;
}

/* For qsort. */
static inline int figures_compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* The value below or at which `fraction` (0 .. 1) of all values are: 0.5 is the median, 1 the
 * largest. 0 without values. */
static inline double figures_at(struct figures *figures, double fraction)
{
    size_t rank;

    assert(fraction >= 0 && fraction <= 1);
    if (figures->count == 0)
        return 0;
    if (!figures->sorted)
        qsort(figures->value, figures->count, sizeof(*figures->value), figures_compare);
    figures->sorted = true;
    rank = (size_t)(fraction * (double)(figures->count - 1) + 0.5);
    return figures->value[rank];
}

/* Frees the values. */
static inline void figures_free(struct figures *figures)
{
    free(figures->value);
    *figures = (struct figures){0};
}

/* A line for programs: name, value, unit. */
static inline void figures_tell(const char *name, double value, const char *unit)
{
    printf("%s %.6g %s\n", name, value, unit);
}

#endif
