/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_INVARIANTS_H
#define EDGEWISE_HARNESS_LEDGER_INVARIANTS_H

/*
 * What holds in every journal, whatever the script: the ready queue is played through, and each
 * record is held against it.
 *
 *   R-Q-01..06  a source enters Q by a ready, resume or yield row and by nothing else, once at a
 *               time, at the tail; the queue of each row is the queue as played; a quantum is that
 *               of the head
 *   R-Q-03      reads, frames, stops and ends are those of the one source whose quantum it is
 *   R-F-02      used + reserved never exceed the capacity
 *   R-F-03      a read begins a frame only where the largest one has room
 *   R-ST-13     one end for each source, and nothing read after it
 *   R-ID-05     after its close an identity has stale notices and what its close does to the
 *               kernel, else nothing
 *   R-ST-21     no event came in a state where it is illegal
 */

#include "harness/happened.h"
#include "harness/ledger/names.h"
#include "harness/lines.h"

/* More broken rows than these are only counted. */
#define INVARIANTS_TOLD_MAX 10

/* `rows` are those that events_make told of the same journal, for messages. One line per broken
 * row. */
void invariants_check(const struct happened *happened, const struct names *names,
                      const struct lines *rows, struct lines *ret_lines);

#endif
