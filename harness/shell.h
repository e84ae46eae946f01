/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SHELL_H
#define EDGEWISE_HARNESS_SHELL_H

/* Commands that a person shall be able to copy into a shell. */

#include <stdio.h>

/* Prints `word` as a shell reads it as one word, in printable ASCII: plain, in '...', or in
 * $'...'. */
void shell_quote(FILE *out, const char *word);

#endif
