/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_TESTS_SUPPORT_SCRIPT_H
#define EDGEWISE_TESTS_SUPPORT_SCRIPT_H

/*
 * A correct script, and what becomes of it when one place is changed: for tests of the parser's
 * parts. The script has 23 lines; see script.c for their numbers.
 */

#include "harness/script/parser.h"

/* One change of the script, and every mistake that it must give, as "line:column: text" lines. */
struct script_case {
    const char *from; /* the first place that says this ... */
    const char *to;   /* ... says this instead */
    const char *mistakes;
};

/* Parses each changed script and asserts its mistakes, to the letter. */
void script_reject(const struct script_case *cases, size_t count);

/* The plan of the changed script, which must be correct; plan_free frees it. `from` may be NULL. */
struct plan *script_accept(const char *from, const char *to);

/* Mistakes of any text and settings, joined by newlines, without the file's name; the caller frees
 * them. NULL when there are none. */
char *script_mistakes(const char *text, size_t size, const char *const *sets, uint32_t set_count);

/* The script with one change; the caller frees it. */
char *script_text(const char *from, const char *to);

#endif
