/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/cli/program.h"

/* The test lies in a build folder of the checkout, or elsewhere; only what holds for both. */

static void the_environment_names_the_scenarios(void **state)
{
    struct program program;

    (void)state;
    assert_int_equal(setenv("EDGEWISE_SCENARIOS", "/some/where else", 1), 0);
    program_find(&program);
    assert_string_equal(program.scenarios, "/some/where else");
    assert_int_equal(setenv("EDGEWISE_SCENARIOS", "", 1), 0);
    program_find(&program);
    assert_string_not_equal(program.scenarios, "/some/where else");
}

static void scenarios_that_are_named_by_their_place_are_there(void **state)
{
    struct program program;
    struct stat about;

    (void)state;
    assert_int_equal(unsetenv("EDGEWISE_SCENARIOS"), 0);
    program_find(&program);
    if (*program.scenarios) {
        assert_int_equal(stat(program.scenarios, &about), 0);
        assert_true(S_ISDIR(about.st_mode));
    }
    assert_true(strcmp(program.bare, "edgewise") == 0 ||
                strcmp(program.bare + strlen(program.bare) - 4, "/run") == 0);
}

static void what_sudo_started_is_typed_behind_sudo(void **state)
{
    struct program program;

    (void)state;
    assert_int_equal(unsetenv("SUDO_UID"), 0);
    program_find(&program);
    assert_string_equal(program.command, program.bare);
    assert_int_equal(setenv("SUDO_UID", "1000", 1), 0);
    program_find(&program);
    if (geteuid() == 0)
        assert_memory_equal(program.command, "sudo ", 5);
    assert_string_equal(program.command + (geteuid() == 0 ? 5 : 0), program.bare);
    assert_int_equal(unsetenv("SUDO_UID"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_names_the_scenarios),
        cmocka_unit_test(scenarios_that_are_named_by_their_place_are_there),
        cmocka_unit_test(what_sudo_started_is_typed_behind_sudo),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
