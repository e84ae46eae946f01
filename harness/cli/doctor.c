/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/doctor.h"

#include <string.h>

#include "harness/cli/checkup.h"
#include "harness/cli/version.h"
#include "harness/report/value.h"

/* Columns, with two blanks between each: state, check, needed for, found. 80 in all. */
#define STATE_COLUMNS 7
#define CHECK_COLUMNS 18
#define NEEDED_COLUMNS 21
#define FOUND_COLUMNS 28
#define MEND_INDENT 9
#define MEND_COLUMNS (80 - MEND_INDENT)

_Static_assert(STATE_COLUMNS + CHECK_COLUMNS + NEEDED_COLUMNS + FOUND_COLUMNS + 6 == 80, "a line");

static const char *const colours[] = {
    [FINDING_OK] = "\033[32m", [FINDING_NOTE] = "\033[33m", [FINDING_MISSING] = "\033[1;31m"};
_Static_assert(sizeof(colours) / sizeof(*colours) == FINDING_STATE_COUNT, "a colour each");

/* Bytes of the part of `text` that goes on a line of `columns`: whole words if there are blanks. */
static int fit(const char *text, int columns)
{
    int length = (int)strlen(text);

    if (length <= columns)
        return length;
    for (int i = columns; i > 0; i--)
        if (text[i] == ' ')
            return i;
    return columns;
}

/* What stands behind a part of a line. */
static const char *behind(const char *text, int part)
{
    return text + part + strspn(text + part, " ");
}

static void print_row(const struct verbs_call *call, const struct finding *finding)
{
    const char *needed = finding->needed;
    const char *found = finding->found;
    int needed_part = fit(needed, NEEDED_COLUMNS);
    int found_part = fit(found, FOUND_COLUMNS);

    fprintf(call->out, "%s%-*s%s  %-*s  %-*.*s  %.*s\n",
            call->colour ? colours[finding->state] : "", STATE_COLUMNS,
            finding_state_name(finding->state), call->colour ? "\033[0m" : "", CHECK_COLUMNS,
            finding->check, NEEDED_COLUMNS, needed_part, needed, found_part, found);
    for (;;) {
        needed = behind(needed, needed_part);
        found = behind(found, found_part);
        if (!*needed && !*found)
            return;
        needed_part = fit(needed, NEEDED_COLUMNS);
        found_part = fit(found, FOUND_COLUMNS);
        if (*found)
            fprintf(call->out, "%*s%-*.*s  %.*s\n", STATE_COLUMNS + CHECK_COLUMNS + 4, "",
                    NEEDED_COLUMNS, needed_part, needed, found_part, found);
        else
            fprintf(call->out, "%*s%.*s\n", STATE_COLUMNS + CHECK_COLUMNS + 4, "", needed_part,
                    needed);
    }
}

/* A command that is longer than a line goes on in the next one as a shell wants it. */
static void print_mend(FILE *out, const struct finding *finding)
{
    const char *text = finding->mend;
    const char *label = finding->typed ? "type: " : "mend: ";
    int room = MEND_COLUMNS - (int)strlen(label) - 2;

    for (bool first = true; *text; first = false) {
        int part = fit(text, room);
        const char *rest = behind(text, part);

        fprintf(out, "%*s%s%.*s%s\n", MEND_INDENT, "", first ? label : "      ", part, text,
                finding->typed && *rest ? " \\" : "");
        text = rest;
    }
}

static void print_finding(const struct verbs_call *call, const struct finding *finding,
                          const char *group)
{
    if (!group || strcmp(group, finding->group) != 0)
        fprintf(call->out, "%s%s\n", group ? "\n" : "", finding->group);
    print_row(call, finding);
    print_mend(call->out, finding);
}

static void add_finding(json_t *list, const struct finding *finding)
{
    json_t *object = value_object();

    value_put(object, "group", value_text(finding->group));
    value_put(object, "check", value_text(finding->check));
    value_put(object, "state", value_text(finding_state_name(finding->state)));
    value_put(object, "found", value_text(finding->found));
    value_put(object, "needed_for", value_text(finding->needed));
    value_put(object, "mend", value_text(finding->mend));
    value_put(object, "mend_is_command", value_yes(finding->typed));
    value_append(list, object);
}

/* The document with `rows`, which it takes over. */
static void print_json(FILE *out, json_t *rows, bool works)
{
    json_t *root = value_root(VERSION_TOOL, VERSION_NUMBER);

    value_put(root, "works", value_yes(works));
    value_put(root, "checks", rows);
    value_print(root, out);
}

static int refuse_names(const struct verbs_call *call)
{
    struct lines said = {0};

    lines_add(&said, "%s: doctor takes no names", VERSION_TOOL);
    verbs_refuse(call->out, call->options->json, STATUS_USAGE, &said);
    lines_free(&said);
    return STATUS_USAGE;
}

/* Tries all; true when scenarios can run. With JSON the rows go to `rows`. */
static bool examine(const struct verbs_call *call, json_t *rows)
{
    const char *group = NULL;
    struct place place;
    bool works = true;

    place_find(&place);
    place.command = call->program->command;
    for (size_t i = 0; i < checkup_count(); i++) {
        struct finding finding;

        checkup_try(&place, i, &finding);
        works = works && finding.state != FINDING_MISSING;
        if (call->options->json)
            add_finding(rows, &finding);
        else
            print_finding(call, &finding, group);
        group = finding.group;
    }
    return works;
}

int doctor_run(const struct verbs_call *call)
{
    json_t *rows;
    bool works;

    if (call->options->operand_count > 0)
        return refuse_names(call);
    rows = value_list();
    works = examine(call, rows);
    if (call->options->json) {
        print_json(call->out, rows, works);
    } else {
        json_decref(rows);
        fprintf(call->out, "\n%s\n",
                works ? "Scenarios can run here."
                      : "Scenarios can run here in the simulated world only (--world sim).");
    }
    return works ? STATUS_OK : STATUS_CANNOT;
}
