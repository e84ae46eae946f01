/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_MISTAKES_H
#define EDGEWISE_HARNESS_SCRIPT_MISTAKES_H

/*
 * What is wrong with one script: lines `file:line:column: what is wrong; what would be right`, or
 * `--set quantum.bytes=x: ...` for a setting given on the command line. Ready to print.
 */

#include <stdint.h>

#include "harness/lines.h"
#include "harness/script/plan.h"

#define MISTAKES_MAX 20

struct mistakes {
    const char *file;
    const char *const *sets; /* arguments of --set; a place with line 0 means sets[column - 1] */
    struct lines lines;      /* at most MISTAKES_MAX */
    uint32_t more;           /* further ones that are only counted */
};

/* Appends a mistake at `place`, printf style. */
void mistakes_add(struct mistakes *mistakes, struct plan_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Frees the lines. */
void mistakes_free(struct mistakes *mistakes);

#endif
