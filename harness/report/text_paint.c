/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/text_paint.h"

#include <assert.h>

#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

static const char *const colours[] = {
    [RESULT_PASS] = "\033[32m", [RESULT_FAIL] = "\033[1;31m", [RESULT_LATE] = "\033[33m",
    [RESULT_ERROR] = "\033[1;35m", [RESULT_SKIP] = "\033[36m",
};
_Static_assert(sizeof(colours) / sizeof(*colours) == RESULT_VERDICT_COUNT, "a colour each");

static void paint(FILE *out, const struct text_style *style, const char *colour, const char *text)
{
    fprintf(out, "%s%s%s", style->colour ? colour : "", text, style->colour ? PLAIN : "");
}

void text_paint_bold(FILE *out, const struct text_style *style, const char *text)
{
    paint(out, style, BOLD, text);
}

void text_paint(FILE *out, const struct text_style *style, enum result_verdict verdict,
                const char *text)
{
    assert(verdict < RESULT_VERDICT_COUNT);
    paint(out, style, colours[verdict], text);
}
