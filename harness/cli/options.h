/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_OPTIONS_H
#define EDGEWISE_HARNESS_CLI_OPTIONS_H

/*
 * The options of all verbs: one table from which command lines are read and help is printed.
 * Nothing here prints an error or exits.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/instant.h"

#define OPTIONS_SETS_MAX 64
#define OPTIONS_RETRIES_MAX 1000
#define OPTIONS_JOBS_MAX 64
#define OPTIONS_REPEAT_MAX 1000000
#define OPTIONS_TIMEOUT_MAX_S 86400
#define OPTIONS_ERROR_BYTES 400

/* The verbs that take options, as bits. */
#define OPTIONS_SCENARIO 1u
#define OPTIONS_LIST 2u
#define OPTIONS_DOCTOR 4u
#define OPTIONS_NONE 8u /* a verb with --help only */
#define OPTIONS_CLEAN 16u

/* What one command line asks for. All strings are borrowed from argv. */
struct options {
    char *const *operands;
    size_t operand_count;
    unsigned worlds;   /* bits 1 << enum result_world; 0: not given */
    unsigned triggers; /* bits 1 << enum reactor_trigger; 0: all of the script's */
    unsigned families; /* bits 1 << enum plan_family; 0: all of the script's */
    const char *sets[OPTIONS_SETS_MAX]; /* KEY=VALUE each, in order */
    size_t set_count;
    const char *out;
    uint64_t seed;
    bool seed_given;
    unsigned retries;
    unsigned jobs;     /* runs at the same time, from 1 */
    uint32_t repeat;   /* rounds, from 1; 0: not given, one - or with until_fail the most */
    struct duration timeout; /* of one run; 0: not given */
    const char *junit; /* a file; NULL: none */
    int skip_code;     /* the exit status when nothing could run */
    const char *defect; /* a name that defects_find knows; NULL: none */
    bool until_fail;
    bool fail_fast;
    bool shuffle;
    bool json;
    bool json_lines;
    bool tap;
    bool defects;
    bool names;
    bool verbose;
    bool quiet;
    bool bless;
    bool dry_run;
    bool no_color;
    bool help;
};

struct options_error {
    char text[OPTIONS_ERROR_BYTES]; /* one line for a person, no newline */
};

/*
 * Reads the words behind a verb; `argv[0]` is the verb itself, and operands are moved behind the
 * options. `verb` is its bit. 0; -EINVAL with `error` filled, `ret_options` untouched. Uses
 * getopt: one thread.
 */
int options_parse(unsigned verb, int argc, char **argv, struct options *ret_options,
                  struct options_error *error);

/* Prints the options of a verb, one a line, aligned. */
void options_help(FILE *out, unsigned verb);

/* Prints the words that repeat what `options` chose, each after a blank, quoted for a shell:
 * operands, --defect, --world, --trigger, --family, --set, and how often and in which order. */
void options_repeat(FILE *out, const struct options *options);

#endif
