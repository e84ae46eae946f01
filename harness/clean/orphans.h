/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLEAN_ORPHANS_H
#define EDGEWISE_HARNESS_CLEAN_ORPHANS_H

/*
 * Processes of this program that outlived their bench. Everything that a bench starts asks the
 * kernel to be killed with it, so there should be none; what can remain was stopped by the kernel
 * itself on the way: by a debugger that held it, say, or a frozen control group.
 *
 * One is proved to be ours and an orphan by three facts that the kernel alone writes:
 *
 *  - it executes the file that this process executes, or the one that was at its path before the
 *    last build, so it is no other checkout's;
 *  - it was forked and never executed anything (a flag in /proc/PID/stat), so whoever started it
 *    executed this file, too: it is no bench that somebody typed;
 *  - its parent executes another file, or, where that is hidden from us, has another name or user:
 *    whoever started it has gone, for neither side ever changes these.
 *
 * A process that is held by a living bench has that bench, or another child of it, as its parent.
 * What cannot be looked at is left alone.
 */

#include <stdbool.h>

#include "harness/clean/remains.h"

/*
 * Looks at every process that the caller may look at (an ordinary user: only its own) and kills the
 * orphans, or with `dry_run` only tells of them; running benches are listed as left. 0, or -errno
 * when /proc cannot be read.
 */
int orphans_remove(bool dry_run, struct remains *remains);

#endif
