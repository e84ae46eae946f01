/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/clean.h"

#include <string.h>

#include "harness/clean/litter.h"
#include "harness/clean/orphans.h"
#include "harness/cli/version.h"
#include "harness/report/value.h"
#include "harness/wallclock.h"

static void print_item(FILE *out, const struct remains_item *item)
{
    const char *fate = item->fate == REMAINS_FOUND ? "would remove" : remains_fate_name(item->fate);

    fprintf(out, "%-12s  %s %s\n%-14s%s\n", fate, remains_kind_name(item->kind), item->name, "",
            item->why);
}

static void print_text(FILE *out, const struct remains *remains)
{
    size_t found = remains_count(remains, REMAINS_FOUND);

    for (size_t i = 0; i < remains->count; i++)
        print_item(out, &remains->items[i]);
    if (found > 0)
        fprintf(out, "%zu to be removed, ", found);
    else
        fprintf(out, "%zu removed, ", remains_count(remains, REMAINS_REMOVED));
    fprintf(out, "%zu left, %zu failed\n", remains_count(remains, REMAINS_LEFT),
            remains_count(remains, REMAINS_FAILED));
}

static json_t *make_items(const struct remains *remains)
{
    json_t *items = value_list();

    for (size_t i = 0; i < remains->count; i++) {
        const struct remains_item *item = &remains->items[i];
        json_t *object = value_object();

        value_put(object, "kind", value_text(remains_kind_name(item->kind)));
        value_put(object, "name", value_text(item->name));
        value_put(object, "fate", value_text(remains_fate_name(item->fate)));
        value_put(object, "why", value_text(item->why));
        value_append(items, object);
    }
    return items;
}

static void print_json(FILE *out, bool dry_run, const struct remains *remains)
{
    json_t *root = value_root(VERSION_TOOL, VERSION_NUMBER);

    value_put(root, "dry_run", value_yes(dry_run));
    value_put(root, "items", make_items(remains));
    for (enum remains_fate fate = 0; fate < REMAINS_FATE_COUNT; fate++)
        value_put(root, remains_fate_name(fate),
                  value_number((int64_t)remains_count(remains, fate)));
    value_print(root, out);
}

static int refuse(const struct verbs_call *call, const char *text)
{
    struct lines said = {0};

    lines_add(&said, "%s: %s", VERSION_TOOL, text);
    verbs_refuse(call->out, call->options->json, STATUS_USAGE, &said);
    lines_free(&said);
    return STATUS_USAGE;
}

/* A place that cannot be looked into is a failure of its own. */
static void clean_files(const struct litter *litter, const char *top, struct remains *remains)
{
    int status = litter_remove(litter, top, remains);

    if (status < 0)
        remains_add(remains, REMAINS_FOLDER, REMAINS_FAILED, top, strerror(-status));
}

static void clean_all(const struct verbs_call *call, const struct person *person,
                      struct remains *remains)
{
    const struct options *options = call->options;
    struct litter litter = {
        .person = person,
        .now_s = wallclock_seconds(),
        .folders = true,
        .dry_run = options->dry_run,
    };
    /* First, so that what they were writing has no writer any more. */
    int status = orphans_remove(options->dry_run, remains);

    if (status < 0)
        remains_add(remains, REMAINS_FOLDER, REMAINS_FAILED, "/proc", strerror(-status));
    litter.busy = remains_count(remains, REMAINS_LEFT) > 0;
    clean_files(&litter, options->out, remains);
    /* --bless writes beside the scripts; what is whole there is somebody's work. */
    litter.folders = false;
    if (*call->program->scenarios)
        clean_files(&litter, call->program->scenarios, remains);
}

int clean_run(const struct verbs_call *call)
{
    struct remains remains = {0};
    struct person person;
    enum status status;

    if (call->options->operand_count > 0)
        return refuse(call, "clean takes no names; --out DIR says where the artefacts are");
    if (person_find(&person) < 0)
        return refuse(call, "SUDO_UID and SUDO_GID are no numbers of a user and a group; unset "
                            "them, or call by sudo");
    clean_all(call, &person, &remains);
    if (call->options->json)
        print_json(call->out, call->options->dry_run, &remains);
    else
        print_text(call->out, &remains);
    status = remains_count(&remains, REMAINS_FAILED) > 0 ? STATUS_BROKEN : STATUS_OK;
    remains_free(&remains);
    return (int)status;
}
