/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_STATEMENT_H
#define EDGEWISE_HARNESS_SCRIPT_STATEMENT_H

/* The lines of section timeline; the forms are in parser.h. */

#include "harness/script/draft.h"

/* Reads one line: one statement, or several by `c*8` and `repeat=`. */
void statement_line(struct draft *draft, const struct lexer_line *line);

/* Puts repeats among the later statements: by time, and by their order in the script at one
 * time. */
void statement_sort(struct draft *draft);

#endif
