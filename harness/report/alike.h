/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_ALIKE_H
#define EDGEWISE_HARNESS_REPORT_ALIKE_H

/* Results that one story tells. */

#include <stdbool.h>
#include <stddef.h>

#include "harness/result.h"

/* Whether a person would read the same words about both: the same rows are missing or too many, the
 * same else is wrong. Late runs are alike whoever was late and by how much; suts that came to a bad
 * end, when they did it in the same words and behind the same row. */
bool alike(const struct result *a, const struct result *b);

/* Whether one of those before `index` is like it. */
bool alike_before(const struct result *results, size_t index);

#endif
