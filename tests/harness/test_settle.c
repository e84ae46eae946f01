/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/settle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/plans.h"
#include "tests/support/pretend.h"

#define FREE "  pace free\n  compare streams\n"

/* A timeline of pipes around the pretended kernel and sut. */
struct show {
    struct pretend pretend;
    struct plan *plan;
    struct happened happened;
    struct failure failure;
    struct world_ops world;
    struct sut_ops sut;
    struct world base;
    struct conductor conductor;
    unsigned fail_pump; /* from this pump on nobody can be asked; 0: never */
    bool over;
    int code;
};

static struct show show;

static int failing_pump(void *self, struct instant until, bool (*condition)(void *), void *arg)
{
    if (show.fail_pump > 0 && show.pretend.pumps + 1 >= show.fail_pump)
        show.pretend.fail_unread = -EIO;
    return show.base.ops->pump(self, until, condition, arg);
}

static bool sut_over(void *self)
{
    (void)self;
    return show.over;
}

static void show_begin(const char *run, const char *timeline)
{
    const struct plans_text text = {
        .family = "pipe", .run = run, .peers = "  c pipe\n  d pipe\n", .timeline = timeline};

    show = (struct show){.plan = plans_make(&text)};
    pretend_init(&show.pretend);
    show.base = pretend_world(&show.pretend);
    show.world = *show.base.ops;
    show.world.pump = failing_pump;
    show.sut = *pretend_sut(&show.pretend).ops;
    show.sut.over = sut_over;
    show.happened = (struct happened){
        .plan = show.plan,
        .family = PLAN_PIPE,
        .sources = calloc(3, sizeof(*show.happened.sources)),
        .actions = calloc(show.plan->statement_count + 1, sizeof(*show.happened.actions)),
        .peers = calloc(3, sizeof(*show.happened.peers)),
        .peer_count = 2,
    };
}

static void show_run(void)
{
    conductor_open(&show.conductor,
                   (struct world){.ops = &show.world, .self = show.base.self},
                   (struct sut){.ops = &show.sut, .self = &show.pretend}, &show.happened,
                   &show.failure);
    show.code = conductor_run(&show.conductor);
}

static void show_end(void)
{
    conductor_close(&show.conductor);
    happened_free(&show.happened);
    pretend_free(&show.pretend);
    plan_free(show.plan);
}

static void expect_fate(enum happened_fate fate, const char *text)
{
    assert_int_equal(show.code, 0);
    assert_int_equal(show.happened.fate, fate);
    if (text)
        assert_non_null(show.happened.fate_text);
    if (show.happened.fate_text)
        assert_string_equal(show.happened.fate_text, text ? text : "");
}

#define BOTH "  0ms c connect\n  0ms d connect\n"

/* The bench's patience is over: that is not what the sut left unread. */
static void a_free_run_that_is_not_read_to_the_end_names_the_source(void **state)
{
    (void)state;
    show_begin(FREE, BOTH "  1ms c send 61\n  1ms d send 62 63\n");
    show.pretend.appetite = 1;
    show_run();
    expect_fate(HAPPENED_HUNG,
                "c: the sut has read 0 of 1 bytes and has not come to the end");
    show_end();
}

static void a_free_run_without_anything_to_read_just_stops(void **state)
{
    (void)state;
    show_begin(FREE, BOTH);
    show_run();
    expect_fate(HAPPENED_STOPPED, NULL);
    show_end();
}

/* Nobody waits for what a sut that is over would have read. */
static void a_free_run_ends_when_the_sut_is_over(void **state)
{
    struct instant start;

    (void)state;
    show_begin(FREE, BOTH "  1ms c send 61\n");
    show.over = true;
    show.pretend.fate = HAPPENED_LIMIT;
    show.pretend.fate_text = "calls";
    start = show.pretend.now;
    show_run();
    expect_fate(HAPPENED_LIMIT, "calls");
    assert_true(instant_since(show.pretend.now, start).ns < DURATION_MS(1000).ns);
    show_end();
}

static void a_look_that_fails_ends_every_wait_at_once(void **state)
{
    static const struct {
        const char *run;
        const char *timeline;
    } cases[] = {
        {NULL, BOTH "  1ms c send 61 62\n  1ms wait-until c unread 7\n"},
        {FREE, BOTH "  1ms c send 61 62\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct instant start;
        unsigned last;

        /* The last pumps of a run that hangs are its waits; only the last one fails here. */
        show_begin(cases[i].run, cases[i].timeline);
        show.pretend.room = 1;
        show.pretend.appetite = 0;
        show_run();
        assert_int_equal(show.happened.fate, HAPPENED_HUNG);
        last = show.pretend.pumps - 1; /* behind it the peers part */
        show_end();

        show_begin(cases[i].run, cases[i].timeline);
        show.pretend.room = 1;
        show.pretend.appetite = 0;
        show.fail_pump = last;
        start = show.pretend.now;
        show_run();
        assert_int_equal(show.code, -EIO);
        assert_non_null(strstr(show.failure.text, "asking what has arrived at the sut"));
        assert_true(instant_since(show.pretend.now, start).ns < DURATION_MS(1000).ns);
        show_end();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_run_that_is_not_read_to_the_end_names_the_source),
        cmocka_unit_test(a_free_run_without_anything_to_read_just_stops),
        cmocka_unit_test(a_free_run_ends_when_the_sut_is_over),
        cmocka_unit_test(a_look_that_fails_ends_every_wait_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
