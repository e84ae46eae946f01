/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "harness/cli/list.h"
#include "harness/sut/defects.h"
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

static void the_defects_need_no_scenarios(void **state)
{
    struct options options = {.defects = true};
    char *text = lists(&options, NULL, STATUS_OK);

    (void)state;
    assert_non_null(strstr(text, "no-requeue  R-NEG-01 R-NEG-02, table cell\n"
                                 "    without  a source that a budget stops goes back to the "
                                 "ready queue\n"
                                 "    wrong    cdef of A stays unread for ever; "
                                 "level-triggered, A is completed by\n"
                                 "             repeated notices alone, and nobody "
                                 "sees EAGAIN\n"));
    assert_non_null(strstr(text, "    shown    readiness/six-quanta, et lt os\n"));
    assert_non_null(strstr(text, "    shown    readiness/six-quanta, lt\n"
                                 "    not else one arrival gives "));
    assert_non_null(strstr(text, "\n18 defects; "));
    free(text);
}

static void the_defects_are_one_document_too(void **state)
{
    struct options options = {.defects = true, .json = true};
    char *text = lists(&options, NULL, STATUS_OK);
    json_t *root = json_loads(text, 0, NULL);
    const json_t *defects = json_object_get(root, "defects");
    const json_t *first = json_array_get(defects, 0);

    (void)state;
    assert_int_equal(json_array_size(defects), DEFECTS_COUNT - 1);
    assert_string_equal(json_string_value(json_object_get(first, "defect")), "no-requeue");
    assert_string_equal(json_string_value(json_object_get(first, "form")), "table cell");
    assert_string_equal(json_string_value(json_object_get(first, "scenario")),
                        "readiness/six-quanta");
    assert_int_equal(json_array_size(json_object_get(first, "triggers")), 3);
    json_decref(root);
    free(text);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, shelf_make, shelf_remove)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREE(names_stand_alone),
        IN_TREE(each_says_how_it_runs),
        IN_TREE(the_defects_need_no_scenarios),
        IN_TREE(the_defects_are_one_document_too),
        IN_TREE(json_is_one_document_right_or_wrong),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
