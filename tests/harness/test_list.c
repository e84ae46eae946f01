/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/list.h"
#include "tests/support/shelf.h"

/* What `list` prints about one pattern, for free. */
static char *lists(struct options *options, char *pattern, int status)
{
    char *operands[] = {pattern, NULL};
    struct program program = {.bare = "./run"};
    struct verbs_call call = {.words = operands, .options = options, .program = &program};
    char *text = NULL;
    size_t size;

    options->operands = operands;
    options->operand_count = pattern ? 1 : 0;
    (void)snprintf(program.scenarios, sizeof(program.scenarios), "%s/scenarios", shelf_root);
    call.out = open_memstream(&text, &size);
    assert_int_equal(list_run(&call), status);
    fclose(call.out);
    return text;
}

static void names_stand_alone(void **state)
{
    struct options options = {.names = true};
    char *text = lists(&options, NULL, STATUS_OK);

    (void)state;
    assert_string_equal(text, "x/one\nx/two\n");
    free(text);
    text = lists(&options, "no/where.scn", STATUS_USAGE);
    assert_string_equal(text, "");
    free(text);
}

static void each_says_how_it_runs(void **state)
{
    struct options options = {0};
    char *text = lists(&options, NULL, STATUS_OK);

    (void)state;
    assert_string_equal(text, "x/one\n    a\n    et lt x ipv4 ipv6\n"
                              "x/two\n    a\n    et lt x ipv4\n\n2 scenarios, 6 runs\n");
    free(text);
}

static void json_is_one_document_right_or_wrong(void **state)
{
    struct options options = {.json = true};
    char *text = lists(&options, "x/two", STATUS_OK);

    (void)state;
    assert_non_null(strstr(text, "\"scenario\": \"x/two\""));
    assert_null(strstr(text, "\"error\""));
    free(text);
    shelf_put("two", "broken\n");
    text = lists(&options, NULL, STATUS_USAGE);
    assert_null(strstr(text, "\"scenario\":"));
    assert_non_null(strstr(text, "\"exit\": 2,"));
    free(text);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, shelf_make, shelf_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREE(names_stand_alone),
        IN_TREE(each_says_how_it_runs),
        IN_TREE(json_is_one_document_right_or_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
