/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/report/next.h"
#include "tests/harness/sample.h"

static void is(const struct next_words *words, const struct plan *plan, const char *expected)
{
    struct result result = {.plan = plan, .trigger = REACTOR_OS, .family = PLAN_PIPE};
    char *command = next_command(words, &result);

    assert_string_equal(command, expected);
    free(command);
}

static void a_script_of_the_tree_goes_by_its_name(void **state)
{
    (void)state;
    is(&(struct next_words){"./run", "scenarios", NULL}, &sample_plan,
       "./run scenario framing/one --trigger os --family pipe -v");
    is(&(struct next_words){"edgewise", "scenarios", " --set a=1"}, &sample_plan,
       "edgewise scenario framing/one --trigger os --family pipe --set a=1 -v");
}

static void any_other_script_goes_by_its_path(void **state)
{
    static const struct plan other = {.file = "scenarios2/one.scn", .name = "framing/one"};

    (void)state;
    is(&(struct next_words){"./run", "scenarios", NULL}, &other,
       "./run scenario scenarios2/one.scn --trigger os --family pipe -v");
    is(&(struct next_words){"./run", NULL, NULL}, &sample_plan,
       "./run scenario scenarios/framing/one.scn --trigger os --family pipe -v");
}

static void a_world_that_is_not_the_real_kernel_is_asked_for(void **state)
{
    struct result result = {.plan = &sample_plan, .world = RESULT_WORLD_SIM,
                            .trigger = REACTOR_ET, .family = PLAN_UNIX};
    char *command = next_command(&(struct next_words){"./run", "scenarios", NULL}, &result);

    (void)state;
    assert_string_equal(command, "./run scenario framing/one --world sim --trigger et "
                                 "--family unix -v");
    free(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_script_of_the_tree_goes_by_its_name),
        cmocka_unit_test(any_other_script_goes_by_its_path),
        cmocka_unit_test(a_world_that_is_not_the_real_kernel_is_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
