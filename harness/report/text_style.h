/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_TEXT_STYLE_H
#define EDGEWISE_HARNESS_REPORT_TEXT_STYLE_H

/* How the report for a person is to look, and what it may name. Strings are borrowed. */

#include <stdbool.h>

struct text_style {
    bool colour;
    bool quiet;   /* only what did not pass */
    bool verbose; /* the ledgers too, and differences whole */
    const char *out;     /* --out, for the artefacts' paths */
    const char *command; /* what starts the program, for the next command: "./run" */
    const char *scenarios; /* the tree whose scripts go by their names; NULL: none do */
    const char *options; /* more words of the next command, each after a blank; NULL: none */
    const char *here;    /* the working directory with a `/` behind it: paths below it are told
                            without; NULL: no path is shortened */
    const char *world;   /* told at the beginning: "veth, in a user namespace"; NULL: is not */
};

#endif
