/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/cli/grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void cells_come_by_scenario_then_family_then_trigger(void **state)
{
    struct plan exact = {.name = "a"}, loose = {.name = "b", .pace = PLAN_FREE};
    struct selection_item items[] = {
        {.plan = &exact,
         .triggers = 1u << REACTOR_ET | 1u << REACTOR_OS,
         .families = 1u << PLAN_IPV4 | 1u << PLAN_PIPE},
        {.plan = &loose, .triggers = 1u << REACTOR_LT, .families = 1u << PLAN_UNIX},
    };
    struct selection selection = {.items = items, .count = 2};
    struct grid grid;

    (void)state;
    grid_make(&grid, &selection, 1u << RESULT_WORLD_VETH, 3);
    assert_int_equal(grid.count, 5);
    assert_int_equal(grid.cells[1].trigger, REACTOR_OS);
    assert_int_equal(grid.cells[1].family, PLAN_IPV4);
    assert_int_equal(grid.cells[2].family, PLAN_PIPE);
    assert_true(grid.exact[3]);
    assert_false(grid.exact[4]);
    assert_int_equal(grid_item(&grid, 3), 0);
    assert_int_equal(grid_item(&grid, 4), 1);
    assert_int_equal(grid.first[1], 4);
    assert_int_equal(grid.first[2], 5);
    assert_int_equal(grid.left[0], 12);
    grid_free(&grid);
}

static void worlds_come_first_and_only_the_real_kernel_needs_exactness(void **state)
{
    struct plan plan = {.name = "a"};
    struct selection_item item = {.plan = &plan,
                                  .triggers = 1u << REACTOR_ET,
                                  .families = 1u << PLAN_IPV4 | 1u << PLAN_PIPE};
    struct selection selection = {.items = &item, .count = 1};
    struct grid grid;

    (void)state;
    grid_make(&grid, &selection, (1u << RESULT_WORLD_COUNT) - 1, 1);
    assert_int_equal(grid.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(grid.cells[i].world, i < 2 ? RESULT_WORLD_VETH : RESULT_WORLD_SIM);
        assert_int_equal(grid.exact[i], i < 2);
    }
    assert_int_equal(grid.left[0], 4);
    grid_free(&grid);
}

static void a_scenario_is_done_once_each_cell_has_all_its_runs(void **state)
{
    struct plan plan = {.name = "a"};
    struct selection_item item = {
        .plan = &plan, .triggers = 1u << REACTOR_ET, .families = 1u << PLAN_IPV4};
    struct selection selection = {.items = &item, .count = 1};
    struct grid grid;

    (void)state;
    grid_make(&grid, &selection, 1u << RESULT_WORLD_VETH, 2);
    for (uint64_t left = 2; left-- > 0;) {
        struct outcome outcome = {.result = {.plan = &plan, .verdict = RESULT_PASS}};

        grid_add(&grid, 0, &outcome);
        assert_int_equal(grid.left[0], left);
    }
    assert_int_equal(grid.standings[0].kept.result.runs[RESULT_PASS], 2);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_come_by_scenario_then_family_then_trigger),
        cmocka_unit_test(worlds_come_first_and_only_the_real_kernel_needs_exactness),
        cmocka_unit_test(a_scenario_is_done_once_each_cell_has_all_its_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
