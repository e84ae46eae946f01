/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cases.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/model/cancellation_checks.h"
#include "harness/model/cancellation_examples.h"
#include "harness/model/cancellation_orders.h"
#include "harness/model/cancellation_value.h"
#include "harness/model/framing_checks.h"
#include "harness/model/framing_cuts.h"
#include "harness/model/framing_examples.h"
#include "harness/model/framing_value.h"
#include "harness/model/latency.h"
#include "harness/model/readiness_checks.h"
#include "harness/model/readiness_examples.h"
#include "harness/model/readiness_value.h"
#include "harness/report/value.h"

void cases_put_checks(json_t *object, const struct checks *checks)
{
    value_put(object, "checks", checks_value(checks));
    if (checks->failed > 0)
        value_put(object, "failed_checks", checks_failures(checks));
}

/* "W1 R-Q-05" as a list of words. */
static json_t *make_covers(const char *covers)
{
    json_t *list = value_list();

    while (covers && *covers) {
        size_t length = strcspn(covers, " ");
        char *word = memory_text(covers, length);

        value_append(list, value_text(word));
        free(word);
        covers += length + strspn(covers + length, " ");
    }
    return list;
}

static void put_example(json_t *object, const char *name, const char *about, const char *covers)
{
    value_put(object, "example", value_text(name));
    value_put(object, "about", value_text(about));
    value_put(object, "covers", make_covers(covers));
}

static bool same_source(const struct readiness_source *a, const struct readiness_source *b)
{
    return strcmp(a->name, b->name) == 0 && a->size == b->size &&
           memcmp(a->bytes, b->bytes, a->size) == 0 && a->eintr == b->eintr &&
           a->round == b->round && a->finish == b->finish;
}

static bool same_readiness(const struct readiness *a, const struct readiness *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++)
        if (!same_source(&a->sources[i], &b->sources[i]))
            return false;
    return a->count == b->count && a->trigger == b->trigger && a->collect == b->collect &&
           a->quantum == b->quantum && a->attempts == b->attempts &&
           a->no_requeue == b->no_requeue && a->limit == b->limit;
}

/* The worked example that somebody asks for, NULL for a ledger of his own. */
static const struct readiness_example *find_readiness(const struct readiness *readiness)
{
    for (size_t i = 0; i < readiness_examples_count(); i++)
        if (same_readiness(readiness, &readiness_examples_at(i)->play))
            return readiness_examples_at(i);
    return NULL;
}

static void put_readiness(json_t *object, const struct readiness *readiness,
                          const struct readiness_example *example, struct checks *checks)
{
    struct readiness_ledger ledger;

    value_put(object, "case", value_text("readiness"));
    if (example)
        put_example(object, example->name, example->about, example->covers);
    readiness_play(readiness, &ledger);
    readiness_checks(readiness, &ledger, checks);
    if (example)
        readiness_examples_check(example, &ledger, checks);
    readiness_value_put(object, readiness, &ledger);
    cases_put_checks(object, checks);
    readiness_free(&ledger);
}

/* The word of a script that could not be carried out, 0 if there is none. */
static uint32_t put_framing(json_t *object, const struct framing *framing,
                            const struct framing_example *example, struct checks *checks)
{
    struct framing_ledger ledger;
    uint32_t mistaken;

    value_put(object, "case", value_text("framing"));
    if (example)
        put_example(object, example->name, example->about, example->covers);
    framing_play(framing, &ledger);
    framing_checks(framing, &ledger, checks);
    if (example)
        framing_examples_check(example, &ledger, checks);
    framing_value_put(object, framing, &ledger);
    cases_put_checks(object, checks);
    mistaken = ledger.mistaken;
    framing_free(&ledger);
    return mistaken;
}

static void put_cancellation(json_t *object, const struct cancellation *cancellation,
                             const struct cancellation_example *example, struct checks *checks)
{
    static struct cancellation_ledger ledger;

    value_put(object, "case", value_text("cancellation"));
    if (example)
        put_example(object, example->name, example->about, example->covers);
    cancellation_play(cancellation, &ledger);
    cancellation_checks(&ledger, checks);
    if (example)
        cancellation_examples_check(example, &ledger, checks);
    cancellation_value_put(object, cancellation, &ledger);
    cases_put_checks(object, checks);
}

static uint32_t put_asked(json_t *object, const struct ask *ask, struct checks *checks)
{
    struct readiness readiness = ask->readiness;
    struct framing framing = ask->framing;

    readiness.defect = framing.defect = ask->defect;
    if (ask->which == ASK_FRAMING)
        return put_framing(object, &framing, framing_examples_find(&framing), checks);
    if (ask->which == ASK_CANCELLATION)
        put_cancellation(object, &ask->cancellation,
                         cancellation_examples_find(&ask->cancellation), checks);
    else
        put_readiness(object, &readiness, find_readiness(&readiness), checks);
    return 0;
}

int cases_put(json_t *object, const struct ask *ask, struct checks *ret_checks, size_t error_size,
              char *ret_error)
{
    uint32_t mistaken;

    *ret_checks = (struct checks){0};
    mistaken = put_asked(object, ask, ret_checks);
    /* With a rule taken away it may be the reactor's fault. */
    if (mistaken == 0 || ask->defect != DEFECTS_NONE)
        return 0;
    checks_free(ret_checks);
    snprintf(ret_error, error_size, "--script: word %u: so many frames are not held then; run "
             "before consume", mistaken);
    return -EINVAL;
}

/* Adds the checks of one case to those of all. */
static void count(struct checks *all, const char *which, const char *name, struct checks *part)
{
    char *place = NULL;

    if (asprintf(&place, "%s %s", which, name) < 0)
        memory_must(NULL);
    checks_add(all, place, part);
    free(place);
    checks_free(part);
}

static void add_readiness(json_t *list, enum defects defect, struct checks *checks)
{
    for (size_t i = 0; i < readiness_examples_count(); i++) {
        const struct readiness_example *example = readiness_examples_at(i);
        struct readiness readiness = example->play;
        struct checks part = {0};
        json_t *object = value_object();

        readiness.defect = defect;
        put_readiness(object, &readiness, example, &part);
        value_append(list, object);
        count(checks, "readiness", example->name, &part);
    }
}

static void add_latency(json_t *list, enum defects defect, struct checks *checks)
{
    struct latency latency;
    struct checks part = {0};
    json_t *object = value_object();

    value_put(object, "case", value_text("readiness"));
    put_example(object, "time-of-a-quantum",
                "Budgets count; what an item costs makes time of it, and so does everybody ahead.",
                "W9 R-FA-01 R-FA-02 R-FA-06");
    latency_play(defect, &latency, &part);
    latency_value_put(object, &latency);
    cases_put_checks(object, &part);
    value_append(list, object);
    count(checks, "readiness", "time-of-a-quantum", &part);
}

static void add_framing(json_t *list, enum defects defect, struct checks *checks)
{
    for (size_t i = 0; i < framing_examples_count(); i++) {
        const struct framing_example *example = framing_examples_at(i);
        struct framing framing;
        struct checks part = {0};
        json_t *object = value_object();

        framing_examples_play(example, &framing);
        framing.defect = defect;
        put_framing(object, &framing, example, &part);
        value_append(list, object);
        count(checks, "framing", example->name, &part);
    }
}

/* Thousands of runs, told by what they come to. */
static void add_cuts(json_t *list, enum defects defect, struct checks *checks)
{
    struct framing_cuts cuts;
    struct checks part = {0};
    json_t *object = value_object();
    json_t *totals = value_object();
    json_t *peaks = value_object();
    json_t *outcome = value_object();

    value_put(object, "case", value_text("framing"));
    put_example(object, "every-cut",
                "However the nine bytes are cut, and whatever the budgets: CAT and OK.", "R-F-23");
    framing_cuts_play(defect, &cuts, &part);
    value_put(totals, "runs", value_number(cuts.runs));
    value_put(totals, "steps", value_number((int64_t)cuts.rows));
    value_put(object, "totals", totals);
    value_put(peaks, "total", value_number(cuts.peak));
    value_put(object, "peaks", peaks);
    value_put(outcome, "other_frames", value_number(cuts.other));
    value_put(outcome, "still_charged", value_number(cuts.charged));
    value_put(object, "outcome", outcome);
    cases_put_checks(object, &part);
    value_append(list, object);
    count(checks, "framing", "every-cut", &part);
}

static void add_cancellation(json_t *list, struct checks *checks)
{
    for (size_t i = 0; i < cancellation_examples_count(); i++) {
        const struct cancellation_example *example = cancellation_examples_at(i);
        static struct cancellation cancellation;
        struct checks part = {0};
        json_t *object = value_object();

        cancellation_examples_play(example, &cancellation);
        put_cancellation(object, &cancellation, example, &part);
        value_append(list, object);
        count(checks, "cancellation", example->name, &part);
    }
}

/* All orders of the three records, under one of the two rules. */
static void add_orders(json_t *list, bool early_lease, struct checks *checks)
{
    const char *name = early_lease ? "orders-early-lease" : "orders-callback";
    struct cancellation_orders orders;
    struct checks part = {0};
    json_t *object = value_object();
    json_t *totals = value_object();
    json_t *peaks = value_object();
    json_t *outcome = value_object();

    value_put(object, "case", value_text("cancellation"));
    put_example(object, name,
                early_lease ? "With a lease from the submission all six orders are legal."
                            : "When only the target's callback borrows, three orders are legal.",
                early_lease ? "R-A-24 R-A-25" : "R-A-23 R-A-25");
    cancellation_orders_play(early_lease, NULL, &orders, &part);
    value_put(object, "rows", cancellation_orders_value(&orders));
    value_put(totals, "orders", value_number(CANCELLATION_ORDERS));
    value_put(totals, "legal", value_number(orders.legal_count));
    if (!early_lease) {
        value_put(totals, "complete_runs", value_number(orders.runs));
        value_put(totals, "different_rows", value_number(orders.rows));
    }
    value_put(object, "totals", totals);
    value_put(peaks, "holders", value_number(orders.holders));
    value_put(object, "peaks", peaks);
    value_put(outcome, "never_retired", value_number(CANCELLATION_ORDERS - orders.legal_count));
    value_put(object, "outcome", outcome);
    cases_put_checks(object, &part);
    value_append(list, object);
    count(checks, "cancellation", name, &part);
}

json_t *cases_all(enum defects defect, struct checks *checks)
{
    json_t *list = value_list();

    add_readiness(list, defect, checks);
    add_latency(list, defect, checks);
    add_framing(list, defect, checks);
    add_cuts(list, defect, checks);
    add_cancellation(list, checks);
    add_orders(list, false, checks);
    add_orders(list, true, checks);
    return list;
}
