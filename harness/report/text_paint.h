/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_TEXT_PAINT_H
#define EDGEWISE_HARNESS_REPORT_TEXT_PAINT_H

/* Colours, which never say anything alone: without them the same text is printed. */

#include <stdio.h>

#include "harness/report/text_style.h"
#include "harness/result.h"

/* Bold. */
void text_paint_bold(FILE *out, const struct text_style *style, const char *text);

/* In the colour of a verdict. */
void text_paint(FILE *out, const struct text_style *style, enum result_verdict verdict,
                const char *text);

#endif
