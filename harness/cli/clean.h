/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_CLEAN_H
#define EDGEWISE_HARNESS_CLI_CLEAN_H

#include "harness/cli/verbs.h"

/*
 * The verb `clean`: removes what is provably a leftover of ours (harness/clean), and nothing else.
 * With --json it prints
 *
 *     {"tool", "version", "dry_run", "items": [ITEM...], "removed", "found", "left", "failed"}
 *
 * ITEM is {"kind": "process|file|folder", "name", "fate": "removed|found|left|failed", "why"}, the
 * last four are how many items have each fate; "found" is what a dry run would have removed.
 *
 * STATUS_OK when no leftover remains, or nothing was to be removed; STATUS_BROKEN when one could
 * not be removed or looked for; STATUS_USAGE.
 */
int clean_run(const struct verbs_call *call);

#endif
