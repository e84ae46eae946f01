/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CANCELLATION_EXAMPLES_H
#define EDGEWISE_HARNESS_MODEL_CANCELLATION_EXAMPLES_H

/* The worked examples of cancellation, with the figures that the requirement states (W4, W5). */

#include "harness/model/cancellation.h"
#include "harness/model/checks.h"

#define CANCELLATION_EXAMPLES_NEVER 0

struct cancellation_example {
    const char *name;
    const char *about; /* one sentence */
    const char *covers;
    const char *events;
    bool early_lease;
    const char *const *rows; /* as cancellation_value_text; NULL: only the figures */
    const char *last;        /* the last row; NULL when `rows` has it */
    uint32_t returned;       /* the word with which the first buffer returns; NEVER */
    uint32_t retired;        /* the word with which the first record is retired; NEVER */
};

/* How many there are. The first one is W4. */
size_t cancellation_examples_count(void);

/* Example `i`. */
const struct cancellation_example *cancellation_examples_at(size_t i);

/* What is to be played for one. */
void cancellation_examples_play(const struct cancellation_example *example,
                                struct cancellation *ret_cancellation);

/* The example that plays the same, or NULL. */
const struct cancellation_example *
cancellation_examples_find(const struct cancellation *cancellation);

/* Holds a ledger against the figures of its example. */
void cancellation_examples_check(const struct cancellation_example *example,
                                 const struct cancellation_ledger *ledger, struct checks *checks);

#endif
