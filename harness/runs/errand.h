/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_RUNS_ERRAND_H
#define EDGEWISE_HARNESS_RUNS_ERRAND_H

/* What the process of a run does: it lets go of all that is not its own, carries the run out, tells
 * what came of it, and ends. */

#include <sys/types.h>

#include "harness/runs/job.h"

/* To be called right after the fork; `fd` is where the parcel goes, and `parent` whose end is ours,
 * too. Does not return. */
_Noreturn void errand_run(const struct job_request *request, int fd, pid_t parent);

#endif
