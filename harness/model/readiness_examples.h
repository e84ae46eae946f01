/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_READINESS_EXAMPLES_H
#define EDGEWISE_HARNESS_MODEL_READINESS_EXAMPLES_H

/*
 * The worked examples of the requirement, with the figures that it states: what is played, what
 * rows must come out, and what they must add up to.
 */

#include "harness/model/checks.h"
#include "harness/model/readiness.h"

#define READINESS_EXAMPLES_ROWS_MAX 12

struct readiness_example {
    const char *name;  /* "six-quanta" */
    const char *about; /* one sentence */
    const char *covers;
    struct readiness play;
    /* As readiness_value_text has them; NULL behind the last. */
    const char *rows[READINESS_EXAMPLES_ROWS_MAX + 1];
    bool first_rows;  /* `rows` are the first ones only */
    struct {
        uint32_t quanta, reads, data, eagain, notices, bytes;
        uint32_t left;          /* unread in the end, all sources together */
        uint32_t first_service; /* the quantum in which the second source is first served */
    } figures;
};

/* How many there are. */
size_t readiness_examples_count(void);

/* Example `i`. The first is what is played when nothing else is asked for. */
const struct readiness_example *readiness_examples_at(size_t i);

/* Holds a ledger against the figures of its example. */
void readiness_examples_check(const struct readiness_example *example,
                              const struct readiness_ledger *ledger, struct checks *checks);

#endif
