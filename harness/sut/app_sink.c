/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/app_sink.h"

#include <assert.h>

void app_sink_init(struct app_sink *app, const struct plan *plan)
{
    uint32_t connects = 0;

    *app = (struct app_sink){.plan = plan};
    for (uint32_t i = 0; i < PLAN_PEERS_MAX; i++)
        app->ids[i] = IDENTITY_NONE;
    for (uint32_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].verb == PLAN_CONNECT)
            app->order[connects++] = plan->statements[i].peer;
}

uint32_t app_sink_consume(struct app_sink *app, uint32_t peer, uint32_t count)
{
    struct reactor_view view;

    if (reactor_view(app->reactor, app->ids[peer], &view) < 0 || view.frames_held == 0)
        return 0;
    if (count > view.frames_held)
        count = view.frames_held;
    return reactor_release(app->reactor, app->ids[peer], count) < 0 ? 0 : count;
}

static void app_sink_expect(struct app_sink *app, const struct plan_reaction *reaction,
                            uint32_t wanted, uint32_t done)
{
    if (done < wanted && app->fell_short)
        app->fell_short(app->arg, reaction, done);
}

static void app_sink_do(struct app_sink *app, const struct plan_reaction *reaction)
{
    switch (reaction->action) {
    case PLAN_DO_CLOSE:
        app_sink_expect(app, reaction, 1,
                        reactor_close(app->reactor, app->ids[reaction->target]) == 0);
        break;
    case PLAN_DO_CONSUME:
        app_sink_expect(app, reaction, reaction->count,
                        app_sink_consume(app, reaction->target, reaction->count));
        break;
    case PLAN_DO_TAKES:
        app->takes(app->arg, reaction->duration);
        break;
    case PLAN_ACTION_COUNT:
        assert(false && "an action of the plan");
    }
}

static void app_sink_react(struct app_sink *app, uint32_t peer, enum plan_on on, uint32_t number)
{
    for (uint32_t i = 0; i < app->plan->reaction_count; i++) {
        const struct plan_reaction *reaction = &app->plan->reactions[i];

        if (reaction->peer == peer && reaction->on == on && reaction->number == number)
            app_sink_do(app, reaction);
    }
}

bool app_sink_happened(const struct app_sink *app, const struct plan_reaction *reaction)
{
    uint32_t peer = reaction->peer;

    if (reaction->on == PLAN_ON_OPEN)
        return !identity_equal(app->ids[peer], IDENTITY_NONE);
    if (reaction->on == PLAN_ON_END)
        return app->ended[peer];
    return app->deliveries[peer] >= reaction->number;
}

static uint32_t app_sink_peer(const struct reactor *r, struct identity id)
{
    return (uint32_t)reactor_tag(r, id);
}

static void app_sink_open(struct reactor *r, struct identity id, void *arg)
{
    struct app_sink *app = arg;
    uint32_t peer = app->caller ? app->caller(app->arg) : app->order[app->opened];

    app->opened++;
    (void)reactor_tag_set(r, id, peer);
    app->ids[peer] = id;
    if (app->in_service)
        app->in_service(app->arg, peer);
    app_sink_react(app, peer, PLAN_ON_OPEN, 0);
}

static void app_sink_data(struct reactor *r, struct identity id, const uint8_t *bytes,
                          uint32_t size, void *arg)
{
    struct app_sink *app = arg;
    uint32_t peer = app_sink_peer(r, id);

    (void)bytes;
    (void)size;
    app_sink_react(app, peer, PLAN_ON_DATA, ++app->deliveries[peer]);
}

static void app_sink_frame(struct reactor *r, struct identity id, const uint8_t *payload,
                           uint32_t size, void *arg)
{
    struct app_sink *app = arg;
    uint32_t peer = app_sink_peer(r, id);

    (void)payload;
    (void)size;
    if (app->plan->consume == PLAN_CONSUME_AUTO)
        (void)reactor_release(r, id, 1);
    app_sink_react(app, peer, PLAN_ON_FRAME, ++app->deliveries[peer]);
}

static void app_sink_end(struct reactor *r, struct identity id, enum reader_outcome outcome,
                         int error, void *arg)
{
    struct app_sink *app = arg;
    uint32_t peer = app_sink_peer(r, id);

    (void)outcome;
    (void)error;
    app->ended[peer] = true;
    app_sink_react(app, peer, PLAN_ON_END, 0);
}

const struct reactor_handlers app_sink_handlers = {
    .open = app_sink_open,
    .data = app_sink_data,
    .frame = app_sink_frame,
    .end = app_sink_end,
};
