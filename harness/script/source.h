/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_SOURCE_H
#define EDGEWISE_HARNESS_SCRIPT_SOURCE_H

/*
 * A file read whole: a script, or the bytes of an `@file`. Only regular files of a bounded size.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/script/mistakes.h"

#define SOURCE_SCRIPT_MAX ((size_t)1 << 20)

struct source {
    char *text; /* owned */
    size_t size;
};

/*
 * Reads `path`, at most `size_max` bytes. NULL, or what is wrong and what would be right, as a
 * static text; then `ret_source` is untouched.
 */
const char *source_read(const char *path, size_t size_max, struct source *ret_source);

/*
 * Whether the bytes are text that a script may hold: UTF-8 without control characters but newline
 * and tab, lines of a bounded length, a newline at the end. False: the first mistake was added.
 */
bool source_check(const char *text, size_t size, struct mistakes *mistakes);

/* Frees the text. */
void source_free(struct source *source);

#endif
