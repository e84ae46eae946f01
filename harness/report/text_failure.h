/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_TEXT_FAILURE_H
#define EDGEWISE_HARNESS_REPORT_TEXT_FAILURE_H

/*
 * What went wrong, for somebody who has to mend it: in this order who it concerns, how the sut came
 * to a bad end and its last rows, the first difference and the line of the script behind it, what
 * does not hold or is left over, the requirement in words, the packets around, and what to type.
 */

#include <stddef.h>
#include <stdio.h>

#include "harness/report/text_style.h"
#include "harness/result.h"

/* Lines of a difference; the artefacts have all of them. */
#define TEXT_FAILURE_DIFF 24
/* Lines of any other list. */
#define TEXT_FAILURE_LIST 12
/* Cells alike that are named each; of more only the first, since the table shows them all. */
#define TEXT_FAILURE_NAMED 3

/* Tells about results[index], which did not pass, and names all of the `count` that are like it. */
void text_failure_print(FILE *out, const struct text_style *style, const struct result *results,
                        size_t count, size_t index);

#endif
