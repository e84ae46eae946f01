/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_BLESSING_H
#define EDGEWISE_HARNESS_CLI_BLESSING_H

/*
 * --bless: what all runs of a scenario agree on becomes what is expected of it: NAME.events,
 * NAME.wire and the canonical NAME.pcap beside the script. It is blessed only when each of the
 * runs, judged again by it, passes: a run that broke an expectation, left something over, was late
 * or an error is no example.
 */

#include "harness/lines.h"
#include "harness/report/person.h"
#include "harness/runs/outcome.h"
#include "pcaps/packet.h"

struct blessing {
    const struct plan *plan;
    struct lines events; /* no rows: nothing to write, as with `compare streams` */
    struct lines wire; /* no rows: no such file, as for unix and pipe */
    struct packet_list capture;
};

/*
 * Merges the runs of `plan`, all triggers and families, and judges each again by the outcome:
 * their results are replaced. `before` is what was expected so far. 0 and a blessing to write;
 * -EINVAL with the reasons why there is none in `said`. Free with blessing_free.
 */
int blessing_make(const struct plan *plan, const struct judge_expected *before,
                  struct outcome *outcomes, size_t count, struct blessing *ret_blessing,
                  struct lines *said);

/* Writes the files that changed, as `person`: a line for each in `said`. 0 or -errno. */
int blessing_write(const struct blessing *blessing, const struct person *person,
                   struct lines *said);

/* Frees what it holds. */
void blessing_free(struct blessing *blessing);

#endif
