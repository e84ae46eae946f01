/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_PROGRESS_H
#define EDGEWISE_HARNESS_CLI_PROGRESS_H

/* One line on stderr that is rewritten as the runs go by; nothing at all unless stderr is a
 * terminal. */

#include <stdbool.h>
#include <stddef.h>

struct progress {
    bool on;
    size_t done;
    size_t total;
};

/* `wanted` false: off. */
void progress_begin(struct progress *progress, bool wanted, size_t total);

/* Shows what runs now, as one more. */
void progress_step(struct progress *progress, const char *scenario, const char *cell);

/* Takes the line away, so that something else can be printed. */
void progress_clear(const struct progress *progress);

#endif
