/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_WRITTEN_H
#define EDGEWISE_HARNESS_REPORT_WRITTEN_H

/* Whether what was printed has been written. */

#include <stdio.h>

/* Flushes `out`. 0, or -errno of what failed now or before: `status` is what the last call
 * returned, 0 for the first. */
int written_flush(FILE *out, int status);

#endif
