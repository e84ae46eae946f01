/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLEAN_LITTER_H
#define EDGEWISE_HARNESS_CLEAN_LITTER_H

/*
 * What a bench was writing when it was killed:
 *
 *  - a temporary file, `.NAME.PID.new` (harness/report/folder.h), NAME being an artefact or the
 *    probe for them, or ending as what --bless and --junit write: a plain file that nobody has
 *    open, which the kernel proves by a lease, even of processes in other containers, and whose
 *    writer is gone;
 *  - half a folder of artefacts, TOPIC/BEHAVIOUR/WORLD-TRIGGER-FAMILY without the result.json that
 *    is written last, in which nothing lies but artefacts.
 *
 * The latter only while no bench runs. Both only when nothing in them has changed for
 * LITTER_REST_S, and they belong to the person (to anybody, for a root that nobody called by sudo).
 * No link is followed below the top, no other file system entered, and what is not recognised is
 * not touched.
 */

#include <stdbool.h>
#include <stdint.h>

#include "harness/clean/remains.h"
#include "harness/report/person.h"

#define LITTER_REST_S 10

struct litter {
    const struct person *person; /* whose rights are used */
    int64_t now_s;               /* wall clock */
    bool folders;                /* half folders, too */
    bool busy;                   /* a bench is running */
    bool dry_run;
};

/*
 * Removes the litter below `top`, links to which are followed, or with dry_run only tells of it.
 * 0, also when there is no `top`; or -errno when it cannot be entered.
 */
int litter_remove(const struct litter *litter, const char *top, struct remains *remains);

#endif
