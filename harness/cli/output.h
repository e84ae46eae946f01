/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_OUTPUT_H
#define EDGEWISE_HARNESS_CLI_OUTPUT_H

/*
 * Standard output as a stream that remembers its first error. Afterwards a reader that went away
 * is told apart from a full disk: the first is no mistake of ours, the second loses the result.
 */

#include <stdbool.h>
#include <stdio.h>

struct output {
    FILE *stream;
    int fd;
    int error; /* errno of the first write that failed, 0 */
};

/* Opens a stream onto `fd`, which stays open and the caller's. 0 or -ENOMEM. SIGPIPE must not
 * kill. */
int output_open(struct output *output, int fd);

/* Writes what is buffered and frees the stream. 0, also when the reader is gone; else -errno of
 * the first error. */
int output_close(struct output *output);

/* Whether colours make sense on `fd`: a terminal that can, and neither NO_COLOR nor CI in the
 * environment. */
bool output_colour(int fd);

/* Whether a line on `fd` may be rewritten in place. */
bool output_rewritable(int fd);

#endif
