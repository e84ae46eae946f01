/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/conduct/conductor.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <errno.h>

#include "tests/support/plans.h"
#include "tests/support/pretend.h"
#include "tests/support/rows.h"

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/* --- One timeline --- */

struct show {
    struct pretend pretend;
    struct plan *plan;
    struct happened happened;
    struct failure failure;
    int code;
};

static void *zeroed(size_t count, size_t size)
{
    void *memory = calloc(count, size);

    assert_non_null(memory);
    return memory;
}

static struct show *show_new(const char *timeline)
{
    struct show *show = zeroed(1, sizeof(*show));
    const struct plans_text text = {
        .family = "pipe",
        .reactor = "  trigger et\n  frame header=1 payload=3\n  capacity 20\n"
                   "  app sink consume=manual\n",
        .peers = "  c pipe\n",
        .timeline = timeline,
    };

    show->plan = plans_make(&text);
    pretend_init(&show->pretend);
    show->happened = (struct happened){
        .plan = show->plan,
        .family = PLAN_PIPE,
        .sources = zeroed(2, sizeof(*show->happened.sources)),
        .actions = zeroed(show->plan->statement_count + 1, sizeof(*show->happened.actions)),
        .peers = zeroed(2, sizeof(*show->happened.peers)),
        .peer_count = 1,
    };
    return show;
}

static void show_run(struct show *show)
{
    struct conductor *conductor = zeroed(1, sizeof(*conductor));

    conductor_open(conductor, pretend_world(&show->pretend), pretend_sut(&show->pretend),
                   &show->happened, &show->failure);
    show->code = conductor_run(conductor);
    conductor_close(conductor);
    free(conductor);
}

static void expect_grants(const struct show *show, const char *const *grants, size_t count)
{
    for (size_t i = 0; i < count && i < show->pretend.grants.count; i++)
        assert_string_equal(show->pretend.grants.line[i], grants[i]);
    assert_int_equal(show->pretend.grants.count, count);
}

static void expect_fate(const struct show *show, enum happened_fate fate, const char *text)
{
    assert_int_equal(show->code, 0);
    assert_int_equal(show->happened.fate, fate);
    if (text)
        assert_non_null(show->happened.fate_text);
    if (show->happened.fate_text)
        assert_string_equal(show->happened.fate_text, text ? text : "");
}

static void show_end(struct show *show)
{
    happened_free(&show->happened);
    pretend_free(&show->pretend);
    plan_free(show->plan);
    free(show);
}

#define GRANTS(show, ...)                                   \
    expect_grants(show, (const char *const[]){__VA_ARGS__}, \
                  LENGTH(((const char *const[]){__VA_ARGS__})))

/* --- Lock-step --- */

static void an_instant_is_granted_until_neither_side_moves(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61 62 63\n  1ms c send 64\n"
                                 "  5ms c close\n");

    (void)state;
    show_run(show);
    GRANTS(show, "0ms ADOPT", "0ms", "1ms", "1ms", "5ms", "5ms", "5ms STOP");
    expect_fate(show, HAPPENED_STOPPED, NULL);
    assert_int_equal(show->happened.action_count, 4);
    assert_int_equal(show->happened.actions[1].bytes, 3);
    assert_int_equal(show->happened.actions[2].bytes, 1);
    assert_int_equal(show->happened.source_count, 1);
    /* After each round in which something moved, and at the end of each instant. */
    assert_int_equal(show->pretend.collects, 3 + 3);
    assert_int_equal(show->pretend.finishes, 1);
    show_end(show);
}

static void actions_are_carried_out_at_their_time(void **state)
{
    struct show *show = show_new("  0ms c connect\n  7ms c send 61\n");
    struct instant start = show->pretend.now;

    (void)state;
    show_run(show);
    assert_true(instant_equal(show->happened.started, start));
    assert_true(instant_equal(show->happened.actions[1].due,
                              instant_add(start, DURATION_MS(7))));
    assert_true(instant_equal(show->happened.actions[1].actual, show->happened.actions[1].due));
    /* The first instant took no time: the rest until the second was sleep. */
    assert_true(instant_equal(show->happened.actions[1].free, start));
    show_end(show);
}

static void a_blocked_peer_goes_on_as_the_sut_reads(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61 62 63 64 65 66 67 68 69 6a\n");

    (void)state;
    show->pretend.room = 4;
    show_run(show);
    GRANTS(show, "0ms ADOPT", "0ms", "1ms", "1ms", "1ms", "1ms", "1ms STOP");
    assert_int_equal(show->happened.actions[1].bytes, 10);
    assert_int_equal(show->happened.left_over.count, 0);
    show_end(show);
}

static void what_a_peer_could_not_send_is_left_over(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61 62 63 64 65 66 67 68 69 6a\n");

    (void)state;
    show->pretend.room = 4;
    show->pretend.appetite = 0;
    show_run(show);
    expect_fate(show, HAPPENED_STOPPED, NULL);
    assert_int_equal(show->happened.actions[1].bytes, 4);
    assert_int_equal(show->happened.left_over.count, 1);
    assert_string_equal(show->happened.left_over.line[0], "c 6 bytes not sent");
    show_end(show);
}

static void a_verb_is_delivered_once(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms sut consume c\n  1ms c send 61\n"
                                 "  1ms sut consume c 2\n");

    (void)state;
    show_run(show);
    GRANTS(show, "0ms ADOPT", "0ms", "1ms CONSUME CONSUME", "1ms", "1ms STOP");
    show_end(show);
}

static void a_held_sut_gets_no_turn(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms sut hold\n  1ms c send 61\n"
                                 "  2ms sut consume c\n  3ms c send 62\n  4ms sut go\n");

    (void)state;
    show_run(show);
    GRANTS(show, "0ms ADOPT", "0ms", "4ms CONSUME", "4ms", "4ms STOP");
    assert_int_equal(rows_count(show->pretend.journal, "read 0 asked=0 result=2"), 1);
    show_end(show);
}

static void a_part_of_a_turn_is_all_that_its_instant_grants(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61\n  1ms sut run rounds=2\n"
                                 "  1ms c send 62\n  2ms sut run quanta=3\n  3ms c send 63\n");

    (void)state;
    show_run(show);
    GRANTS(show, "0ms ADOPT", "0ms", "1ms r2 q0", "2ms r0 q3", "3ms", "3ms", "3ms STOP");
    show_end(show);
}

static void a_deadline_of_the_sut_is_an_instant_of_its_own(void **state)
{
    struct show *show = show_new("  0ms c connect\n  10ms c send 61\n");

    (void)state;
    show->pretend.alarm = (struct instant){DURATION_MS(4).ns};
    show_run(show);
    GRANTS(show, "0ms ADOPT", "0ms", "4ms", "10ms", "10ms", "10ms STOP");
    show_end(show);
}

static void a_deadline_at_a_statement_or_behind_the_last_one_is_none(void **state)
{
    static const int ms[] = {10, 11};

    (void)state;
    for (size_t i = 0; i < LENGTH(ms); i++) {
        struct show *show = show_new("  0ms c connect\n  10ms c send 61\n");

        show->pretend.alarm = (struct instant){DURATION_MS(ms[i]).ns};
        show_run(show);
        GRANTS(show, "0ms ADOPT", "0ms", "10ms", "10ms", "10ms STOP");
        show_end(show);
    }
}

/* --- Waiting --- */

static void a_condition_that_holds_lets_the_timeline_go_on(void **state)
{
    static const char *const timelines[] = {
        "  0ms c connect\n  1ms c send 61 62 63\n  wait-until c blocked\n  2ms c close\n",
        "  0ms c connect\n  1ms c send 61\n  wait-until c unread 1\n  2ms c close\n",
        "  0ms c connect\n  1ms c send 61\n  wait-until sut idle\n  2ms c close\n",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(timelines); i++) {
        struct show *show = show_new(timelines[i]);

        show->pretend.room = 2;
        show->pretend.appetite = 0;
        show_run(show);
        expect_fate(show, HAPPENED_STOPPED, NULL);
        assert_int_equal(show->happened.action_count, 3);
        show_end(show);
    }
}

static void an_end_can_be_awaited(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c close\n  wait-until c ended\n");

    (void)state;
    show_run(show);
    expect_fate(show, HAPPENED_STOPPED, NULL);
    show_end(show);
}

static void a_condition_that_does_not_come_true_is_named_with_its_line(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61 62 63\n"
                                 "  wait-until c unread 5\n  2ms c close\n");
    char text[160];

    (void)state;
    show_run(show);
    (void)snprintf(text, sizeof(text), "line %u: `c wait-until unread` did not come true",
                   show->plan->statements[2].place.line);
    expect_fate(show, HAPPENED_HUNG, text);
    assert_int_equal(show->happened.action_count, 2);
    show_end(show);
}

static void bytes_that_do_not_arrive_are_named(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61 62 63\n  2ms c close\n");

    (void)state;
    show->pretend.lose = 1;
    show_run(show);
    expect_fate(show, HAPPENED_HUNG, "c: 2 of 3 bytes arrived; the sut's side is not there");
    GRANTS(show, "0ms ADOPT", "0ms");
    assert_int_equal(show->happened.action_count, 2);
    assert_int_equal(show->pretend.finishes, 1);
    show_end(show);
}

/* --- A sut that does not go on --- */

static void a_sut_that_is_gone_ends_the_timeline(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61\n  2ms c send 62\n");

    (void)state;
    show->pretend.fail_at = 3;
    show->pretend.fail_grant = SUT_GONE;
    show->pretend.fate = HAPPENED_DIED;
    show->pretend.fate_text = "killed by SIGSEGV";
    show_run(show);
    expect_fate(show, HAPPENED_DIED, "killed by SIGSEGV");
    GRANTS(show, "0ms ADOPT", "0ms", "1ms");
    assert_int_equal(show->happened.action_count, 2);
    assert_int_equal(show->pretend.finishes, 1);
    show_end(show);
}

static void a_sut_that_hangs_is_told_so_whatever_becomes_of_it(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61\n");

    (void)state;
    show->pretend.fail_at = 3;
    show->pretend.fail_grant = SUT_HUNG;
    show->pretend.fate = HAPPENED_DIED;
    show->pretend.fate_text = "killed by SIGKILL";
    show_run(show);
    expect_fate(show, HAPPENED_HUNG, "the sut did not come back from its turn");
    show_end(show);
}

static void a_sut_at_its_limit_ends_the_timeline(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms c send 61\n  2ms c send 62\n");

    (void)state;
    show->pretend.limit_at = 3;
    show->pretend.status_at = SUT_LIMIT;
    show->pretend.fate = HAPPENED_LIMIT;
    show->pretend.fate_text = "the limit of rounds was used up (round 51, call 99)";
    show_run(show);
    expect_fate(show, HAPPENED_LIMIT, show->pretend.fate_text);
    GRANTS(show, "0ms ADOPT", "0ms", "1ms");
    show_end(show);
}

static void a_sut_that_dies_while_it_stops_has_its_fate(void **state)
{
    struct show *show = show_new("  0ms c connect\n");

    (void)state;
    show->pretend.fail_at = 3;
    show->pretend.fail_grant = SUT_GONE;
    show->pretend.fate = HAPPENED_DIED;
    show->pretend.fate_text = "exited with status 3";
    show_run(show);
    GRANTS(show, "0ms ADOPT", "0ms", "0ms STOP");
    expect_fate(show, HAPPENED_DIED, "exited with status 3");
    show_end(show);
}

/* --- A bench that cannot go on --- */

static void an_interruption_ends_the_run_at_once(void **state)
{
    (void)state;
    for (unsigned pump = 1; pump <= 6; pump++) {
        struct show *show = show_new("  0ms c connect\n  1ms c send 61\n");

        show->pretend.interrupt_after = pump;
        show_run(show);
        assert_int_equal(show->code, -EINTR);
        assert_int_equal(show->pretend.pumps, pump);
        show_end(show);
    }
}

static void a_kernel_that_does_not_answer_breaks_the_bench(void **state)
{
    struct show *show = show_new("  0ms c connect\n");

    (void)state;
    show->pretend.fail_unread = -EIO;
    show_run(show);
    assert_int_equal(show->code, -EIO);
    assert_non_null(strstr(show->failure.text, "asking what has arrived at the sut"));
    show_end(show);
}

static void only_what_the_far_end_can_cause_is_part_of_what_happened(void **state)
{
    static const struct {
        int error;
        bool own;
    } cases[] = {{-EPIPE, false}, {-ECONNRESET, false}, {-ENOBUFS, true}, {-EIO, true}};

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct show *show = show_new("  0ms c connect\n  1ms c send 61\n");

        show->pretend.fail_write = cases[i].error;
        show_run(show);
        assert_int_equal(show->code, cases[i].own ? cases[i].error : 0);
        if (cases[i].own)
            assert_non_null(strstr(show->failure.text, "c send: "));
        else
            assert_int_equal(show->happened.actions[1].error, -cases[i].error);
        show_end(show);
    }
}

static void an_error_of_a_grant_breaks_the_bench(void **state)
{
    struct show *show = show_new("  0ms c connect\n");

    (void)state;
    show->pretend.fail_at = 2;
    show->pretend.fail_grant = -EINTR;
    show_run(show);
    assert_int_equal(show->code, -EINTR);
    show_end(show);
}

static void more_verbs_than_an_order_holds_go_in_orders_of_one_turn(void **state)
{
    static const char *const timelines[] = {
        "  0ms c connect\n  1ms sut consume c repeat=150\n",
        "  0ms c connect\n  1ms sut hold\n  1ms sut consume c repeat=150 every=1ms\n"
        "  200ms sut go\n",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(timelines); i++) {
        struct show *show = show_new(timelines[i]);
        unsigned consumes = 0;
        unsigned orders = 0;

        show_run(show);
        expect_fate(show, HAPPENED_STOPPED, NULL);
        for (size_t k = 0; k < show->pretend.grants.count; k++) {
            const char *at = show->pretend.grants.line[k];

            orders += strstr(at, " CONSUME") != NULL;
            while ((at = strstr(at, " CONSUME")) != NULL) {
                consumes++;
                at++;
            }
        }
        assert_int_equal(consumes, 150);
        assert_int_equal(orders, 3); /* 64, 64 and 22 */
        show_end(show);
    }
}

/* The verbs behind `sut run` wait for the next grant, which is the last one; the stop that comes
 * with it is the bench's own and must not count. */
static void a_full_order_can_still_be_stopped(void **state)
{
    struct show *show = show_new("  0ms c connect\n  1ms sut run rounds=1\n"
                                 "  1ms sut consume c repeat=64\n");

    (void)state;
    show_run(show);
    assert_int_equal(show->code, 0);
    show_end(show);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_instant_is_granted_until_neither_side_moves),
        cmocka_unit_test(actions_are_carried_out_at_their_time),
        cmocka_unit_test(a_blocked_peer_goes_on_as_the_sut_reads),
        cmocka_unit_test(what_a_peer_could_not_send_is_left_over),
        cmocka_unit_test(a_verb_is_delivered_once),
        cmocka_unit_test(a_held_sut_gets_no_turn),
        cmocka_unit_test(a_part_of_a_turn_is_all_that_its_instant_grants),
        cmocka_unit_test(a_deadline_of_the_sut_is_an_instant_of_its_own),
        cmocka_unit_test(a_deadline_at_a_statement_or_behind_the_last_one_is_none),
        cmocka_unit_test(a_condition_that_holds_lets_the_timeline_go_on),
        cmocka_unit_test(an_end_can_be_awaited),
        cmocka_unit_test(a_condition_that_does_not_come_true_is_named_with_its_line),
        cmocka_unit_test(bytes_that_do_not_arrive_are_named),
        cmocka_unit_test(a_sut_that_is_gone_ends_the_timeline),
        cmocka_unit_test(a_sut_that_hangs_is_told_so_whatever_becomes_of_it),
        cmocka_unit_test(a_sut_at_its_limit_ends_the_timeline),
        cmocka_unit_test(a_sut_that_dies_while_it_stops_has_its_fate),
        cmocka_unit_test(an_interruption_ends_the_run_at_once),
        cmocka_unit_test(a_kernel_that_does_not_answer_breaks_the_bench),
        cmocka_unit_test(only_what_the_far_end_can_cause_is_part_of_what_happened),
        cmocka_unit_test(an_error_of_a_grant_breaks_the_bench),
        cmocka_unit_test(more_verbs_than_an_order_holds_go_in_orders_of_one_turn),
        cmocka_unit_test(a_full_order_can_still_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
