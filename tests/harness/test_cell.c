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
}

static void milliseconds_are_rounded_to_the_nearest(void **state)
{
    (void)state;
    assert_int_equal(cell_ms((struct duration){1499999}), 1);
    assert_int_equal(cell_ms((struct duration){1500000}), 2);
    assert_int_equal(cell_ms((struct duration){0}), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cell_is_named_by_world_trigger_and_family),
        cmocka_unit_test(milliseconds_are_rounded_to_the_nearest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
