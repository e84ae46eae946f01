/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_PAGE_H
#define EDGEWISE_HARNESS_REPORT_PAGE_H

/*
 * Lines that fit a terminal, a log and a mail alike. Whatever is printed is printable ASCII: every
 * other byte is written \xNN, so nothing that a peer sent or a file is called moves the cursor. No
 * line is wider than PAGE_COLUMNS, and nothing is cut: what is longer goes on in the next line.
 */

#include <stdio.h>

#define PAGE_COLUMNS 80

/*
 * Prose: `first` stands before the first line, as many blanks as `hang` before each further one. It
 * is broken at blanks; a word that is too long for a line of its own is broken where the line ends,
 * with a `\`.
 */
void page_prose(FILE *out, const char *first, int hang, const char *text);

/*
 * A row of a ledger behind `mark` ("  - "), broken at a blank where it is too long: the rest is
 * below, behind four blanks more. `carets` are marks below the row, at its own columns: they follow
 * its parts; NULL: none.
 */
void page_row(FILE *out, const char *mark, const char *row, const char *carets);

/*
 * A command for a shell, ready to be copied: broken at a blank, with ` \` where it goes on. A
 * single word that fits no line is broken by a `\` and goes on in the first column, as a shell
 * reads it. Its words are quoted by shell_quote.
 */
void page_command(FILE *out, const char *label, const char *command);

#endif
