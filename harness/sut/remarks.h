/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SUT_REMARKS_H
#define EDGEWISE_HARNESS_SUT_REMARKS_H

/*
 * What the sut's process has to say of the script: lines that were not carried out to the full.
 * They lie in memory that the bench shares, in the order in which they were made.
 */

#include <stdint.h>

#include "harness/lines.h"

#define REMARKS_BYTES 16384
#define REMARKS_LINE_MAX 200

struct remarks {
    uint32_t size;
    char text[REMARKS_BYTES]; /* lines, each with its newline */
};

/* Appends a line without its newline, printf style, cut at REMARKS_LINE_MAX. What no longer fits is
 * told by one last line. `remarks` starts as all zero. */
void remarks_add(struct remarks *remarks, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Appends them to `lines`. Whatever is in the memory, nothing beyond it is read. */
void remarks_tell(const struct remarks *remarks, struct lines *lines);

#endif
