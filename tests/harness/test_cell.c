/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/report/cell.h"

static void a_cell_is_named_by_world_trigger_and_family(void **state)
{
    struct result result = {.trigger = REACTOR_OS, .family = PLAN_UNIX};

    (void)state;
    assert_string_equal(cell_name(&result).text, "veth-os-unix");
    result.defect = "room-beside-reservation";
    assert_string_equal(cell_name(&result).text, "veth-os-unix+room-beside-reservation");
    assert_string_equal(cell_verdict_word(RESULT_ERROR), "ERROR");
    assert_string_equal(cell_words(&result).text, "os unix");
    result.world = RESULT_WORLD_SIM;
    result.defect = NULL;
    assert_string_equal(cell_name(&result).text, "sim-os-unix");
    assert_string_equal(cell_words(&result).text, "sim os unix");
}

static void a_name_is_known_again(void **state)
{
    static const char *const others[] = {
        "", "veth", "veth-et", "veth-et-ipv4-", "veth-et-ipv4+", "veth-et-ipv4+nothing",
        "veth-et-ipv4 ", "xveth-et-ipv4", "veth-xx-ipv4", "veth--ipv4",
    };

    (void)state;
    assert_true(cell_is_name("veth-et-ipv4"));
    assert_true(cell_is_name("veth-lt-pipe"));
    assert_true(cell_is_name("veth-os-unix+room-beside-reservation"));
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        assert_false(cell_is_name(others[i]));
}

static void milliseconds_are_rounded_to_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(cell_ms((struct duration){1499999}), 1);
    assert_int_equal(cell_ms((struct duration){1500000}), 2);
    assert_int_equal(cell_ms((struct duration){0}), 0);
}

static void says(const struct result *result, size_t width, const char *expected)
{
    assert_string_equal(cell_text(result, width).text, expected);
}

static void a_single_run_is_told_by_its_rows_and_its_time(void **state)
{
    struct result result = {.wall = {12400000}, .runs = {[RESULT_PASS] = 1}};

    (void)state;
    says(&result, 16, "0 rows 12 ms");
    lines_add(&result.events.rows, "stop");
    says(&result, 16, "1 row  12 ms");
    says(&result, 11, "12 ms");
    result.verdict = RESULT_SKIP;
    says(&result, 16, "");
    result_free(&result);
}

static void repeated_runs_are_counted(void **state)
{
    struct result result = {.runs = {[RESULT_PASS] = 500}};

    (void)state;
    assert_int_equal(cell_runs(&result), 500);
    says(&result, 16, "500 runs");
    result.verdict = RESULT_FAIL;
    result.runs[RESULT_PASS] = 490;
    result.runs[RESULT_FAIL] = 3;
    result.runs[RESULT_LATE] = 7;
    says(&result, 16, "3 of 500");
    assert_int_equal(cell_runs(&(struct result){0}), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_is_named_by_world_trigger_and_family),
        cmocka_unit_test(a_name_is_known_again),
        cmocka_unit_test(milliseconds_are_rounded_to_the_nearest),
        cmocka_unit_test(a_single_run_is_told_by_its_rows_and_its_time),
        cmocka_unit_test(repeated_runs_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
