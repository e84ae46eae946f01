/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/options.h"
#include "harness/cli/verbs.h"
#include "harness/result.h"

#define WORDS_MAX 80

static struct options options;
static struct options_error error;
/* What options point into. */
static char *words[WORDS_MAX + 1];

/* Reads a command line whose words are parted by `|`. */
static int parse(unsigned verb, const char *line)
{
    static char text[4096];
    int count = 0;

    snprintf(text, sizeof(text), "%s", line);
    for (char *rest = text, *word; (word = strsep(&rest, "|")) && count < WORDS_MAX;)
        words[count++] = word;
    assert_true(count < WORDS_MAX);
    words[count] = NULL;
    memset(&error, 0, sizeof(error));
    return options_parse(verb, count, words, &options, &error);
}

static void accept(const char *line)
{
    if (parse(OPTIONS_SCENARIO, line) < 0)
        fail_msg("%s: %s", line, error.text);
}

static void refuse(const char *line, const char *why)
{
    assert_int_not_equal(parse(OPTIONS_SCENARIO, line), 0);
    if (!strstr(error.text, why))
        fail_msg("%s: expected '%s' in '%s'", line, why, error.text);
}

static void says_nothing_means_the_defaults(void **state)
{
    (void)state;
    accept("scenario|framing");
    assert_int_equal(options.operand_count, 1);
    assert_string_equal(options.operands[0], "framing");
    assert_int_equal(options.worlds, 0);
    assert_int_equal(options.triggers, 0);
    assert_int_equal(options.families, 0);
    assert_string_equal(options.out, "out");
    assert_int_equal(options.retries, 2);
    assert_false(options.seed_given);
    assert_false(options.json || options.verbose || options.quiet || options.bless);
    assert_int_equal(options.jobs, 1);
    assert_int_equal(options.repeat, 0);
    assert_int_equal(options.timeout.ns, 0);
    assert_int_equal(options.skip_code, 4);
    assert_null(options.junit);
    assert_false(options.until_fail || options.shuffle || options.fail_fast);
}

static void takes_options_and_names_in_any_order(void **state)
{
    (void)state;
    accept("scenario|a|--trigger|et,os|b|--family=ipv6|-v|--out|o|c");
    assert_int_equal(options.operand_count, 3);
    assert_string_equal(options.operands[2], "c");
    assert_int_equal(options.triggers, 1u << REACTOR_ET | 1u << REACTOR_OS);
    assert_int_equal(options.families, 1u << PLAN_IPV6);
    assert_string_equal(options.out, "o");
    assert_true(options.verbose);
}

static void takes_everything_behind_two_dashes_as_names(void **state)
{
    (void)state;
    accept("scenario|-q|--|-v|--json");
    assert_int_equal(options.operand_count, 2);
    assert_string_equal(options.operands[0], "-v");
    assert_true(options.quiet);
    assert_false(options.json);
}

static void takes_lists_with_commas_blanks_or_twice(void **state)
{
    (void)state;
    accept("scenario|--trigger|et lt|--trigger=,os,|x");
    assert_int_equal(options.triggers, 7);
    accept("scenario|--world|all|x");
    assert_int_equal(options.worlds, (1u << RESULT_WORLD_COUNT) - 1);
    accept("scenario|--world=veth|x");
    assert_int_equal(options.worlds, 1u << RESULT_WORLD_VETH);
    accept("scenario|--world|sim|x");
    assert_int_equal(options.worlds, 1u << RESULT_WORLD_SIM);
}

static void refuses_unknown_words_and_names_the_known(void **state)
{
    (void)state;
    refuse("scenario|--trigger|xt", "--trigger: there is no 'xt'; there is et, lt, os");
    refuse("scenario|--trigger|et,,ltt", "'ltt'");
    refuse("scenario|--family|ipv5", "there is ipv4, ipv6, unix, pipe");
    refuse("scenario|--world|moon", "there is no 'moon'; there is veth, sim");
    refuse("scenario|--trigger=", "there is no ''");
    refuse("scenario|--trigger=, ,", "there is no ''");
}

static void takes_seeds_of_64_bits_in_both_notations(void **state)
{
    (void)state;
    accept("scenario|--seed|42|x");
    assert_true(options.seed_given);
    assert_int_equal(options.seed, 42);
    accept("scenario|--seed|0xffffffffffffffff|x");
    assert_true(options.seed == UINT64_MAX);
    accept("scenario|--seed|010|x");
    assert_int_equal(options.seed, 10);
}

static void refuses_what_is_no_number(void **state)
{
    (void)state;
    refuse("scenario|--seed|-1", "not '-1'");
    refuse("scenario|--seed", "wants N");
    refuse("scenario|--seed=", "not ''");
    refuse("scenario|--seed|0x", "not '0x'");
    refuse("scenario|--seed|1 ", "not '1 '");
    refuse("scenario|--seed|18446744073709551616", "64 bits");
    refuse("scenario|--retries|1001", "up to 1000");
    refuse("scenario|--retries|two", "not 'two'");
}

static void takes_how_many_runs_there_are_and_how_they_end(void **state)
{
    (void)state;
    accept("scenario|-j|2|--repeat|1000000|--shuffle|--until-fail|--fail-fast|x");
    assert_int_equal(options.jobs, 2);
    assert_int_equal(options.repeat, 1000000);
    assert_true(options.shuffle && options.until_fail && options.fail_fast);
    accept("scenario|-j64|--skip-code|77|--junit|a/b.xml|--tap|x");
    assert_int_equal(options.jobs, 64);
    assert_int_equal(options.skip_code, 77);
    assert_string_equal(options.junit, "a/b.xml");
    assert_true(options.tap);
    refuse("scenario|-j|x", "--jobs wants a number from 1 to 64, not 'x'");
    refuse("scenario|-j", "--jobs wants N");
    refuse("scenario|--jobs=65|x", "from 1 to 64");
    refuse("scenario|--repeat|0|x", "--repeat wants a number from 1 to 1000000");
    refuse("scenario|--skip-code|256|x", "from 0 to 255");
    refuse("scenario|--junit=|x", "--junit wants a file");
}

static void takes_times_with_their_unit(void **state)
{
    (void)state;
    accept("scenario|--timeout|500ms|x");
    assert_int_equal(options.timeout.ns, 500000000);
    accept("scenario|--timeout|30s|x");
    assert_int_equal(options.timeout.ns, INT64_C(30000000000));
    accept("scenario|--timeout|1440m|x");
    assert_int_equal(options.timeout.ns, INT64_C(86400000000000));
    refuse("scenario|--timeout|30|x", "such as 500ms, 30s or 2m, not '30'");
    refuse("scenario|--timeout|0s|x", "not '0s'");
    refuse("scenario|--timeout|s|x", "not 's'");
    refuse("scenario|--timeout|1.5s|x", "not '1.5s'");
    refuse("scenario|--timeout|1441m|x", "to 1440m");
    refuse("scenario|--timeout|99999999999999999999999s|x", "--timeout wants");
    refuse("scenario|--timeout|18446744073709552s|x", "--timeout wants");
}

static void keeps_settings_in_order_and_bounds_them(void **state)
{
    char line[2048] = "scenario";

    (void)state;
    accept("scenario|--set|capacity=9|--set=quantum.bytes=4|x");
    assert_int_equal(options.set_count, 2);
    assert_string_equal(options.sets[0], "capacity=9");
    assert_string_equal(options.sets[1], "quantum.bytes=4");
    refuse("scenario|--set|capacity", "KEY=VALUE");
    refuse("scenario|--set|=9", "KEY=VALUE");
    for (int i = 0; i <= OPTIONS_SETS_MAX; i++)
        snprintf(line + strlen(line), sizeof(line) - strlen(line), "|--set=a=b");
    refuse(line, "64 times at most");
}

static void refuses_options_of_other_verbs_and_offers_the_nearest(void **state)
{
    (void)state;
    refuse("scenario|--tigger|et", "no option --tigger; did you mean --trigger?");
    refuse("scenario|--jsom", "did you mean --json?");
    refuse("scenario|--xyzzy", "there is no option --xyzzy");
    assert_null(strstr(error.text, "did you mean"));
    refuse("scenario|-x", "there is no option -x");
    refuse("scenario|--names", "there is no option --names");
    refuse("scenario|--json=1", "--json takes no value");
    refuse("scenario|--out", "--out wants DIR");
    assert_int_equal(parse(OPTIONS_LIST, "list|--names"), 0);
    assert_true(options.names);
    assert_int_not_equal(parse(OPTIONS_DOCTOR, "doctor|--bless"), 0);
    assert_int_equal(parse(OPTIONS_NONE, "help|-h"), 0);
    assert_true(options.help);
}

static void refuses_what_excludes_each_other(void **state)
{
    (void)state;
    refuse("scenario|-q|-v|x", "exclude each other");
    refuse("scenario|--bless|--trigger|et|x", "--bless runs every trigger");
    refuse("scenario|--bless|--set|a=b|x", "--bless runs every trigger");
    refuse("scenario|--bless|--world|sim|x", "--bless writes what the real kernel does");
    refuse("scenario|--bless|--world|all|x", "--bless writes what the real kernel does");
    accept("scenario|--bless|--world|veth|x");
    refuse("scenario|--bless|--repeat|2|x", "--bless makes each run once");
    refuse("scenario|--bless|--fail-fast|x", "--bless makes each run once");
    refuse("scenario|--json|--tap|x", "--json, --json-lines and --tap exclude each other");
    refuse("scenario|--json-lines|--tap|x", "exclude each other");
    assert_int_not_equal(parse(OPTIONS_LIST, "list|--names|--json"), 0);
}

static void leaves_the_result_alone_after_an_error(void **state)
{
    (void)state;
    accept("scenario|--seed|7|x");
    refuse("scenario|--seed|8|--nothing", "--nothing");
    assert_int_equal(options.seed, 7);
}

/* What options_repeat prints for a command line. */
static void repeats(const char *line, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    accept(line);
    options_repeat(out, &options);
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
}

static void a_defect_goes_by_its_name_and_brings_its_scenario(void **state)
{
    (void)state;
    accept("scenario|framing|--defect|no-requeue");
    assert_string_equal(options.defect, "no-requeue");
    assert_int_equal(options.operand_count, 1);
    assert_string_equal(options.operands[0], "framing");
    accept("scenario|--defect=no-requeue");
    assert_int_equal(options.operand_count, 1);
    assert_string_equal(options.operands[0], "readiness/six-quanta");
    accept("scenario|framing");
    assert_null(options.defect);
    refuse("scenario|--defect|no-requeu",
           "--defect: there is no 'no-requeu'; did you mean no-requeue?");
    refuse("scenario|--defect|zzzzzzzz", "--defect: there is no 'zzzzzzzz'; list --defects names");
    refuse("scenario|framing|--defect|no-requeue|--bless", "--bless writes what is right");
    assert_int_not_equal(parse(OPTIONS_LIST, "list|--defects|framing"), 0);
    assert_int_not_equal(parse(OPTIONS_LIST, "list|--defects|--names"), 0);
    assert_int_equal(parse(OPTIONS_LIST, "list|--defects|--json"), 0);
    assert_true(options.defects);
}

static void repeats_what_was_chosen_for_a_shell(void **state)
{
    (void)state;
    repeats("scenario|framing", " framing");
    repeats("scenario|-v|ends/*paused|--family|ipv6|--trigger|os,et|--seed|1",
            " 'ends/*paused' --trigger et,os --family ipv6");
    repeats("scenario|it's|--set|a=$b", " 'it'\\''s' --set 'a=$b'");
    repeats("scenario|--|-x.scn", " ./-x.scn");
    repeats("scenario|a|--defect|no-dedup|--trigger|lt", " a --defect no-dedup --trigger lt");
    repeats("scenario|x|-j2|--repeat|3|--until-fail|--shuffle|--fail-fast|--timeout|2s",
            " x -j 2 --repeat 3 --until-fail --timeout 2000ms --shuffle --fail-fast");
}

static void prints_help_for_each_option_of_a_verb(void **state)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    options_help(out, OPTIONS_LIST);
    fclose(out);
    assert_string_equal(text,
                        "      --defects            the rules that can be taken away, and what "
                        "goes wrong\n"
                        "      --names              the bare names, one a line\n"
                        "      --json               one JSON document on standard output\n"
                        "      --no-color           no colours (as NO_COLOR=1 and CI=1)\n"
                        "  -h, --help               this text\n");
    free(text);
}

static void finds_the_verb_that_was_meant(void **state)
{
    (void)state;
    assert_string_equal(verbs_nearest("scenarios")->name, "scenario");
    assert_string_equal(verbs_nearest("docter")->name, "doctor");
    assert_string_equal(verbs_nearest("lsit")->name, "list");
    assert_null(verbs_nearest("explore"));
    assert_null(verbs_nearest(""));
    assert_null(verbs_find("scenarios"));
    assert_non_null(verbs_find("help"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_nothing_means_the_defaults),
        cmocka_unit_test(takes_options_and_names_in_any_order),
        cmocka_unit_test(takes_everything_behind_two_dashes_as_names),
        cmocka_unit_test(takes_lists_with_commas_blanks_or_twice),
        cmocka_unit_test(refuses_unknown_words_and_names_the_known),
        cmocka_unit_test(takes_seeds_of_64_bits_in_both_notations),
        cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(takes_how_many_runs_there_are_and_how_they_end),
        cmocka_unit_test(takes_times_with_their_unit),
        cmocka_unit_test(keeps_settings_in_order_and_bounds_them),
        cmocka_unit_test(refuses_options_of_other_verbs_and_offers_the_nearest),
        cmocka_unit_test(refuses_what_excludes_each_other),
        cmocka_unit_test(leaves_the_result_alone_after_an_error),
        cmocka_unit_test(a_defect_goes_by_its_name_and_brings_its_scenario),
        cmocka_unit_test(repeats_what_was_chosen_for_a_shell),
        cmocka_unit_test(prints_help_for_each_option_of_a_verb),
        cmocka_unit_test(finds_the_verb_that_was_meant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
