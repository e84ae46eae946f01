/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/inproc.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/journal.h"
#include "harness/conduct/bench.h"
#include "harness/sut/block.h"
#include "harness/world/sim.h"
#include "tests/support/plans.h"

/* A sut on pipes that the test itself makes. */
struct running {
    struct plan *plan;
    struct sim sim;
    struct world world;
    struct sys sys; /* of the bench */
    struct inproc inproc;
    struct sut sut;
    struct sut_report report;
    int writer;
};

static const struct plans_text pipe_text = {.family = "pipe", .peers = "  c pipe\n"};

static void running_begin(struct running *running, const struct plans_text *text)
{
    struct sut_start start = {.trigger = REACTOR_ET, .family = PLAN_PIPE, .cpu = -1};
    struct failure failure = {0};

    *running = (struct running){.writer = -1};
    running->plan = plans_make(text);
    running->world = sim_world(&running->sim, running->plan);
    assert_int_equal(running->world.ops->open(running->world.self, PLAN_PIPE, &failure), 0);
    running->sys = running->world.ops->sys(running->world.self);
    running->sut = inproc_sut(&running->inproc);
    start.plan = running->plan;
    start.kernel = running->world.ops->sut_kernel(running->world.self);
    assert_int_equal(running->sut.ops->start(running->sut.self, &start, &failure), 0);
}

static void running_end(struct running *running)
{
    running->sut.ops->close(running->sut.self, NULL);
    running->sut.ops->close(running->sut.self, NULL);
    running->world.ops->close(running->world.self);
    plan_free(running->plan);
}

static void grant(struct running *running, struct sut_order order)
{
    assert_int_equal(running->sut.ops->grant(running->sut.self, &order, &running->report), 0);
}

static struct sut_order order_of(enum sut_verb_kind kind)
{
    return (struct sut_order){.verb_count = 1, .verbs = {{.kind = kind}}};
}

static void adopt(struct running *running)
{
    int ends[2];

    assert_int_equal(sys_pipe(running->sys, ends), 0);
    assert_int_equal(running->sut.ops->give(running->sut.self, ends[0]), 0);
    /* It is on its way by itself. */
    assert_int_equal(sys_close(running->sys, ends[0]), 0);
    running->writer = ends[1];
    grant(running, order_of(SUT_ADOPT));
}

static uint64_t rows(struct running *running)
{
    return running->sut.ops->journal(running->sut.self)->count;
}

static void it_moves_only_when_it_is_granted(void **state)
{
    struct running running;
    uint64_t before;

    (void)state;
    running_begin(&running, &pipe_text);
    adopt(&running);
    assert_int_equal(running.report.status, SUT_IDLE);
    assert_int_equal(running.sut.ops->source(running.sut.self, 0), 0);
    assert_int_equal(running.sut.ops->source(running.sut.self, 1), PLAN_NOBODY);
    before = rows(&running);
    assert_int_equal(sys_write(running.sys, running.writer, "ab", 2), 2);
    assert_int_equal(rows(&running), before);
    grant(&running, (struct sut_order){0});
    assert_int_equal(running.report.status, SUT_IDLE);
    assert_true(rows(&running) > before);
    assert_false(running.sut.ops->over(running.sut.self));
    running_end(&running);
}

static void it_stops_when_told_and_its_pipe_breaks(void **state)
{
    struct running running;
    char *text;

    (void)state;
    running_begin(&running, &pipe_text);
    adopt(&running);
    grant(&running, order_of(SUT_STOP));
    assert_int_equal(running.report.status, SUT_STOPPED);
    assert_true(running.sut.ops->over(running.sut.self));
    /* Whatever is granted then, it does not go on. */
    grant(&running, (struct sut_order){0});
    assert_int_equal(running.report.status, SUT_STOPPED);
    assert_int_equal(running.sut.ops->finish(running.sut.self, &text), HAPPENED_STOPPED);
    assert_null(text);
    assert_int_equal(sys_write(running.sys, running.writer, "x", 1), -EPIPE);
    running_end(&running);
}

static void what_was_not_given_cannot_be_adopted(void **state)
{
    struct running running;
    char *text;

    (void)state;
    running_begin(&running, &pipe_text);
    grant(&running, order_of(SUT_ADOPT));
    assert_int_equal(running.report.status, SUT_FAILED);
    assert_non_null(strstr(running.report.text, "adopt"));
    assert_int_equal(running.sut.ops->finish(running.sut.self, &text), HAPPENED_DIED);
    free(text);
    running_end(&running);
}

/* The whole bench around it, as for any world. */
static void conduct(const struct plans_text *text, enum plan_family family,
                    struct happened *ret_happened)
{
    struct bench_job job = {
        .plan = plans_make(text), .world = RESULT_WORLD_SIM, .trigger = REACTOR_ET,
        .family = family};
    struct bench_failure failure = {0};

    if (bench_run(&job, ret_happened, &failure) < 0)
        fail_msg("%s", failure.text);
}

static void let_go(struct happened *happened)
{
    struct plan *plan = (struct plan *)(uintptr_t)happened->plan;

    happened_free(happened);
    plan_free(plan);
}

static void a_limit_ends_it_in_the_middle_of_a_quantum(void **state)
{
    static const struct plans_text text = {
        .reactor = "  trigger et\n  limit rounds=100 calls=10\n",
        .timeline = "  0ms c connect\n  1ms c send pattern:2000\n  2ms c shutdown write\n",
    };
    struct happened happened;

    (void)state;
    conduct(&text, PLAN_IPV4, &happened);
    assert_int_equal(happened.fate, HAPPENED_LIMIT);
    assert_non_null(strstr(happened.fate_text, "the limit of calls was used up"));
    assert_true(happened.journal->count > 0);
    assert_null(happened.packets);
    let_go(&happened);
}

/* An hour of the script is over at once, and nobody is late. */
static void script_time_is_virtual(void **state)
{
    static const struct plans_text text = {
        .timeline = "  0ms c connect\n  1ms c send 61\n  3600s c shutdown write\n",
    };
    struct happened happened;

    (void)state;
    conduct(&text, PLAN_IPV4, &happened);
    assert_int_equal(happened.fate, HAPPENED_STOPPED);
    assert_int_equal(happened.action_count, 3);
    for (uint32_t i = 0; i < happened.action_count; i++)
        assert_true(instant_equal(happened.actions[i].due, happened.actions[i].actual));
    let_go(&happened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_moves_only_when_it_is_granted),
        cmocka_unit_test(it_stops_when_told_and_its_pipe_breaks),
        cmocka_unit_test(what_was_not_given_cannot_be_adopted),
        cmocka_unit_test(a_limit_ends_it_in_the_middle_of_a_quantum),
        cmocka_unit_test(script_time_is_virtual),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
