/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EDGEWISE_HARNESS_REPORT_VALUE_H
#define EDGEWISE_HARNESS_REPORT_VALUE_H

/*
 * JSON values of what results are made of; harness/report/json.h has their keys. Each belongs to
 * the caller. Out of memory is the business of harness/memory.h.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/instant.h"
#include "harness/report/score.h"
#include "harness/result.h"

/* An object without members, and a list without items. */
json_t *value_object(void);
json_t *value_list(void);
/* A document's object: {"tool", "version"}, to be gone on with. */
json_t *value_root(const char *tool, const char *version);

/* A string; bytes that are no UTF-8 become U+FFFD. */
json_t *value_text(const char *text);
/* Lines in one string, a newline between each two. */
json_t *value_said(const struct lines *said);
json_t *value_number(int64_t number);
json_t *value_yes(bool yes);
/* Milliseconds, to the microsecond. */
json_t *value_ms(struct duration duration);
/* "0x1f": 64 bits do not fit every reader's numbers. */
json_t *value_seed(uint64_t seed);
/* Runs by verdict: {"pass", "fail", "late", "error", "skip"}. */
json_t *value_runs(const uint32_t runs[RESULT_VERDICT_COUNT]);
/* RESULT. */
json_t *value_result(const struct result *result);

/* Sets `key` of an object, and appends to a list; both take `value` over. */
void value_put(json_t *object, const char *key, json_t *value);
void value_append(json_t *list, json_t *value);

/* Sets the keys "passed", "failed", "late", "errors", "skipped" of an object. */
void value_put_score(json_t *object, const struct score *score);

/* `value` as text, all ASCII in one line without a newline, or indented and with one; the caller
 * frees it. */
char *value_line(const json_t *value);
char *value_page(const json_t *value);

/* Prints `value`, indented, and lets go of it. */
void value_print(json_t *value, FILE *out);

#endif
