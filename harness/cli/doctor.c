/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/doctor.h"

#include <jansson.h>
#include <stdlib.h>

#include "harness/cli/checkup.h"
#include "harness/cli/version.h"
#include "harness/report/json.h"

static const char *const colours[] = {
    [CHECKUP_OK] = "\033[32m", [CHECKUP_NOTE] = "\033[33m", [CHECKUP_MISSING] = "\033[1;31m"};
_Static_assert(sizeof(colours) / sizeof(*colours) == CHECKUP_STATE_COUNT, "a colour each");

static void print_row(const struct verbs_call *call, const struct checkup_row *row)
{
    fprintf(call->out, "%s%-7s%s  %-18s  %-27s  %s\n", call->colour ? colours[row->state] : "",
            checkup_state_name(row->state), call->colour ? "\033[0m" : "", row->check, row->needed,
            row->found);
    if (*row->mend)
        fprintf(call->out, "%-29s%s\n", "", row->mend);
}

static json_t *make_string(const char *text)
{
    char *clean = json_clean(text);
    json_t *string = json_string(clean);

    free(clean);
    return string;
}

static void add_row(json_t *array, const struct checkup_row *row)
{
    json_t *object = json_object();

    json_object_set_new(object, "check", make_string(row->check));
    json_object_set_new(object, "state", make_string(checkup_state_name(row->state)));
    json_object_set_new(object, "found", make_string(row->found));
    json_object_set_new(object, "needed_for", make_string(row->needed));
    json_object_set_new(object, "mend", make_string(row->mend));
    json_array_append_new(array, object);
}

static int print_json(FILE *out, json_t *rows, bool works)
{
    json_t *root = json_pack("{s:s, s:s, s:b, s:o}", "tool", VERSION_TOOL, "version",
                             VERSION_NUMBER, "works", works, "checks", rows);
    char *text = json_dumps(root, JSON_INDENT(2));

    json_decref(root);
    if (!text)
        return STATUS_BROKEN;
    fprintf(out, "%s\n", text);
    free(text);
    return works ? STATUS_OK : STATUS_CANNOT;
}

static int refuse_names(const struct verbs_call *call)
{
    struct lines said = {0};

    lines_add(&said, "%s: doctor takes no names", VERSION_TOOL);
    verbs_refuse(call->out, call->options->json, STATUS_USAGE, &said);
    lines_free(&said);
    return STATUS_USAGE;
}

int doctor_run(const struct verbs_call *call)
{
    json_t *rows = json_array();
    bool works = true;

    if (call->options->operand_count > 0) {
        json_decref(rows);
        return refuse_names(call);
    }
    for (size_t i = 0; i < checkup_count(); i++) {
        struct checkup_row row;

        checkup_try(i, &row);
        works = works && row.state != CHECKUP_MISSING;
        if (call->options->json)
            add_row(rows, &row);
        else
            print_row(call, &row);
    }
    if (call->options->json)
        return print_json(call->out, rows, works);
    json_decref(rows);
    fprintf(call->out, "\n%s\n", works ? "Scenarios can run here." : "No scenario can run here.");
    return works ? STATUS_OK : STATUS_CANNOT;
}
