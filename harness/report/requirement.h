/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_REQUIREMENT_H
#define EDGEWISE_HARNESS_REPORT_REQUIREMENT_H

/* What the words behind a script's `covers` stand for: R- requirements, W worked examples, C
 * decisions where the requirements leave room. */

#include <stddef.h>

/* One short sentence without a full stop: "R-F-07" -> "a released frame wakes ...". NULL for a
 * word that is not in the list. */
const char *requirement_text(const char *name);

/* All of them, sorted by nothing in particular: the i-th name, NULL behind the last. */
const char *requirement_name(size_t i);

#endif
