/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/selection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/cli/congestion.h"
#include "harness/cli/version.h"
#include "harness/memory.h"
#include "harness/report/cell.h"
#include "harness/script/parser.h"

static bool same_file(const char *a, const char *b)
{
    struct stat one;
    struct stat other;

    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

static const struct selection_item *find_name(const struct selection *selection, const char *name)
{
    for (size_t i = 0; i < selection->count; i++)
        if (strcmp(selection->items[i].plan->name, name) == 0)
            return &selection->items[i];
    return NULL;
}

static int add(struct selection *selection, struct plan *plan, struct lines *errors)
{
    const struct selection_item *other = find_name(selection, plan->name);

    if (other && same_file(other->plan->file, plan->file)) {
        plan_free(plan);
        return 0;
    }
    if (other) {
        lines_add(errors, "%s: scenario %s is in %s too; give one of them another name", plan->file,
                  plan->name, other->plan->file);
        plan_free(plan);
        return -EINVAL;
    }
    selection->items[selection->count++] = (struct selection_item){
        .plan = plan, .triggers = plan->triggers, .families = plan->families};
    return 0;
}

static int load(const struct options *options, const char *path, struct plan **ret_plan,
                struct lines *errors)
{
    struct mistakes mistakes = {0};
    int status =
        parser_load(path, options->sets, (uint32_t)options->set_count, ret_plan, &mistakes);

    for (size_t i = 0; i < mistakes.lines.count; i++)
        lines_add(errors, "%s", mistakes.lines.line[i]);
    if (mistakes.more > 0)
        lines_add(errors, "%s: and %u more mistakes", path, mistakes.more);
    mistakes_free(&mistakes);
    return status;
}

static int read_script(const struct options *options, const struct catalog_entry *entry,
                       struct selection *selection, struct lines *errors)
{
    struct plan *plan;
    int status = load(options, entry->path, &plan, errors);

    if (status < 0)
        return status;
    /* Of a file that was named as such the name is its path. */
    if (strcmp(entry->name, entry->path) != 0 && strcmp(entry->name, plan->name) != 0) {
        lines_add(errors, "%s: it calls itself scenario %s; by its place it is %s", entry->path,
                  plan->name, entry->name);
        plan_free(plan);
        return -EINVAL;
    }
    return add(selection, plan, errors);
}

static int choose(const struct options *options, const struct catalog *catalog,
                  struct catalog *chosen, struct lines *errors)
{
    struct catalog_error error = {""};
    int status = 0;

    if (options->operand_count == 0 && catalog_select(catalog, "all", chosen, &error) < 0) {
        lines_add(errors, VERSION_TOOL ": %s", error.text);
        return -EINVAL;
    }
    for (size_t i = 0; i < options->operand_count; i++)
        if (catalog_select(catalog, options->operands[i], chosen, &error) < 0) {
            lines_add(errors, VERSION_TOOL ": %s", error.text);
            status = -EINVAL;
        }
    return status;
}

/* A --set that is wrong is wrong in every script: its line is told once, at its first place. Lines
 * about --set are few unlike ones, whatever the number of scripts. */
static void fold_sets(struct lines *errors)
{
    struct lines folded = {0};
    size_t *times = memory_zeroed(errors->count, sizeof(*times));

    for (size_t i = 0; i < errors->count; i++) {
        const char *line = errors->line[i];
        size_t first = folded.count;

        if (strncmp(line, "--set ", strlen("--set ")) == 0)
            for (first = 0; first < folded.count && strcmp(folded.line[first], line) != 0;)
                first++;
        if (first == folded.count)
            lines_add(&folded, "%s", line);
        times[first]++;
    }
    lines_free(errors);
    for (size_t i = 0; i < folded.count; i++)
        if (times[i] > 1)
            lines_add(errors, "%s (and in %zu more scripts)", folded.line[i], times[i] - 1);
        else
            lines_add(errors, "%s", folded.line[i]);
    lines_free(&folded);
    free(times);
}

int selection_scripts(const struct options *options, const char *scenarios,
                      struct selection *ret_selection, struct lines *errors)
{
    struct catalog catalog = {0};
    struct catalog chosen = {0};
    struct catalog_error error = {""};
    int status = 0;

    *ret_selection = (struct selection){0};
    if (*scenarios && catalog_open(scenarios, &catalog, &error) < 0) {
        lines_add(errors, VERSION_TOOL ": %s", error.text);
        return -EINVAL;
    }
    status = choose(options, &catalog, &chosen, errors);
    ret_selection->items = memory_zeroed(chosen.count, sizeof(*ret_selection->items));
    for (size_t i = 0; i < chosen.count; i++)
        if (read_script(options, &chosen.entries[i], ret_selection, errors) < 0)
            status = -EINVAL;
    fold_sets(errors);
    catalog_free(&chosen);
    catalog_free(&catalog);
    return status;
}

static void item_free(struct selection_item *item)
{
    judge_expected_free(&item->expected);
    plan_free(item->plan);
}

static void add_words(char *text, size_t size, unsigned bits, unsigned count,
                      const char *(*name)(unsigned))
{
    for (unsigned i = 0; i < count; i++) {
        size_t used = strlen(text);

        if (bits & 1u << i)
            snprintf(text + used, size - used, " %s", name(i));
    }
}

static const char *trigger_name(unsigned index)
{
    return reactor_trigger_name((enum reactor_trigger)index);
}

static const char *family_name(unsigned index)
{
    return plan_family_name((enum plan_family)index);
}

int selection_filter(struct selection *selection, const struct options *options,
                     struct lines *errors)
{
    unsigned triggers = options->triggers ? options->triggers : ~0u;
    unsigned families = options->families ? options->families : ~0u;
    char there[160] = "";
    char over[80] = "";
    unsigned all_triggers = 0;
    unsigned all_families = 0;
    size_t kept = 0;

    for (size_t i = 0; i < selection->count; i++) {
        struct selection_item *item = &selection->items[i];

        all_triggers |= item->triggers;
        all_families |= item->families;
        item->triggers &= triggers;
        item->families &= families;
        if (item->triggers && item->families)
            selection->items[kept++] = *item;
        else
            item_free(item);
    }
    selection->count = kept;
    if (kept > 0)
        return 0;
    add_words(there, sizeof(there), all_triggers, REACTOR_TRIGGER_COUNT, trigger_name);
    add_words(over, sizeof(over), all_families, PLAN_FAMILY_COUNT, family_name);
    lines_add(errors,
              "%s: --trigger and --family leave nothing to run; what was chosen runs as%s over%s",
              VERSION_TOOL, there, over);
    return -EINVAL;
}

int selection_machine(const struct selection *selection, const struct options *options,
                      struct lines *errors)
{
    int status = 0;

    for (size_t i = 0; i < selection->count; i++) {
        const struct selection_item *item = &selection->items[i];
        const struct plan_sockets *sockets = &item->plan->sockets;
        struct mistakes mistakes = {.file = item->plan->file, .sets = options->sets};
        char known[CONGESTION_KNOWN_BYTES];

        if (!(item->families & (1u << PLAN_IPV4 | 1u << PLAN_IPV6)) ||
            sockets->congestion_place.column == 0 ||
            !congestion_refused(sockets->congestion, known))
            continue;
        mistakes_add(&mistakes, sockets->congestion_place,
                     "socket.congestion: this kernel has no '%s'; it has %s", sockets->congestion,
                     known);
        lines_add(errors, "%s", mistakes.lines.line[0]);
        mistakes_free(&mistakes);
        status = -EINVAL;
    }
    fold_sets(errors);
    return status;
}

int selection_expected(struct selection *selection, struct lines *errors)
{
    int status = 0;

    for (size_t i = 0; i < selection->count; i++) {
        struct selection_item *item = &selection->items[i];

        if (judge_expected_read(item->plan, &item->expected, errors) < 0)
            status = -EINVAL;
    }
    return status;
}

size_t selection_item_runs(const struct selection_item *item)
{
    unsigned triggers = (unsigned)__builtin_popcount(item->triggers);
    unsigned families = (unsigned)__builtin_popcount(item->families);

    return (size_t)triggers * families;
}

size_t selection_runs(const struct selection *selection)
{
    size_t runs = 0;

    for (size_t i = 0; i < selection->count; i++)
        runs += selection_item_runs(&selection->items[i]);
    return runs;
}

void selection_free(struct selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        item_free(&selection->items[i]);
    free(selection->items);
    *selection = (struct selection){0};
}
