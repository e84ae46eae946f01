/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_NUMBERS_H
#define EDGEWISE_HARNESS_NUMBERS_H

/* The rows of numbers that the kernel writes into small files. */

#include <stddef.h>
#include <stdint.h>

/* Reads decimal numbers with blanks between them, at most `most`, into `ret_numbers`; how many
 * there are before anything else comes. One that does not fit is something else. */
size_t numbers_read(const char *text, int64_t *ret_numbers, size_t most);

#endif
