/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_MODEL_CANCELLATION_SCRIPT_H
#define EDGEWISE_HARNESS_MODEL_CANCELLATION_SCRIPT_H

/*
 * What happens to requests, as words with blanks between them:
 *
 *     submit                           a buffer goes to the device, somebody waits
 *     deadline[:submitfail]            the wait is over; the cancel (cannot) be submitted
 *     logical_exit[:submitfail]        whoever waits leaves
 *     target:ok|err|canceled[:borrow]  the device's record; its callback borrows the buffer
 *     cancel:ok|notfound|already|badid the cancel's record
 *     borrow                           one more borrow
 *     release:TOKEN                    a borrow ends; tokens count from 0
 *     throw:TOKEN                      a callback failed: its clean-up ends the borrow
 *     handoff:TOKEN                    another receiver takes a borrow over
 *     deliver                          a record reaches the completion queue
 *
 * A suffix @GEN overrides the generation that the record carries. A word is for the oldest request
 * that is not retired, and when all are, for the one that was retired last.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/request.h"

#define CANCELLATION_SCRIPT_WORDS_MAX 256
#define CANCELLATION_SCRIPT_WORD_SIZE 40

struct cancellation_script_word {
    char text[CANCELLATION_SCRIPT_WORD_SIZE]; /* as it was typed */
    bool submit;
    struct request_act act; /* unless submit */
    bool aged;              /* `generation` is given */
    uint32_t generation;
};

struct cancellation_script {
    struct cancellation_script_word words[CANCELLATION_SCRIPT_WORDS_MAX];
    uint32_t word_count;
    const char *text; /* borrowed */
};

/* Reads a script; its first word is submit. 0; -EINVAL with what is wrong, and what would be
 * right, in `ret_error`. */
int cancellation_script_read(const char *text, struct cancellation_script *ret_script,
                             size_t error_size, char *ret_error);

#endif
