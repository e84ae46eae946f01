/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_REACTION_H
#define EDGEWISE_HARNESS_SCRIPT_REACTION_H

/* The lines of section reactions; the forms are in parser.h. */

#include "harness/script/draft.h"

/* Reads `on PEER TRIGGER [NUMBER] ACTION ...`. */
void reaction_line(struct draft *draft, const struct lexer_line *line);

#endif
