/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/list.h"

#include <string.h>

#include "harness/cli/selection.h"
#include "harness/cli/version.h"
#include "harness/report/page.h"
#include "harness/report/value.h"
#include "harness/script/source.h"
#include "harness/sut/defects.h"

#define HANG 13 /* columns before the words about a defect */

/* False when it is a file that was named as such and cannot be read. */
static bool list_name(FILE *out, const struct catalog_entry *entry, struct lines *errors)
{
    struct source source;
    const char *error = NULL;

    if (strcmp(entry->name, entry->path) == 0)
        error = source_read(entry->path, SOURCE_SCRIPT_MAX, &source);
    if (error) {
        lines_add(errors, "%s:1:1: %s", entry->path, error);
        return false;
    }
    if (strcmp(entry->name, entry->path) == 0)
        source_free(&source);
    fprintf(out, "%s\n", entry->name);
    return true;
}

static int list_names(const struct verbs_call *call, struct lines *errors)
{
    const struct options *options = call->options;
    struct catalog catalog = {0};
    struct catalog chosen = {0};
    struct catalog_error error = {"no scenarios are installed with this program"};
    int status = STATUS_OK;

    if (!*call->program->scenarios ||
        catalog_open(call->program->scenarios, &catalog, &error) < 0) {
        lines_add(errors, VERSION_TOOL ": %s", error.text);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < options->operand_count || i == 0; i++) {
        const char *pattern = options->operand_count ? options->operands[i] : "all";

        if (catalog_select(&catalog, pattern, &chosen, &error) < 0) {
            lines_add(errors, VERSION_TOOL ": %s", error.text);
            status = STATUS_USAGE;
        }
    }
    for (size_t i = 0; i < chosen.count; i++)
        if (!list_name(call->out, &chosen.entries[i], errors))
            status = STATUS_USAGE;
    catalog_free(&chosen);
    catalog_free(&catalog);
    return status;
}

/* "et lt os x ipv4 ipv6" */
static void print_runs(FILE *out, const struct plan *plan)
{
    for (unsigned i = 0; i < REACTOR_TRIGGER_COUNT; i++)
        if (plan->triggers & 1u << i)
            fprintf(out, "%s ", reactor_trigger_name((enum reactor_trigger)i));
    putc('x', out);
    for (unsigned i = 0; i < PLAN_FAMILY_COUNT; i++)
        if (plan->families & 1u << i)
            fprintf(out, " %s", plan_family_name((enum plan_family)i));
}

static void print_text(const struct verbs_call *call, const struct selection *selection)
{
    FILE *out = call->out;

    for (size_t i = 0; i < selection->count; i++) {
        const struct plan *plan = selection->items[i].plan;

        fprintf(out, "%s%s%s\n", call->colour ? "\033[1m" : "", plan->name,
                call->colour ? "\033[0m" : "");
        if (plan->about && *plan->about)
            page_prose(out, "    ", 4, plan->about);
        fputs("    ", out);
        print_runs(out, plan);
        putc('\n', out);
    }
    fprintf(out, "%s%zu scenario%s, %zu runs\n", selection->count ? "\n" : "", selection->count,
            selection->count == 1 ? "" : "s", selection_runs(selection));
}

static json_t *make_triggers(unsigned triggers)
{
    json_t *list = value_list();

    for (unsigned i = 0; i < REACTOR_TRIGGER_COUNT; i++)
        if (triggers & 1u << i)
            value_append(list, value_text(reactor_trigger_name((enum reactor_trigger)i)));
    return list;
}

static json_t *make_scenario(const struct plan *plan)
{
    json_t *object = value_object();
    json_t *covers = value_list();
    json_t *families = value_list();

    for (uint32_t i = 0; i < plan->cover_count; i++)
        value_append(covers, value_text(plan->covers[i]));
    for (unsigned i = 0; i < PLAN_FAMILY_COUNT; i++)
        if (plan->families & 1u << i)
            value_append(families, value_text(plan_family_name((enum plan_family)i)));
    value_put(object, "scenario", value_text(plan->name));
    value_put(object, "file", value_text(plan->file));
    value_put(object, "about", value_text(plan->about ? plan->about : ""));
    value_put(object, "covers", covers);
    value_put(object, "triggers", make_triggers(plan->triggers));
    value_put(object, "families", families);
    return object;
}

/* The document with `rows`, which it takes over. */
static void print_root(const struct verbs_call *call, const char *key, json_t *rows)
{
    json_t *root = value_root(VERSION_TOOL, VERSION_NUMBER);

    value_put(root, key, rows);
    value_print(root, call->out);
}

static void print_json(const struct verbs_call *call, const struct selection *selection)
{
    json_t *scenarios = value_list();

    for (size_t i = 0; i < selection->count; i++)
        value_append(scenarios, make_scenario(selection->items[i].plan));
    print_root(call, "scenarios", scenarios);
}

static int list_scripts(const struct verbs_call *call, struct lines *errors)
{
    struct selection selection;
    int wrong = selection_scripts(call->options, call->program->scenarios, &selection, errors);

    if (call->options->json && !wrong)
        print_json(call, &selection);
    else if (!call->options->json && selection.count > 0)
        print_text(call, &selection);
    selection_free(&selection);
    return wrong ? STATUS_USAGE : STATUS_OK;
}

static void print_defect(const struct verbs_call *call, enum defects which)
{
    const struct defects_entry *entry = defects_entry(which);
    FILE *out = call->out;

    fprintf(out, "%s%s%s  %s, %s\n", call->colour ? "\033[1m" : "", defects_name(which),
            call->colour ? "\033[0m" : "", entry->requirements, defects_form_name(entry->form));
    page_prose(out, "    without  ", HANG, entry->taken);
    page_prose(out, "    wrong    ", HANG, entry->wrong);
    fprintf(out, "    shown    %s,", entry->scenario);
    for (unsigned i = 0; i < REACTOR_TRIGGER_COUNT; i++)
        if (entry->triggers & 1u << i)
            fprintf(out, " %s", reactor_trigger_name((enum reactor_trigger)i));
    putc('\n', out);
    if (entry->elsewhere)
        page_prose(out, "    not else ", HANG, entry->elsewhere);
}

static json_t *make_defect(enum defects which)
{
    const struct defects_entry *entry = defects_entry(which);
    json_t *object = value_object();

    value_put(object, "defect", value_text(defects_name(which)));
    value_put(object, "requirements", value_text(entry->requirements));
    value_put(object, "form", value_text(defects_form_name(entry->form)));
    value_put(object, "without", value_text(entry->taken));
    value_put(object, "wrong", value_text(entry->wrong));
    value_put(object, "scenario", value_text(entry->scenario));
    value_put(object, "triggers", make_triggers(entry->triggers));
    if (entry->elsewhere)
        value_put(object, "not_else", value_text(entry->elsewhere));
    return object;
}

static int list_defects(const struct verbs_call *call)
{
    json_t *defects = value_list();

    for (int which = DEFECTS_NONE + 1; which < DEFECTS_COUNT; which++) {
        if (call->options->json)
            value_append(defects, make_defect((enum defects)which));
        else
            print_defect(call, (enum defects)which);
    }
    if (call->options->json) {
        print_root(call, "defects", defects);
        return STATUS_OK;
    }
    json_decref(defects);
    fprintf(call->out, "\n%d defects; %s scenario --defect NAME shows one\n", DEFECTS_COUNT - 1,
            call->program->command);
    return STATUS_OK;
}

static int list_scenarios(const struct verbs_call *call)
{
    struct lines errors = {0};
    int status = call->options->names ? list_names(call, &errors) : list_scripts(call, &errors);

    if (errors.count > 0)
        verbs_refuse(call->out, call->options->json, status, &errors);
    lines_free(&errors);
    return status;
}

int list_run(const struct verbs_call *call)
{
    return call->options->defects ? list_defects(call) : list_scenarios(call);
}
