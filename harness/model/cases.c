/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/model/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/memory.h"
#include "harness/model/examples.h"
#include "harness/model/readiness_checks.h"
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

    while (*covers) {
        size_t length = strcspn(covers, " ");
        char *word = memory_text(covers, length);

        value_append(list, value_text(word));
        free(word);
        covers += length + strspn(covers + length, " ");
    }
    return list;
}

static void put_head(json_t *object, const char *which, const char *name, const char *about,
                     const char *covers)
{
    value_put(object, "case", value_text(which));
    if (!name)
        return;
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
static const struct examples_readiness *find_readiness(const struct readiness *readiness)
{
    for (size_t i = 0; i < examples_readiness_count(); i++)
        if (same_readiness(readiness, &examples_readiness_at(i)->play))
            return examples_readiness_at(i);
    return NULL;
}

static void put_readiness(json_t *object, const struct readiness *readiness,
                          const struct examples_readiness *example, struct checks *checks)
{
    struct readiness_ledger ledger;

    if (example)
        put_head(object, "readiness", example->name, example->about, example->covers);
    else
        put_head(object, "readiness", NULL, NULL, NULL);
    readiness_play(readiness, &ledger);
    readiness_checks(readiness, &ledger, checks);
    if (example)
        examples_readiness_check(example, &ledger, checks);
    readiness_value_put(object, readiness, &ledger);
    cases_put_checks(object, checks);
    readiness_free(&ledger);
}

void cases_put(json_t *object, const struct ask *ask, struct checks *ret_checks)
{
    struct readiness readiness = ask->readiness;

    *ret_checks = (struct checks){0};
    readiness.defect = ask->defect;
    put_readiness(object, &readiness, find_readiness(&readiness), ret_checks);
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
    for (size_t i = 0; i < examples_readiness_count(); i++) {
        const struct examples_readiness *example = examples_readiness_at(i);
        struct readiness readiness = example->play;
        struct checks part = {0};
        json_t *object = value_object();

        readiness.defect = defect;
        put_readiness(object, &readiness, example, &part);
        value_append(list, object);
        count(checks, "readiness", example->name, &part);
    }
}

json_t *cases_all(enum defects defect, struct checks *checks)
{
    json_t *list = value_list();

    add_readiness(list, defect, checks);
    return list;
}
