/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_SECTION_H
#define EDGEWISE_HARNESS_SCRIPT_SECTION_H

/*
 * The sections that say what there is and how it is set up: scenario, about, covers, topology,
 * reactor, run, peers. Each function reads one line and adds what is wrong with it; the forms are
 * in parser.h.
 */

#include "harness/script/draft.h"

/* The name, which must be that of the file below a folder scenarios/. */
void section_scenario(struct draft *draft, const struct lexer_line *line);
/* One sentence in quotes. */
void section_about(struct draft *draft, const struct lexer_line *line);
/* Words, kept as they are. */
void section_covers(struct draft *draft, const struct lexer_line *line);
/* One of link, family, socket, backlog. */
void section_topology(struct draft *draft, const struct lexer_line *line);
/* One of trigger, quantum, frame, capacity, app, collect, requeue, limit. */
void section_reactor(struct draft *draft, const struct lexer_line *line);
/* One of pace, compare, tolerance. */
void section_run(struct draft *draft, const struct lexer_line *line);
/* A name and what kind of stream it is. */
void section_peers(struct draft *draft, const struct lexer_line *line);

#endif
