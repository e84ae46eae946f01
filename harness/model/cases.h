/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CASES_H
#define EDGEWISE_HARNESS_MODEL_CASES_H

/* Cases of the model: played, checked, and told as JSON (harness/model/document.h). */

#include <jansson.h>

#include "harness/model/ask.h"
#include "harness/model/checks.h"

/*
 * Sets what one case has in `object`; what is asked for is one. A ledger that is a worked example
 * is held against its figures, too. 0; -EINVAL with the reason in `ret_error` when a script gives
 * back what is not held.
 */
int cases_put(json_t *object, const struct ask *ask, struct checks *ret_checks, size_t error_size,
              char *ret_error);

/* All worked examples, as a list; their checks are added to `checks`. */
json_t *cases_all(enum defects defect, struct checks *checks);

/* Sets "checks", and "failed_checks" if any failed. */
void cases_put_checks(json_t *object, const struct checks *checks);

#endif
