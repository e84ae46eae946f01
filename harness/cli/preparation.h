/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_PREPARATION_H
#define EDGEWISE_HARNESS_CLI_PREPARATION_H

/* All that must be right before the first run: scripts, a world, a place for what is written. */

#include "harness/cli/selection.h"
#include "harness/cli/verbs.h"
#include "harness/conduct/bench.h"
#include "harness/report/artefacts.h"
#include "harness/report/person.h"

struct preparation {
    unsigned worlds;  /* to run in, bits 1 << enum result_world */
    unsigned missing; /* those of them that cannot be had here, and why not */
    struct bench_failure why;
    struct selection selection;
    struct person person;
    struct artefacts artefacts; /* of this person: a preparation stays where it is */
    bool rootless;              /* called by an ordinary user */
};

/* Makes everything ready. STATUS_OK; or what to exit with, and in `said` why nothing runs. Free
 * with preparation_free either way. */
enum status preparation_make(struct preparation *ret_preparation, const struct verbs_call *call,
                             struct lines *said);

/* What a report says of the world at its beginning: how it came about where that was not asked for,
 * "" when there is nothing to say. */
void preparation_tell(const struct preparation *preparation, const struct options *options,
                      char *ret_text, size_t size);

/* Frees what it holds. */
void preparation_free(struct preparation *preparation);

#endif
