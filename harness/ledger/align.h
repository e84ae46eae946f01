/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_ALIGN_H
#define EDGEWISE_HARNESS_LEDGER_ALIGN_H

/*
 * Which rows of two lists belong together: a longest common subsequence, by Myers' greedy O(ND)
 * method ("An O(ND) Difference Algorithm and Its Variations", 1986). What both lists begin with
 * belongs together; behind it at most ALIGN_WINDOW rows of each are looked at, which bounds time
 * and memory.
 */

#include <stddef.h>

#define ALIGN_NONE   SIZE_MAX
#define ALIGN_WINDOW 512

/*
 * For each of the `a_count` rows of `a` the index of its partner in `b`, or ALIGN_NONE; partners
 * increase. The array is the caller's to free. `ret_seen_a` and `ret_seen_b`, which may be NULL,
 * are how many rows were looked at: behind them nothing has a partner.
 */
size_t *align_rows(const char *const *a, size_t a_count, const char *const *b, size_t b_count,
                   size_t *ret_seen_a, size_t *ret_seen_b);

#endif
