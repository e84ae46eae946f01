/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LINES_H
#define EDGEWISE_HARNESS_LINES_H

/*
 * A growing list of text lines: a ledger, a diff, what is left over. Lines hold no newline. Out
 * of memory is the business of harness/memory.h.
 */

#include <stdbool.h>
#include <stddef.h>

struct lines {
    char **line; /* each NUL-terminated and owned by the list */
    size_t count;
    size_t room;
};

/* Appends a line, printf style. `lines` starts as all zero. */
void lines_add(struct lines *lines, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Splits `text` of `size` bytes at newlines and appends each line; a last line without one
 * counts. */
void lines_split(struct lines *lines, const char *text, size_t size);

/* Whether one of them is `line`. */
bool lines_have(const struct lines *lines, const char *line);

/* All lines with their newlines in one string; the caller frees it. `ret_size` may be NULL. */
char *lines_join(const struct lines *lines, size_t *ret_size);

/* Empties the list and frees what it held. */
void lines_free(struct lines *lines);

#endif
