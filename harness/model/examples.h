/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_EXAMPLES_H
#define EDGEWISE_HARNESS_MODEL_EXAMPLES_H

/*
 * The worked examples of the requirement, with the figures that it states: what is played, what
 * rows must come out, and what they must add up to.
 */

#include "harness/model/checks.h"
#include "harness/model/readiness.h"

#define EXAMPLES_ROWS_MAX 12
#define EXAMPLES_FIGURE_NONE UINT32_MAX /* the requirement states none */

struct examples_readiness {
    const char *name;  /* "six-quanta" */
    const char *about; /* one sentence */
    const char *covers;
    struct readiness play;
    const char *rows[EXAMPLES_ROWS_MAX + 1]; /* as readiness_value_text; NULL behind the last */
    bool first_rows;  /* `rows` are the first ones only */
    struct {
        uint32_t quanta, reads, data, eagain, notices, bytes;
        uint32_t left;          /* unread in the end, all sources together */
        uint32_t first_service; /* the quantum in which the second source is first served */
    } figures;
};

size_t examples_readiness_count(void);

/* Example `i`. The first is what is played when nothing else is asked for. */
const struct examples_readiness *examples_readiness_at(size_t i);

/* Holds a ledger against the figures of its example. */
void examples_readiness_check(const struct examples_readiness *example,
                              const struct readiness_ledger *ledger, struct checks *checks);

#endif
