/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_JUDGE_H
#define EDGEWISE_HARNESS_LEDGER_JUDGE_H

/*
 * From what happened to a verdict. A pure function: it reads a record and the expected ledgers and
 * fills a result; nothing is run, asked or waited for.
 *
 * `compare exact` compares the events ledger row by row and the wire ledger line by line; `compare
 * streams` compares neither. Both check what each peer sent against what the sut got, the journal's
 * invariants, every `expect`, and that nothing is left over which no `expect` names.
 */

#include "harness/happened.h"
#include "harness/ledger/expected.h"
#include "harness/result.h"

/* The files beside a script. */
struct judge_expected {
    struct expected events;
    struct expected wire;
};

/*
 * Reads `x.events` and `x.wire` beside script `plan->file`, "x.scn". A file that is not there is no
 * error here: its `missing` is set, and judge_run decides whether it was needed. 0; -EINVAL with
 * one `file:line:column: what is wrong; what would be right` per mistake in `errors`; -errno of a
 * file that cannot be read, with a line in `errors`. `ret_expected` is untouched on error; free it
 * with judge_expected_free.
 */
int judge_expected_read(const struct plan *plan, struct judge_expected *ret_expected,
                        struct lines *errors);
void judge_expected_free(struct judge_expected *expected);

/*
 * Judges one run. `result` starts all zero but for `world` and `attempts`, which stay the caller's,
 * as does `wall`; everything else is filled, and result_free frees it. The record and the expected
 * ledgers are only read.
 */
void judge_run(const struct happened *happened, const struct judge_expected *expected,
               struct result *result);

#endif
