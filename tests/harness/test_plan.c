/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void peers_are_found_by_name(void **state)
{
    struct plan *plan = script_accept(NULL, NULL);

    (void)state;
    assert_int_equal(plan_peer_find(plan, "c"), 0);
    assert_int_equal(plan_peer_find(plan, "d"), 1);
    assert_int_equal(plan_peer_find(plan, "e"), PLAN_NOBODY);
    assert_int_equal(plan_peer_find(plan, ""), PLAN_NOBODY);
    plan_free(plan);
}

static void every_value_has_the_word_of_the_script(void **state)
{
    (void)state;
    assert_string_equal(plan_family_name(PLAN_IPV4), "ipv4");
    assert_string_equal(plan_family_name(PLAN_PIPE), "pipe");
    assert_string_equal(plan_verb_name(PLAN_CONNECT), "connect");
    assert_string_equal(plan_verb_name(PLAN_WAIT_UNTIL), "wait-until");
    assert_string_equal(plan_saw_name(PLAN_SAW_NOTHING), "nothing");
    assert_string_equal(plan_saw_name(PLAN_SAW_RESET), "reset");
    assert_string_equal(plan_expect_name(PLAN_EXPECT_FRAMES), "frames");
    assert_string_equal(plan_expect_name(PLAN_EXPECT_STALE), "stale");
    assert_string_equal(plan_condition_name(PLAN_UNTIL_UNREAD), "unread");
    assert_string_equal(plan_condition_name(PLAN_UNTIL_IDLE), "idle");
}

static void freeing_nothing_is_fine(void **state)
{
    (void)state;
    plan_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peers_are_found_by_name),
        cmocka_unit_test(every_value_has_the_word_of_the_script),
        cmocka_unit_test(freeing_nothing_is_fine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
