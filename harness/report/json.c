/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/json.h"

#include "harness/report/value.h"
#include "harness/report/written.h"

char *json_result_text(const struct result *result)
{
    json_t *object = value_result(result);
    char *text = value_page(object);

    json_decref(object);
    return text;
}

static void sink_begin(void *self, const struct sink_start *start)
{
    struct json_document *document = self;
    json_t *root = value_root(start->tool, start->version);

    value_put(root, "seed", value_seed(start->seed));
    value_put(root, "replay", value_text(start->replay));
    value_put(root, "results", value_list());
    document->root = root;
    document->results = json_object_get(root, "results");
}

static void sink_scenario(void *self, const struct result *results, size_t count)
{
    for (size_t i = 0; i < count; i++)
        value_append(((struct json_document *)self)->results, value_result(&results[i]));
}

static int sink_end(void *self, const struct sink_finish *finish)
{
    struct json_document *document = self;
    FILE *out = document->out;

    value_put_score(document->root, finish->score);
    value_put(document->root, "left", value_number((int64_t)finish->left));
    value_put(document->root, "wall_ms", value_ms(finish->wall));
    value_put(document->root, "exit", value_number(finish->exit_status));
    value_print(document->root, out);
    *document = (struct json_document){0};
    return written_flush(out, 0);
}

struct sink json_sink(struct json_document *document, FILE *out)
{
    static const struct sink_ops ops = {
        .begin = sink_begin,
        .scenario = sink_scenario,
        .end = sink_end,
    };

    *document = (struct json_document){.out = out};
    return (struct sink){&ops, document};
}

void json_error(const char *tool, const char *version, int exit_status, const struct lines *said,
                FILE *out)
{
    json_t *root = value_root(tool, version);
    json_t *error = value_object();

    value_put(error, "exit", value_number(exit_status));
    value_put(error, "text", value_said(said));
    value_put(root, "error", error);
    value_print(root, out);
}
