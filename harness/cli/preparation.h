/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_PREPARATION_H
#define EDGEWISE_HARNESS_CLI_PREPARATION_H

/* All that must be right before the first run: scripts, a world, a place for what is written. */

#include "harness/cli/selection.h"
#include "harness/cli/verbs.h"
#include "harness/report/artefacts.h"
#include "harness/report/person.h"

struct preparation {
    enum result_world world;
    struct selection selection;
    struct person person;
    struct artefacts artefacts; /* of this person: a preparation stays where it is */
    bool rootless;              /* called by an ordinary user */
};

/* Makes everything ready. STATUS_OK; or what to exit with, and in `said` why nothing runs. Free
 * with preparation_free either way. */
enum status preparation_make(struct preparation *ret_preparation, const struct verbs_call *call,
                             struct lines *said);

/* Frees what it holds. */
void preparation_free(struct preparation *preparation);

#endif
