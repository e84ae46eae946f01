/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/help.h"

/* What help_program or help_verb prints; the caller frees it. */
static char *program(const char *command)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    help_program(out, command);
    fclose(out);
    return text;
}

static char *verb(const char *name)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    help_verb(out, "./run", verbs_find(name));
    fclose(out);
    return text;
}

static void every_verb_is_listed(void **state)
{
    char *text = program("./run");

    (void)state;
    for (size_t i = 0; i < verbs_count(); i++)
        assert_non_null(strstr(text, verbs_table[i].summary));
    free(text);
}

static void only_a_checkout_has_tests(void **state)
{
    char *checkout = program("./run");
    char *installed = program("edgewise");

    (void)state;
    assert_non_null(strstr(checkout, "  test "));
    assert_null(strstr(installed, "  test "));
    free(checkout);
    free(installed);
}

static void a_verb_has_its_options_and_no_other(void **state)
{
    char *scenario = verb("scenario");
    char *list = verb("list");
    char *help = verb("help");
    char *model = verb("model");

    (void)state;
    assert_memory_equal(scenario, "usage: ./run scenario [OPTION...] [NAME...]\n", 44);
    assert_non_null(strstr(scenario, "--bless"));
    assert_non_null(strstr(scenario, "Exit status: 0"));
    assert_null(strstr(list, "--bless"));
    assert_non_null(strstr(list, "--names"));
    assert_memory_equal(help, "usage: ./run help [VERB]\n", 25);
    free(scenario);
    free(list);
    assert_memory_equal(model, "usage: ./run model [OPTION...]\n", 31);
    assert_non_null(strstr(model, "--early-lease"));
    assert_null(strstr(model, "--bless"));
    free(help);
    free(model);
}

static void help_of_no_verb_is_wrong_usage(void **state)
{
    char *words[] = {"help", "nothing", NULL};
    struct options options = {.operands = words + 1, .operand_count = 1};
    struct program where = {.bare = "./run"};
    char *text = NULL;
    size_t size;
    struct verbs_call call = {.words = words, .options = &options, .program = &where};

    (void)state;
    call.out = open_memstream(&text, &size);
    assert_int_equal(help_run(&call), STATUS_USAGE);
    words[1] = "doctor";
    assert_int_equal(help_run(&call), STATUS_OK);
    fclose(call.out);
    assert_memory_equal(text, "usage: ./run doctor", 19);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_verb_is_listed),
        cmocka_unit_test(only_a_checkout_has_tests),
        cmocka_unit_test(a_verb_has_its_options_and_no_other),
        cmocka_unit_test(help_of_no_verb_is_wrong_usage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
