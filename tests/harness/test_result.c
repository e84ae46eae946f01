/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/result.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void every_verdict_and_world_has_its_word(void **state)
{
    (void)state;
    assert_string_equal(result_verdict_name(RESULT_PASS), "pass");
    assert_string_equal(result_verdict_name(RESULT_FAIL), "fail");
    assert_string_equal(result_verdict_name(RESULT_LATE), "late");
    assert_string_equal(result_verdict_name(RESULT_ERROR), "error");
    assert_string_equal(result_verdict_name(RESULT_SKIP), "skip");
    assert_string_equal(result_world_name(RESULT_WORLD_VETH), "veth");
}

/* The leak checker looks for what is forgotten here. */
static void everything_that_a_result_holds_is_freed(void **state)
{
    static const struct result empty;
    struct result result = {.verdict = RESULT_LATE, .attempts = 3};
    struct lines *all[] = {
        &result.events.rows, &result.events.diff, &result.wire.rows, &result.wire.diff,
        &result.peers.rows,  &result.peers.diff,  &result.failed,    &result.left_over,
        &result.notes,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        lines_add(all[i], "line %zu", i);
    result.reason = strdup("why");
    result_free(&result);
    assert_memory_equal(&result, &empty, sizeof(result));
    result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verdict_and_world_has_its_word),
        cmocka_unit_test(everything_that_a_result_holds_is_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
