/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/conduct/bench.h"
#include "tests/support/plans.h"
#include "tests/support/rows.h"

/* One whole run on the real kernel; skips where no namespace can be had. */
static struct happened run(const struct plans_text *text, enum plan_family family,
                           struct plan **ret_plan)
{
    struct bench_failure failure = {0};
    struct happened happened;
    struct bench_job job = {
        .world = RESULT_WORLD_VETH, .trigger = REACTOR_ET, .family = family};

    if (bench_prepare(RESULT_WORLD_VETH, &failure) < 0) {
        print_message("%s\n", failure.text);
        skip();
    }
    *ret_plan = plans_make(text);
    job.plan = *ret_plan;
    if (bench_run(&job, &happened, &failure) < 0)
        fail_msg("%s", failure.text);
    if (happened.fate_text)
        print_error("%s\n", happened.fate_text);
    assert_int_equal(happened.fate, HAPPENED_STOPPED);
    return happened;
}

static void done(struct happened *happened, struct plan *plan)
{
    happened_free(happened);
    plan_free(plan);
}

static void expect_rows(const struct happened *happened, const char *words, unsigned count)
{
    assert_int_equal(rows_count(happened->journal, words), count);
}

static void a_fault_of_a_source_in_service_is_applied(void **state)
{
    const struct plans_text text = {
        .timeline = "  0ms c connect\n  1ms sut fault read c EINTR x3\n  2ms c send 61\n"};
    struct plan *plan;
    struct happened happened = run(&text, PLAN_IPV4, &plan);

    (void)state;
    expect_rows(&happened, "read 1 asked=65536 result=-4", 3);
    expect_rows(&happened, "read 1 asked=65536 result=1 ", 1);
    done(&happened, plan);
}

/* "A fault is a rule, and may be there before its peer is." */
static void a_fault_before_its_peer_is_in_service_is_applied_too(void **state)
{
    const struct plans_text text = {
        .timeline = "  0ms sut fault read c EINTR x3\n  1ms c connect\n  2ms c send 61\n"};
    struct plan *plan;
    struct happened happened = run(&text, PLAN_IPV4, &plan);
    unsigned interrupted = rows_count(happened.journal, "read 1 asked=65536 result=-4");

    (void)state;
    done(&happened, plan);
    assert_int_equal(interrupted, 3);
}

static void a_fault_of_accept_concerns_the_listener(void **state)
{
    const struct plans_text text = {
        .timeline = "  0ms sut fault accept ECONNABORTED x2\n  1ms c connect\n"};
    struct plan *plan;
    struct happened happened = run(&text, PLAN_IPV4, &plan);

    (void)state;
    expect_rows(&happened, "accept 0 result=-103", 2);
    expect_rows(&happened, "accept 0 result=0 1", 1);
    done(&happened, plan);
}

static void a_pipe_is_adopted(void **state)
{
    const struct plans_text text = {
        .family = "pipe",
        .peers = "  a pipe\n  b pipe\n",
        .timeline = "  0ms a connect\n  0ms b connect\n  1ms b send 61\n  2ms a close\n",
    };
    struct plan *plan;
    struct happened happened = run(&text, PLAN_PIPE, &plan);

    (void)state;
    expect_rows(&happened, "adopt", 2);
    expect_rows(&happened, "accept", 0);
    expect_rows(&happened, "read 1 asked=65536 result=1 ", 1);
    expect_rows(&happened, "end 0 clean", 1);
    expect_rows(&happened, "end", 1);
    done(&happened, plan);
}

static void unix_and_ipv6_are_listened_on(void **state)
{
    static const enum plan_family families[] = {PLAN_UNIX, PLAN_IPV6};
    static const char *const names[] = {"unix", "ipv6"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct plans_text text = {.family = names[i],
                                        .peers = "  c stream\n",
                                        .timeline = "  0ms c connect\n  1ms c send 61 62\n"};
        struct plan *plan;
        struct happened happened = run(&text, families[i], &plan);

        expect_rows(&happened, "read 1 asked=65536 result=2 ", 1);
        done(&happened, plan);
    }
}

/* W2: a budget stop that forgets the source strands what is left. */
static void without_requeue_a_budget_stop_strands_the_rest(void **state)
{
    const struct plans_text text = {
        .reactor = "  trigger et\n  quantum bytes=2\n  requeue off\n",
        .timeline = "  0ms c connect\n  1ms c send 61 62 63 64 65\n",
    };
    struct plan *plan;
    struct happened happened = run(&text, PLAN_IPV4, &plan);

    (void)state;
    expect_rows(&happened, "quantum", 1);
    expect_rows(&happened, "stop 1 bytes WAITING hint=1 credit=0+0 queue=[] unread=3", 1);
    done(&happened, plan);
}

static void reactions_run_in_the_suts_process(void **state)
{
    const struct plans_text text = {
        .reactor = "  trigger et\n  frame header=1 payload=1\n  capacity 9\n",
        .peers = "  a tcp\n  b tcp\n",
        .reactions = "  on a frame 1 close b\n",
        .timeline = "  0ms a connect\n  0ms b connect\n  1ms a send 01 61\n",
    };
    struct plan *plan;
    struct happened happened = run(&text, PLAN_IPV4, &plan);

    (void)state;
    expect_rows(&happened, "close 2", 1);
    assert_int_equal(happened.peers[1].saw, PLAN_SAW_FIN);
    done(&happened, plan);
}

/* Free pace has no gate: orders come by the inbox, and each one is answered. */
static void under_free_pace_orders_come_by_the_inbox(void **state)
{
    const struct plans_text text = {
        .reactor = "  trigger et\n  frame header=1 payload=1\n  capacity 2\n"
                   "  app sink consume=manual\n",
        .run = "  pace free\n  compare streams\n",
        .timeline = "  0ms c connect\n  0ms c send 01 61 01 62\n"
                    "  wait-until c unread 2\n  1ms sut consume c\n  2ms c shutdown write\n",
    };

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct plan *plan;
        struct happened happened = run(&text, PLAN_IPV4, &plan);

        expect_rows(&happened, "frame 1", 2);
        expect_rows(&happened, "consume 1 1", 1);
        expect_rows(&happened, "halt", 1);
        done(&happened, plan);
    }
}

/* The first order may come before anything else has happened. */
static void under_free_pace_the_first_order_is_not_lost(void **state)
{
    const struct plans_text text = {
        .run = "  pace free\n  compare streams\n",
        .timeline = "  0ms sut fault accept ECONNABORTED x1\n  0ms c connect\n  1ms c close\n",
    };

    (void)state;
    for (int i = 0; i < 20; i++) {
        struct plan *plan;
        struct happened happened = run(&text, PLAN_IPV4, &plan);

        expect_rows(&happened, "halt", 1);
        done(&happened, plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_of_a_source_in_service_is_applied),
        cmocka_unit_test(a_fault_before_its_peer_is_in_service_is_applied_too),
        cmocka_unit_test(a_fault_of_accept_concerns_the_listener),
        cmocka_unit_test(a_pipe_is_adopted),
        cmocka_unit_test(unix_and_ipv6_are_listened_on),
        cmocka_unit_test(without_requeue_a_budget_stop_strands_the_rest),
        cmocka_unit_test(reactions_run_in_the_suts_process),
        cmocka_unit_test(under_free_pace_orders_come_by_the_inbox),
        cmocka_unit_test(under_free_pace_the_first_order_is_not_lost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
