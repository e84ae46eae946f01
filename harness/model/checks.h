/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CHECKS_H
#define EDGEWISE_HARNESS_MODEL_CHECKS_H

/* Checks that are counted and never compiled away: how many were made, and which failed. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness/lines.h"

/* More failures than this are only counted. */
#define CHECKS_TOLD_MAX 100

struct checks {
    uint32_t run;
    uint32_t failed;
    struct lines told; /* the first failures, a line each */
};

/* One check. The text, printf style, says what should hold. `checks` starts as
 * all zero. */
void checks_that(struct checks *checks, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the checks of `part`, its failures behind `name`. */
void checks_add(struct checks *checks, const char *name, const struct checks *part);

/* {"run", "failed"}, for the key "checks". */
json_t *checks_value(const struct checks *checks);

/* The failures as a list. */
json_t *checks_failures(const struct checks *checks);

/* Frees the told failures; all is zero again. */
void checks_free(struct checks *checks);

#endif
