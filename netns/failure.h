/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_NETNS_FAILURE_H
#define EDGEWISE_NETNS_FAILURE_H

/* Why a step of the network layer failed: an errno for the program, a line for the person. */
struct failure {
    int code;       /* -errno, as returned by the function that failed */
    char text[256]; /* "what was tried: why it failed", one line, no newline */
};

/* Fills *failure (NULL: nobody asks) with the printf text and ": " and the name of the errno.
 * code is a negative errno. Returns code, so that a caller can return it at once. */
int failure_set(struct failure *failure, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same without the errno's name, where the text says better what happened. */
int failure_tell(struct failure *failure, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
