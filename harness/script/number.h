/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_SCRIPT_NUMBER_H
#define EDGEWISE_HARNESS_SCRIPT_NUMBER_H

/*
 * Numbers and durations of a script: decimal digits, durations with one of the units ns us ms s.
 * `what` begins the message about a bad one: "quantum.bytes".
 */

#include <stdbool.h>
#include <stdint.h>

#include "core/instant.h"
#include "harness/script/lexer.h"

/* The longest time that a script can speak of: a day. */
#define NUMBER_DURATION_MAX (INT64_C(86400) * 1000000000)

/* A number from `min` to `max`. False: a mistake was added. */
bool number_read(struct mistakes *mistakes, struct lexer_word word, const char *what, uint64_t min,
                 uint64_t max, uint64_t *ret_number);

/* A duration, 0 .. NUMBER_DURATION_MAX. False: a mistake was added. */
bool number_duration(struct mistakes *mistakes, struct lexer_word word, const char *what,
                     struct duration *ret_duration);

/* A positive errno by its name: "ECONNRESET". False: a mistake was added. */
bool number_errno(struct mistakes *mistakes, struct lexer_word word, int *ret_error);

#endif
