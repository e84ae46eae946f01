/* SPDX-License-Identifier: BSD-2-Clause */
/* The ways of the sut's own process that a whole run shows: free pace, faults, names, lines that
 * were not carried out. */
#include "harness/sut/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "harness/conduct/bench.h"
#include "tests/support/plans.h"
#include "tests/support/rows.h"

#define FREE "  pace free\n  compare streams\n"
#define MANUAL                                                                                  \
    "  trigger et\n  frame header=1 payload=1\n  capacity 2\n  app sink consume=manual\n"

struct ran {
    struct plan *plan;
    struct happened happened;
};

static struct ran run(const struct plans_text *text, enum plan_family family)
{
    struct bench_failure failure = {0};
    struct ran ran = {.plan = plans_make(text)};
    const struct bench_job job = {
        .plan = ran.plan, .world = RESULT_WORLD_VETH, .trigger = REACTOR_ET, .family = family};

    if (bench_prepare(RESULT_WORLD_VETH, &failure) < 0) {
        print_message("%s\n", failure.text);
        skip();
    }
    if (bench_run(&job, &ran.happened, &failure) < 0)
        fail_msg("%s", failure.text);
    return ran;
}

static void expect_fate(const struct ran *ran, enum happened_fate fate)
{
    if (ran->happened.fate != fate && ran->happened.fate_text)
        print_error("%s\n", ran->happened.fate_text);
    assert_int_equal(ran->happened.fate, fate);
}

static void expect_left_over(const struct ran *ran, const char *const *lines, size_t count)
{
    const struct lines *told = &ran->happened.left_over;

    for (size_t i = 0; i < told->count; i++)
        if (i >= count || strstr(told->line[i], lines[i]) == NULL)
            fail_msg("left over: %s", told->line[i]);
    assert_int_equal(told->count, count);
}

static void done(struct ran *ran)
{
    happened_free(&ran->happened);
    plan_free(ran->plan);
}

/* Each order has its answer, and the stop comes behind them. */
static void free_pace_takes_one_order_after_the_other(void **state)
{
    const struct plans_text text = {
        .reactor = MANUAL,
        .run = FREE,
        .timeline = "  0ms c connect\n  0ms c send 01 61 01 62 01 63\n"
                    "  wait-until c unread 4\n  1ms sut consume c\n  wait-until c unread 2\n"
                    "  1ms sut consume c\n  wait-until c unread 0\n  1ms sut consume c\n"
                    "  1ms c shutdown write\n  wait-until c ended\n",
    };

    (void)state;
    for (int i = 0; i < 50; i++) {
        struct ran ran = run(&text, PLAN_IPV4);

        expect_fate(&ran, HAPPENED_STOPPED);
        assert_int_equal(rows_count(ran.happened.journal, "consume"), 3);
        assert_int_equal(rows_count(ran.happened.journal, "halt"), 1);
        expect_left_over(&ran, NULL, 0);
        done(&ran);
    }
}

static void free_pace_ends_at_its_limits(void **state)
{
    static const char *const limits[] = {"  limit rounds=50\n", "  limit calls=50\n"};
    static const char *const words[] = {"the limit of rounds was used up (round 51, ",
                                        "the limit of calls was used up ("};

    (void)state;
    for (int i = 0; i < 2; i++) {
        char reactor[128];
        struct plans_text text = {
            .reactor = reactor,
            .run = FREE,
            .timeline = "  0ms c connect\n  1ms c send pattern:500\n  2ms c close\n",
        };
        struct ran ran;

        (void)snprintf(reactor, sizeof(reactor), "  trigger et\n  quantum bytes=1 attempts=1\n%s",
                       limits[i]);
        ran = run(&text, PLAN_IPV4);
        expect_fate(&ran, HAPPENED_LIMIT);
        assert_non_null(strstr(ran.happened.fate_text, words[i]));
        assert_true(ran.happened.timeline.ns < DURATION_MS(2000).ns);
        done(&ran);
    }
}

static void what_the_sut_did_not_carry_out_is_left_over(void **state)
{
    static const char *const lines[] = {
        "consume d: 0 of 1 given back",   "close d: it is not in service",
        "sut consume c: 2 of 9 given back", "sut fault accept EMFILE: 2 of 2 not used",
        "sut fault read c EIO: 1 of 1 not used",
    };
    const struct plans_text text = {
        .reactor = "  trigger et\n  frame header=1 payload=1\n  capacity 9\n"
                   "  app sink consume=manual\n",
        .peers = "  c tcp\n  d tcp\n",
        .reactions = "  on c frame 1 consume d\n  on c frame 1 close d\n"
                     "  on c frame 2 close d\n",
        .timeline = "  0ms c connect\n  0ms d connect\n  1ms c send 01 61 01 62\n"
                    "  2ms sut fault accept EMFILE x2\n  2ms sut consume c 9\n"
                    "  2ms sut fault read c EIO\n",
    };
    struct ran ran = run(&text, PLAN_IPV4);

    (void)state;
    expect_fate(&ran, HAPPENED_STOPPED);
    expect_left_over(&ran, lines, sizeof(lines) / sizeof(*lines));
    done(&ran);
}

static void a_notice_can_be_held_before_there_is_its_source(void **state)
{
    const struct plans_text text = {
        .peers = "  c tcp\n  d tcp\n  e tcp\n",
        .reactions = "  on c data 1 close d\n",
        .timeline = "  0ms sut fault wait hold d\n  0ms c connect\n  0ms d connect\n"
                    "  1ms d send 78\n  2ms c send 79\n  3ms e connect\n  4ms e send 7a\n",
    };
    struct ran ran = run(&text, PLAN_IPV4);

    (void)state;
    expect_fate(&ran, HAPPENED_STOPPED);
    assert_int_equal(rows_count(ran.happened.journal, "notice 2 IN stale"), 1);
    expect_left_over(&ran, NULL, 0);
    done(&ran);
}

static void a_fault_that_cannot_be_had_ends_the_run_with_its_line(void **state)
{
    const struct plans_text text = {
        .peers = "  c tcp\n  d tcp\n",
        .timeline = "  0ms c connect\n  0ms d connect\n  1ms sut fault wait hold c\n"
                    "  1ms sut fault wait hold d\n",
    };
    struct ran ran = run(&text, PLAN_IPV4);
    char line[64];

    (void)state;
    expect_fate(&ran, HAPPENED_DIED);
    (void)snprintf(line, sizeof(line), "line %u: fault: %s",
                   ran.plan->statements[3].place.line, strerror(EBUSY));
    assert_string_equal(ran.happened.fate_text, line);
    done(&ran);
}

/* A full backlog lets the later ones in when the sut accepts: in whatever order, each is known. */
static void behind_a_full_backlog_each_source_is_its_peers(void **state)
{
    static const uint32_t connects[] = {4, 2, 3, 0, 1};
    const struct plans_text text = {
        .family = "unix\n  backlog 1",
        .peers = "  p*5 stream\n",
        .timeline = "  0ms sut hold\n  0ms p5 connect\n  0ms p3 connect\n  0ms p4 connect\n"
                    "  0ms p1 connect\n  0ms p2 connect\n  1ms p1 send pattern:1\n"
                    "  1ms p2 send pattern:2\n  1ms p3 send pattern:3\n"
                    "  1ms p4 send pattern:4\n  1ms p5 send pattern:5\n  2ms sut go\n"
                    "  3ms p*5 close\n",
    };
    struct ran ran = run(&text, PLAN_UNIX);

    (void)state;
    expect_fate(&ran, HAPPENED_STOPPED);
    assert_int_equal(ran.happened.source_count, 5);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(ran.happened.sources[i], connects[i]);
    for (uint32_t size = 1; size <= 5; size++) {
        char row[64];

        /* Slot 0 is the listener's; the n-th source is in slot n. */
        for (uint32_t slot = 1; slot <= 5; slot++)
            if (connects[slot - 1] + 1 == size) {
                (void)snprintf(row, sizeof(row), "read %u asked=65536 result=%u ", slot, size);
                assert_int_equal(rows_count(ran.happened.journal, row), 1);
            }
    }
    expect_left_over(&ran, NULL, 0);
    done(&ran);
}

static void more_verbs_than_an_order_holds_are_carried_out(void **state)
{
    const struct plans_text text = {
        .reactor = "  trigger et\n  frame header=1 payload=1\n  capacity 400\n"
                   "  app sink consume=manual\n",
        .timeline = "  0ms c connect\n  1ms c send 01 61 repeat=150\n"
                    "  2ms sut consume c repeat=150\n",
    };
    struct ran ran = run(&text, PLAN_IPV4);

    (void)state;
    expect_fate(&ran, HAPPENED_STOPPED);
    assert_int_equal(rows_count(ran.happened.journal, "consume"), 150);
    expect_left_over(&ran, NULL, 0);
    done(&ran);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_pace_takes_one_order_after_the_other),
        cmocka_unit_test(free_pace_ends_at_its_limits),
        cmocka_unit_test(what_the_sut_did_not_carry_out_is_left_over),
        cmocka_unit_test(a_notice_can_be_held_before_there_is_its_source),
        cmocka_unit_test(a_fault_that_cannot_be_had_ends_the_run_with_its_line),
        cmocka_unit_test(behind_a_full_backlog_each_source_is_its_peers),
        cmocka_unit_test(more_verbs_than_an_order_holds_are_carried_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
