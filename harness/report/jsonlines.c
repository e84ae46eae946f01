/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/jsonlines.h"

#include <assert.h>
#include <stdlib.h>

#include "harness/report/value.h"
#include "harness/report/written.h"

static json_t *make_event(const char *name)
{
    json_t *event = value_object();

    value_put(event, "event", value_text(name));
    return event;
}

static json_t *make_timed_event(const struct jsonlines *lines, const char *name)
{
    json_t *event = make_event(name);

    value_put(event, "at_ms", value_ms(instant_since(lines->now(), lines->began)));
    return event;
}

/* Prints one line and frees the event. */
static void print(json_t *event, FILE *out)
{
    char *text = value_line(event);

    fprintf(out, "%s\n", text);
    free(text);
    json_decref(event);
}

static void tell(struct jsonlines *lines, json_t *event)
{
    print(event, lines->out);
    lines->status = written_flush(lines->out, lines->status);
}

static void sink_begin(void *self, const struct sink_start *start)
{
    struct jsonlines *lines = self;
    json_t *event = make_event("start");

    lines->began = lines->now();
    value_put(event, "tool", value_text(start->tool));
    value_put(event, "version", value_text(start->version));
    value_put(event, "seed", value_seed(start->seed));
    value_put(event, "replay", value_text(start->replay));
    value_put(event, "runs", value_number((int64_t)start->runs));
    tell(lines, event);
}

static void sink_run(void *self, const struct result *result)
{
    json_t *event = make_timed_event(self, "run");

    value_put(event, "result", value_result(result));
    tell(self, event);
}

static json_t *make_cell(const struct result *result)
{
    json_t *cell = value_object();

    value_put(cell, "trigger", value_text(reactor_trigger_name(result->trigger)));
    value_put(cell, "family", value_text(plan_family_name(result->family)));
    value_put(cell, "verdict", value_text(result_verdict_name(result->verdict)));
    value_put(cell, "runs", value_runs(result->runs));
    return cell;
}

/* The cells of one world. */
static void tell_scenario(struct jsonlines *self, const struct result *results, size_t count)
{
    json_t *event = make_timed_event(self, "scenario");
    json_t *cells = value_list();

    assert(count > 0);
    for (size_t i = 0; i < count; i++)
        value_append(cells, make_cell(&results[i]));
    value_put(event, "scenario", value_text(results->plan->name));
    value_put(event, "world", value_text(result_world_name(results->world)));
    value_put(event, "cells", cells);
    tell(self, event);
}

static void sink_scenario(void *self, const struct result *results, size_t count)
{
    for (size_t first = 0, size; first < count; first += size) {
        size = result_same_world(results + first, count - first);
        tell_scenario(self, results + first, size);
    }
}

static int sink_end(void *self, const struct sink_finish *finish)
{
    struct jsonlines *lines = self;
    json_t *event = make_event("end");

    value_put_score(event, finish->score);
    value_put(event, "left", value_number((int64_t)finish->left));
    value_put(event, "wall_ms", value_ms(finish->wall));
    value_put(event, "exit", value_number(finish->exit_status));
    tell(lines, event);
    return lines->status;
}

struct sink jsonlines_sink(struct jsonlines *lines, struct instant (*now)(void), FILE *out)
{
    static const struct sink_ops ops = {
        .begin = sink_begin,
        .run = sink_run,
        .scenario = sink_scenario,
        .end = sink_end,
    };

    *lines = (struct jsonlines){.out = out, .now = now};
    return (struct sink){&ops, lines};
}

void jsonlines_error(const char *tool, const char *version, int exit_status,
                     const struct lines *said, FILE *out)
{
    json_t *event = make_event("error");

    value_put(event, "tool", value_text(tool));
    value_put(event, "version", value_text(version));
    value_put(event, "exit", value_number(exit_status));
    value_put(event, "text", value_said(said));
    print(event, out);
}
