/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_BLESS_H
#define EDGEWISE_HARNESS_LEDGER_BLESS_H

/*
 * Several runs of one scenario, under several triggers, families and worlds, merged into the text
 * of its expected file. Only what all of them agree on can be blessed.
 */

#include <stddef.h>

#include "core/reactor.h"
#include "harness/lines.h"

struct bless_run {
    const char *name; /* for messages: "veth-et-ipv4" */
    enum reactor_trigger trigger;
    const struct lines *rows; /* without tags */
};

/*
 * The events file: untagged rows as they are; between two of them the rows of the dialogue, tagged,
 * those of et before those of lt before those of os where they differ. 0 and the lines of the file
 * appended to `ret_rows`; -EINVAL with the place where two runs part in `errors`, `ret_rows`
 * untouched. `count` is at least 1.
 */
int bless_events(const struct bless_run *runs, size_t count, struct lines *ret_rows,
                 struct lines *errors);

/* A file without tags: all runs have the same rows. As bless_events. */
int bless_plain(const struct bless_run *runs, size_t count, struct lines *ret_rows,
                struct lines *errors);

#endif
