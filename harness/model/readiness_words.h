/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_READINESS_WORDS_H
#define EDGEWISE_HARNESS_MODEL_READINESS_WORDS_H

/*
 * Sources as a command line has them: NAME=BYTES, and what is said of a NAME afterwards. Each
 * function returns 0, or -EINVAL with what is wrong, and what would be right, in `ret_error`.
 */

#include <stddef.h>

#include "harness/model/readiness.h"

#define READINESS_WORDS_COUNT_MAX 10000 /* of interruptions, all together, and of rounds */
#define READINESS_WORDS_BYTES_MAX 4096  /* of all sources together */

enum readiness_words_modifier {
    READINESS_WORDS_NONE,
    READINESS_WORDS_EINTR, /* NAME=N, NAME=always */
    READINESS_WORDS_EOF,   /* NAME */
    READINESS_WORDS_FATAL, /* NAME */
    READINESS_WORDS_LATE,  /* NAME=N */
};

/* Adds the source NAME=BYTES; the bytes are borrowed. */
int readiness_words_source(struct readiness *readiness, const char *value, size_t error_size,
                           char *ret_error);

/* Says `value` of a source that is there. */
int readiness_words_modify(struct readiness *readiness, enum readiness_words_modifier modifier,
                           const char *value, size_t error_size, char *ret_error);

/* Looks at what only all sources together can break. */
int readiness_words_check(const struct readiness *readiness, size_t error_size, char *ret_error);

#endif
