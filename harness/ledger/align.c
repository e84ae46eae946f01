/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/ledger/align.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ledger/row.h"
#include "harness/memory.h"

/* The windows of both lists, with a hash each to compare by. */
struct align {
    const char *const *a;
    const char *const *b;
    uint64_t *hash_a;
    uint64_t *hash_b;
    int a_count;
    int b_count;
};

static uint64_t *hashes(const char *const *rows, int count)
{
    uint64_t *hash = memory_zeroed((size_t)count, sizeof(*hash));

    for (int i = 0; i < count; i++)
        hash[i] = row_hash(rows[i]);
    return hash;
}

static int same(const struct align *align, int x, int y)
{
    return align->hash_a[x] == align->hash_b[y] && row_equal(align->a[x], align->b[y]);
}

/* Step d of the search from diagonal k: down (a row of b alone) or right (a row of a alone).
 * `reach` holds the furthest x on each diagonal after step d - 1. */
static int came_down(const int *reach, int k, int d)
{
    return k == -d || (k != d && reach[k - 1] < reach[k + 1]);
}

/* The diagonals -half .. half of step d; `trace` has one such array per step. */
static int *diagonals(int *trace, int half, int d)
{
    return trace + (size_t)d * (size_t)(2 * half + 1) + half;
}

/* How many steps the shortest path has; fewer than `half`, since removing all of a and adding
 * all of b is one. */
static int search(const struct align *align, int *trace, int half)
{
    size_t size = (size_t)(2 * half + 1) * sizeof(*trace);

    for (int d = 0; d < half; d++) {
        int *reach = diagonals(trace, half, d);

        if (d > 0)
            memcpy(reach - half, diagonals(trace, half, d - 1) - half, size);
        for (int k = -d; k <= d; k += 2) {
            int x = d == 0 ? 0 : came_down(reach, k, d) ? reach[k + 1] : reach[k - 1] + 1;

            while (x < align->a_count && x - k < align->b_count && same(align, x, x - k))
                x++;
            reach[k] = x;
            if (x >= align->a_count && x - k >= align->b_count)
                return d;
        }
    }
    abort();
}

/* Walks the path back from its end and notes the diagonal pieces. */
static void walk_back(const struct align *align, int *trace, int half, int steps, size_t *match)
{
    int x = align->a_count, y = align->b_count;

    for (int d = steps; d > 0; d--) {
        const int *reach = diagonals(trace, half, d - 1);
        int k = x - y;
        int down = came_down(reach, k, d);
        int from = down ? reach[k + 1] : reach[k - 1];
        int start = down ? from : from + 1;

        while (x > start) {
            x--;
            y--;
            match[x] = (size_t)y;
        }
        x = from;
        y = from - (down ? k + 1 : k - 1);
    }
    while (x > 0) {
        x--;
        match[x] = (size_t)x;
    }
}

static void align_window(struct align *align, size_t *match)
{
    /* One more than the longest path: its last step looks at the diagonals beside its own. */
    int half = align->a_count + align->b_count + 1;
    int *trace = memory_zeroed((size_t)half * (size_t)(2 * half + 1), sizeof(*trace));
    int steps;

    align->hash_a = hashes(align->a, align->a_count);
    align->hash_b = hashes(align->b, align->b_count);
    steps = search(align, trace, half);
    walk_back(align, trace, half, steps, match);
    free(align->hash_a);
    free(align->hash_b);
    free(trace);
}

size_t *align_rows(const char *const *a, size_t a_count, const char *const *b, size_t b_count,
                   size_t *ret_seen_a, size_t *ret_seen_b)
{
    size_t *match = memory_zeroed(a_count, sizeof(*match));
    size_t shorter = a_count < b_count ? a_count : b_count;
    size_t common = 0, seen_a, seen_b;
    struct align align;

    for (size_t i = 0; i < a_count; i++)
        match[i] = ALIGN_NONE;
    for (; common < shorter && row_equal(a[common], b[common]); common++)
        match[common] = common;
    seen_a = a_count - common < ALIGN_WINDOW ? a_count : common + ALIGN_WINDOW;
    seen_b = b_count - common < ALIGN_WINDOW ? b_count : common + ALIGN_WINDOW;
    align = (struct align){
        .a = a + common,
        .b = b + common,
        .a_count = (int)(seen_a - common),
        .b_count = (int)(seen_b - common),
    };
    if (align.a_count > 0 && align.b_count > 0)
        align_window(&align, match + common);
    for (size_t i = common; i < seen_a; i++)
        if (match[i] != ALIGN_NONE)
            match[i] += common;
    if (ret_seen_a)
        *ret_seen_a = seen_a;
    if (ret_seen_b)
        *ret_seen_b = seen_b;
    return match;
}
