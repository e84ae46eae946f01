/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_DIGEST_H
#define EDGEWISE_HARNESS_REPORT_DIGEST_H

/* What a run came to as plain lines, for formats of programs that carry text which people read. */

#include "harness/lines.h"
#include "harness/result.h"

/* The one line to show first: the reason, or where the first difference is. NULL for a run that
 * passed and says nothing. It belongs to `result`. */
const char *digest_headline(const struct result *result);

/* Appends the differences, the expectations that do not hold, what is left over and the notes, each
 * with a title. No line of an empty list, and none that begins with a blank before the first
 * title. */
void digest_details(struct lines *lines, const struct result *result);

/* "pass, wall 12.4 ms, set-up 2.1 ms, timeline 6.25 ms, at most 41 us late, runs: 3 pass, 1 late";
 * the caller frees it. */
char *digest_figures(const struct result *result);

/* Appends the lines `from`, each behind `indent`; of more than JSON_LINES_MAX the last one counts
 * the rest. */
void digest_add(struct lines *lines, const char *indent, const struct lines *from);

#endif
