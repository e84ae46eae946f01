/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "harness/cli/output.h"

void progress_begin(struct progress *progress, bool wanted, size_t total)
{
    *progress = (struct progress){.on = wanted && output_rewritable(STDERR_FILENO), .total = total};
}

void progress_step(struct progress *progress, const char *scenario, const char *cell)
{
    progress->done++;
    /* Bounded, so that it never wraps into a second line that could not be taken away. */
    if (progress->on)
        fprintf(stderr, "\r\033[K%zu/%zu %.40s %.24s", progress->done, progress->total, scenario,
                cell);
}

void progress_clear(const struct progress *progress)
{
    if (progress->on)
        fputs("\r\033[K", stderr);
}
