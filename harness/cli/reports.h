/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_CLI_REPORTS_H
#define EDGEWISE_HARNESS_CLI_REPORTS_H

/*
 * The sinks that a command line asks for: one for standard output - text, or what --json,
 * --json-lines or --tap say - and a file beside it with --junit.
 */

#include "harness/cli/verbs.h"
#include "harness/report/folder.h"
#include "harness/report/json.h"
#include "harness/report/sink.h"
#include "harness/report/text.h"

#define REPORTS_MAX 2

struct reports {
    const struct verbs_call *call;
    struct sink sinks[REPORTS_MAX];
    size_t count;
    bool rootless;
    struct text_style style;
    char *words; /* --set and the like, for the next command */
    char *replay;
    struct json_document document;
};

/* Makes the sinks ready, before anything runs: STATUS_OK, or what to exit with and in `said` why.
 * Free with reports_close either way; `ret_reports` stays where it is. */
enum status reports_open(struct reports *ret_reports, const struct verbs_call *call,
                         const struct person *person, bool rootless, struct lines *said);

/* As the calls of a sink, for all of them. */
void reports_begin(struct reports *reports, uint64_t seed, uint64_t runs);
void reports_run(struct reports *reports, const struct result *result);
void reports_scenario(struct reports *reports, const struct result *results, size_t count);
int reports_end(struct reports *reports, const struct sink_finish *finish);

/* Whether a person reads standard output. */
bool reports_for_people(const struct options *options);

/* Frees what it holds. */
void reports_close(struct reports *reports);

#endif
