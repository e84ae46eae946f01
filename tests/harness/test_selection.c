/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/cli/selection.h"
#include "tests/support/shelf.h"

/* Selects by `options` below the tree; the lines that it says, one text, for free. */
static char *selects(struct options *options, struct selection *selection, int status)
{
    char scenarios[128];
    struct lines errors = {0};
    char *text;
    int came;

    (void)snprintf(scenarios, sizeof(scenarios), "%s/scenarios", shelf_root);
    came = selection_scripts(options, scenarios, selection, &errors);
    if (came == 0)
        came = selection_filter(selection, options, &errors);
    if (came == 0)
        came = selection_machine(selection, options, &errors);
    text = lines_join(&errors, NULL);
    if ((came == 0) != (status == 0))
        fail_msg("%d: %s", came, text);
    lines_free(&errors);
    return text;
}

static void says(struct options *options, const char *expected)
{
    struct selection selection;
    char *text = selects(options, &selection, -1);

    if (!strstr(text, expected))
        fail_msg("expected '%s' in '%s'", expected, text);
    selection_free(&selection);
    free(text);
}

static void runs_are_triggers_times_families(void **state)
{
    struct options options = {0};
    struct selection selection;

    (void)state;
    free(selects(&options, &selection, 0));
    assert_int_equal(selection.count, 2);
    assert_int_equal(selection_item_runs(&selection.items[0]), 4);
    assert_int_equal(selection_runs(&selection), 6);
    selection_free(&selection);
}

static void filters_take_runs_out_and_say_when_none_is_left(void **state)
{
    struct options options = {.families = 1u << PLAN_IPV6};
    struct selection selection;

    (void)state;
    free(selects(&options, &selection, 0));
    assert_int_equal(selection.count, 1);
    assert_int_equal(selection_runs(&selection), 2);
    selection_free(&selection);
    options.triggers = 1u << REACTOR_OS;
    says(&options, "leave nothing to run; what was chosen runs as et lt over ipv4 ipv6");
}

static void a_file_given_twice_is_one(void **state)
{
    char path[128];
    char *operands[] = {"x/one", path, NULL};
    struct options options = {.operands = operands, .operand_count = 2};
    struct selection selection;

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/scenarios/x/one.scn", shelf_root);
    free(selects(&options, &selection, 0));
    assert_int_equal(selection.count, 1);
    selection_free(&selection);
}

static void a_file_that_is_not_there_has_a_place_and_a_remedy(void **state)
{
    char *operands[] = {"no/where.scn", NULL};
    struct options options = {.operands = operands, .operand_count = 1};

    (void)state;
    says(&options, "no/where.scn:1:1: cannot be read: No such file or directory; give the path");
}

static void a_wrong_setting_is_told_once(void **state)
{
    struct options options = {.sets = {"quantum.bytes=0"}, .set_count = 1};
    struct selection selection;
    char *text = selects(&options, &selection, -1);

    (void)state;
    assert_non_null(strstr(text, " (and in 1 more scripts)\n"));
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    selection_free(&selection);
    free(text);
}

static void a_congestion_control_that_nobody_has_is_a_mistake(void **state)
{
    char *operands[] = {"x/one", NULL};
    struct options options = {.operands = operands, .operand_count = 1};
    struct selection selection;

    (void)state;
    if (access("/proc/sys/net/ipv4/tcp_available_congestion_control", R_OK) < 0) {
        print_message("this kernel does not list its congestion controls\n");
        skip();
    }
    shelf_put("one", "topology\n  link sut peer\n  family ipv4\n  socket congestion=nosuch\n"
                     SHELF_REST);
    says(&options, "one.scn:6:21: socket.congestion: this kernel has no 'nosuch'; it has ");
    options.sets[0] = "socket.congestion=reno"; /* the last one holds */
    options.set_count = 1;
    free(selects(&options, &selection, 0));
    selection_free(&selection);
    options.sets[0] = "socket.congestion=nosuch";
    says(&options, "--set socket.congestion=nosuch: socket.congestion: this kernel has no ");
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, shelf_make, shelf_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREE(runs_are_triggers_times_families),
        IN_TREE(filters_take_runs_out_and_say_when_none_is_left),
        IN_TREE(a_file_given_twice_is_one),
        IN_TREE(a_file_that_is_not_there_has_a_place_and_a_remedy),
        IN_TREE(a_wrong_setting_is_told_once),
        IN_TREE(a_congestion_control_that_nobody_has_is_a_mistake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
