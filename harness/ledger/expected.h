/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_LEDGER_EXPECTED_H
#define EDGEWISE_HARNESS_LEDGER_EXPECTED_H

/*
 * An expected ledger: the `.events` or `.wire` file beside a script.
 *
 *     # a comment: a whole line
 *     c quantum 1                    a row of every run
 *     lt: ctl c -IN -RDHUP           a row of the runs under one trigger
 *     et os: ctl c del               or under several, in the order et lt os
 *
 * Rows of a `.wire` file have no tags. Empty lines are skipped.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/reactor.h"
#include "harness/lines.h"

/* Bounds of one file. */
#define EXPECTED_FILE_MAX   (UINT64_C(64) << 20)
#define EXPECTED_ROW_MAX    4096
#define EXPECTED_ERRORS_MAX 20 /* more mistakes than these are only counted */

enum expected_kind {
    EXPECTED_EVENTS, /* tags; notice and ctl rows must have them */
    EXPECTED_PLAIN,  /* no tags */
};

/* The tags of a row that has none. */
#define EXPECTED_ALWAYS ((1u << REACTOR_TRIGGER_COUNT) - 1)

struct expected_row {
    char *text; /* without its tags */
    uint32_t line;
    unsigned triggers; /* bits 1 << enum reactor_trigger; EXPECTED_ALWAYS without tags */
};

struct expected {
    char *file;   /* as opened, for messages */
    bool missing; /* there is no such file */
    struct lines
        head; /* the comment lines before the first row, kept when the file is blessed anew */
    uint32_t line_count;
    struct expected_row *rows;
    size_t count;
    size_t room;
};

/*
 * Reads a whole file. 0, also when there is none; -EINVAL, with a line per mistake in `errors`;
 * -errno of the file, with one line. `ret_expected` is untouched on error.
 */
int expected_read(const char *file, enum expected_kind kind, struct expected *ret_expected,
                  struct lines *errors);

/* The same from memory; `file` is for messages. 0 or -EINVAL. */
int expected_parse(const char *file, enum expected_kind kind, const char *text, size_t size,
                   struct expected *ret_expected, struct lines *errors);

/* Frees what it holds. */
void expected_free(struct expected *expected);

/* The rows of one run, in order. The array is the caller's to free; the rows stay the file's. */
const struct expected_row **expected_select(const struct expected *expected,
                                            enum reactor_trigger trigger, size_t *ret_count);

#endif
