/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_REPORTS_H
#define EDGEWISE_HARNESS_CLI_REPORTS_H

/*
 * The sinks that a command line asks for: one for standard output - text, or what --json,
 * --json-lines or --tap say - and a file beside it with --junit. The file is printed to memory and
 * takes its place when it is whole: nothing half is ever left, however the program ends.
 */

#include <limits.h>

#include "harness/cli/preparation.h"
#include "harness/cli/verbs.h"
#include "harness/report/folder.h"
#include "harness/report/json.h"
#include "harness/report/jsonlines.h"
#include "harness/report/junit.h"
#include "harness/report/sink.h"
#include "harness/report/tap.h"
#include "harness/report/text.h"

#define REPORTS_MAX 2

struct reports {
    const struct verbs_call *call;
    struct sink sinks[REPORTS_MAX];
    size_t count;
    char world[480]; /* told at the beginning; "": is not */
    char *words; /* --set and the like, for the next command */
    char *replay;
    char here[PATH_MAX + 1]; /* the working directory and a `/`; "" when it cannot be told */
    struct text_style style;
    struct text text;
    struct json_document document;
    struct jsonlines jsonlines;
    struct tap tap;
    struct junit junit;
    struct folder folder;                /* of the file for --junit */
    char name[FOLDER_NAME_MAX + 1];      /* its name there */
    FILE *file;                          /* NULL: none */
    char *bytes;
    size_t size;
};

/* Makes the sinks ready, before anything runs: STATUS_OK, or what to exit with and in `said` why.
 * `preparation` is borrowed. Free with reports_close either way; `ret_reports` stays where it
 * is. */
enum status reports_open(struct reports *ret_reports, const struct verbs_call *call,
                         const struct preparation *preparation, struct lines *said);

/* Why nothing runs: on standard error, and in the forms that were asked for, the file of --junit
 * among them. What to exit with. */
int reports_refuse(const struct verbs_call *call, enum status status, const struct lines *said);

/* As the calls of a sink, for all of them. reports_end says on standard error what could not be
 * written. */
void reports_begin(struct reports *reports, uint64_t seed, uint64_t runs);
void reports_run(struct reports *reports, const struct result *result);
void reports_scenario(struct reports *reports, const struct result *results, size_t count);
int reports_end(struct reports *reports, const struct sink_finish *finish);

/* Whether a person reads standard output. */
bool reports_for_people(const struct options *options);

/* Frees what it holds. */
void reports_close(struct reports *reports);

#endif
