/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_EXPECTATION_H
#define EDGEWISE_HARNESS_SCRIPT_EXPECTATION_H

/* The lines of section expect; the forms are in parser.h. */

#include "harness/script/draft.h"

/* Reads `[TAGS:] SUBJECT WHAT ...`. */
void expectation_line(struct draft *draft, const struct lexer_line *line);

#endif
