/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_ROW_H
#define EDGEWISE_HARNESS_LEDGER_ROW_H

/*
 * One row of a ledger as text. Runs of blanks outside quotes are layout and count as one; blanks at
 * either end count as none. Inside quotes every byte counts; a quote inside is \x22 there.
 */

#include <stdbool.h>
#include <stdint.h>

/* True when two rows say the same. */
bool row_equal(const char *a, const char *b);

/* Equal rows have equal hashes. */
uint64_t row_hash(const char *row);

/* True for a row of the dialogue with the kernel: it begins with the word `notice` or `ctl`. */
bool row_dialogue(const char *row);

/* The next word of `*row` (a quoted text is part of its word): its start and length, `*row`
 * moves behind it. NULL at the end. */
const char *row_word(const char **row, int *ret_length);

#endif
