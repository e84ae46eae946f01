/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/trail.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const struct plan_peer peers[] = {{.name = "c"}};
static const struct plan_statement statements[] = {{.place = {.line = 9}, .verb = PLAN_CONNECT}};
static const struct plan plan = {
    .peers = peers, .peer_count = 1, .statements = statements, .statement_count = 1};

static void tells(const struct trail *trail, const char *expected)
{
    char text[200];

    trail_tell(trail, &plan, text, sizeof(text));
    assert_string_equal(text, expected);
}

static void a_trail_tells_how_far_the_run_has_come(void **state)
{
    struct trail *trail = trail_map();

    (void)state;
    assert_non_null(trail);
    tells(trail, "while its world was set up");
    trail_enter(trail, TRAIL_TIMELINE);
    tells(trail, "before the first statement");
    trail_begin(trail, 0);
    tells(trail, "begun last: line 9, c connect");
    trail_enter(trail, TRAIL_END);
    tells(trail, "behind the last statement");
    trail_spawned(trail, 42);
    assert_int_equal(trail->sut, 42);
    trail_unmap(trail);
}

/* Whoever wrote it may have written anything. */
static void what_cannot_be_is_not_believed(void **state)
{
    struct trail trail = {.step = TRAIL_TIMELINE, .statements = 2};

    (void)state;
    tells(&trail, "before the first statement");
    trail.step = 77;
    tells(&trail, "while its world was set up");
}

static void without_a_trail_nothing_is_told(void **state)
{
    (void)state;
    trail_keep(NULL);
    trail_enter(NULL, TRAIL_END);
    trail_begin(NULL, 3);
    trail_spawned(NULL, 1);
    trail_unmap(NULL);
    tells(NULL, "while its world was set up");
}

static void what_the_process_could_not_do_is_told(void **state)
{
    struct trail trail = {0};
    char text[80] = "";

    (void)state;
    assert_false(trail_failed(&trail, text, sizeof(text)));
    trail_fail(&trail, TRAIL_FAIL_SEND, ENOSPC);
    assert_true(trail_failed(&trail, text, sizeof(text)));
    assert_string_equal(text, "send its result: No space left on device");
    trail.failure = TRAIL_FAILURE_COUNT;
    assert_false(trail_failed(&trail, text, sizeof(text)));
    trail_fail(NULL, TRAIL_FAIL_BIND, EPERM);
    assert_false(trail_failed(NULL, text, sizeof(text)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trail_tells_how_far_the_run_has_come),
        cmocka_unit_test(what_cannot_be_is_not_believed),
        cmocka_unit_test(without_a_trail_nothing_is_told),
        cmocka_unit_test(what_the_process_could_not_do_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
