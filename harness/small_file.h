/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SMALL_FILE_H
#define EDGEWISE_HARNESS_SMALL_FILE_H

/* The files of one line in which the kernel tells how it is set. */

#include <stddef.h>

/* The first line of a file without its end, "" when it cannot be read; cut at `size` - 1 bytes. */
void small_file_line(const char *path, char *text, size_t size);

#endif
