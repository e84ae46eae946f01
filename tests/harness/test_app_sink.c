/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/app_sink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/fake_os.h"
#include "tests/support/plans.h"

#define FRAMED "  trigger et\n  frame header=1 payload=3\n  capacity 20\n"
#define MANUAL FRAMED "  app sink consume=manual\n"

/* The application on a reactor on the fake kernel, with one adopted stream a peer. */
struct stage {
    struct plan *plan;
    struct fake_os kernel;
    struct app_sink app;
    struct reactor_protocol protocol;
    struct reactor *r;
    int fds[4];
    uint32_t count;
    struct duration taken;
};

static void stage_takes(void *arg, struct duration duration)
{
    ((struct stage *)arg)->taken.ns += duration.ns;
}

static struct stage *stage_new(const struct plans_text *text)
{
    struct stage *stage = calloc(1, sizeof(*stage));
    struct reactor_config config = {
        .slots = 8,
        .collect = 8,
        .protocols = &stage->protocol,
        .protocol_count = 1,
        .inbox = 2,
        .app = &stage->app,
        .checks = true,
    };

    assert_non_null(stage);
    stage->plan = plans_make(text);
    fake_os_init(&stage->kernel);
    app_sink_init(&stage->app, stage->plan);
    stage->app.takes = stage_takes;
    stage->app.arg = stage;
    stage->protocol = (struct reactor_protocol){
        .format = stage->plan->format,
        .capacity = stage->plan->capacity,
        .limits = stage->plan->limits,
        .handlers = &app_sink_handlers,
    };
    assert_int_equal(reactor_open(&config, fake_os_table(&stage->kernel), &stage->r), 0);
    stage->app.reactor = stage->r;
    return stage;
}

static void come(struct stage *stage)
{
    struct identity id;
    int fd = fake_os_stream(&stage->kernel);

    stage->fds[stage->count++] = fd;
    assert_int_equal(reactor_adopt(stage->r, fd, 0, &id), 0);
}

static void rest(struct stage *stage)
{
    unsigned before = stage->kernel.sleeps;

    for (int i = 0; i < 200 && stage->kernel.sleeps == before; i++)
        assert_int_equal(reactor_round(stage->r), 1);
    assert_int_equal(stage->kernel.sleeps, before + 1);
}

static void arrive(struct stage *stage, uint32_t source, const char *bytes, size_t size)
{
    fake_os_arrive(&stage->kernel, stage->fds[source], bytes, size);
    rest(stage);
}

/* Frames that `peer` holds, -1 when it is closed. */
static int held(const struct stage *stage, uint32_t peer)
{
    struct reactor_view view;

    if (reactor_view(stage->r, stage->app.ids[peer], &view) < 0)
        return -1;
    return (int)view.frames_held;
}

static void stage_free(struct stage *stage)
{
    reactor_free(stage->r);
    plan_free(stage->plan);
    free(stage);
}

static void sources_are_the_peers_in_the_order_of_their_connects(void **state)
{
    const struct plans_text text = {
        .reactor = MANUAL,
        .peers = "  a tcp\n  b tcp\n",
        .timeline = "  0ms b connect\n  1ms a connect\n",
    };
    struct stage *stage = stage_new(&text);

    (void)state;
    assert_int_equal(held(stage, 0), -1);
    come(stage);
    come(stage);
    arrive(stage, 0, "\1x", 2);
    assert_int_equal(held(stage, 0), 0);
    assert_int_equal(held(stage, 1), 1);
    stage_free(stage);
}

static void frames_are_given_back_at_once_or_when_told(void **state)
{
    static const char *const reactors[] = {FRAMED, MANUAL};

    (void)state;
    for (int manual = 0; manual < 2; manual++) {
        struct stage *stage = stage_new(&(struct plans_text){.reactor = reactors[manual]});

        come(stage);
        arrive(stage, 0, "\1x\1y", 4);
        assert_int_equal(held(stage, 0), manual ? 2 : 0);
        stage_free(stage);
    }
}

static void more_than_is_held_gives_back_what_is_held(void **state)
{
    struct stage *stage = stage_new(&(struct plans_text){.reactor = MANUAL});

    (void)state;
    app_sink_consume(&stage->app, 0, 1); /* not in service yet */
    come(stage);
    app_sink_consume(&stage->app, 0, 1); /* nothing held */
    arrive(stage, 0, "\1x\1y\1z", 6);
    app_sink_consume(&stage->app, 0, 1);
    assert_int_equal(held(stage, 0), 2);
    app_sink_consume(&stage->app, 0, 99);
    assert_int_equal(held(stage, 0), 0);
    app_sink_consume(&stage->app, 0, 1);
    assert_int_equal(reactor_close(stage->r, stage->app.ids[0]), 0);
    app_sink_consume(&stage->app, 0, 1);
    stage_free(stage);
}

static const struct plans_text two = {
    .reactor = MANUAL,
    .peers = "  a tcp\n  b tcp\n",
    .timeline = "  0ms a connect\n  0ms b connect\n",
};

static struct stage *stage_of_two(const char *reactions)
{
    struct plans_text text = two;
    struct stage *stage;

    text.reactions = reactions;
    stage = stage_new(&text);
    come(stage);
    come(stage);
    return stage;
}

static void a_frame_closes_another_source(void **state)
{
    struct stage *stage = stage_of_two("  on a frame 2 close b\n");

    (void)state;
    arrive(stage, 0, "\1x", 2);
    assert_int_equal(held(stage, 1), 0);
    arrive(stage, 0, "\1y", 2);
    assert_int_equal(held(stage, 1), -1);
    arrive(stage, 0, "\1z", 2);
    assert_int_equal(held(stage, 0), 3);
    stage_free(stage);
}

static void a_frame_closes_its_own_source(void **state)
{
    struct stage *stage = stage_of_two("  on a frame 1 close a\n  on a frame 1 consume a\n");

    (void)state;
    arrive(stage, 0, "\1x\1y", 4);
    assert_int_equal(held(stage, 0), -1);
    assert_int_equal(stage->app.deliveries[0], 1);
    stage_free(stage);
}

static void a_frame_consumes_and_takes_time(void **state)
{
    struct stage *stage =
        stage_of_two("  on a frame 3 consume b 5\n  on a frame 3 takes 7ms\n"
                     "  on a frame 2 consume a\n");

    (void)state;
    arrive(stage, 1, "\1p\1q", 4);
    arrive(stage, 0, "\1x\1y", 4);
    assert_int_equal(held(stage, 0), 1);
    assert_int_equal(held(stage, 1), 2);
    assert_int_equal(stage->taken.ns, 0);
    arrive(stage, 0, "\1z", 2);
    assert_int_equal(held(stage, 1), 0);
    assert_int_equal(stage->taken.ns, DURATION_MS(7).ns);
    stage_free(stage);
}

static void an_end_closes_and_a_source_without_one_stays(void **state)
{
    struct stage *stage = stage_of_two("  on a end close a\n  on a end close b\n");

    (void)state;
    fake_os_fin(&stage->kernel, stage->fds[1]);
    rest(stage);
    assert_int_equal(held(stage, 1), 0);
    fake_os_fin(&stage->kernel, stage->fds[0]);
    rest(stage);
    assert_int_equal(held(stage, 0), -1);
    assert_int_equal(held(stage, 1), -1);
    stage_free(stage);
}

static void an_opening_closes_an_older_source(void **state)
{
    struct stage *stage = stage_of_two("  on b open close a\n  on b open takes 1ms\n");

    (void)state;
    assert_int_equal(held(stage, 0), -1);
    assert_int_equal(held(stage, 1), 0);
    assert_int_equal(stage->taken.ns, DURATION_MS(1).ns);
    stage_free(stage);
}

static void an_opening_closes_itself(void **state)
{
    struct stage *stage = stage_of_two("  on a open close a\n");

    (void)state;
    assert_int_equal(held(stage, 0), -1);
    assert_int_equal(held(stage, 1), 0);
    stage_free(stage);
}

static void raw_bytes_count_by_their_deliveries(void **state)
{
    struct plans_text text = two;
    struct stage *stage;

    (void)state;
    text.reactor = "  trigger et\n  quantum bytes=4\n";
    text.reactions = "  on a data 3 close b\n  on a data 2 takes 1ms\n";
    stage = stage_new(&text);
    come(stage);
    come(stage);
    arrive(stage, 0, "abcdefgh", 8); /* two of four bytes each */
    assert_int_equal(stage->app.deliveries[0], 2);
    assert_int_equal(stage->taken.ns, DURATION_MS(1).ns);
    assert_int_equal(held(stage, 1), 0);
    arrive(stage, 0, "i", 1);
    assert_int_equal(held(stage, 1), -1);
    stage_free(stage);
}

static bool happened(const struct stage *stage, uint32_t reaction)
{
    return app_sink_happened(&stage->app, &stage->plan->reactions[reaction]);
}

static void a_reaction_has_happened_when_its_moment_came(void **state)
{
    struct stage *stage = stage_of_two("  on a frame 2 takes 1ms\n  on a end takes 1ms\n"
                                       "  on b open takes 1ms\n");

    (void)state;
    assert_true(happened(stage, 2));
    arrive(stage, 0, "\1x", 2);
    assert_false(happened(stage, 0));
    arrive(stage, 0, "\1y", 2);
    assert_true(happened(stage, 0));
    assert_false(happened(stage, 1));
    fake_os_fin(&stage->kernel, stage->fds[0]);
    rest(stage);
    assert_true(happened(stage, 1));
    stage_free(stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_the_peers_in_the_order_of_their_connects),
        cmocka_unit_test(frames_are_given_back_at_once_or_when_told),
        cmocka_unit_test(a_reaction_has_happened_when_its_moment_came),
        cmocka_unit_test(more_than_is_held_gives_back_what_is_held),
        cmocka_unit_test(a_frame_closes_another_source),
        cmocka_unit_test(a_frame_closes_its_own_source),
        cmocka_unit_test(a_frame_consumes_and_takes_time),
        cmocka_unit_test(an_end_closes_and_a_source_without_one_stays),
        cmocka_unit_test(an_opening_closes_an_older_source),
        cmocka_unit_test(an_opening_closes_itself),
        cmocka_unit_test(raw_bytes_count_by_their_deliveries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
