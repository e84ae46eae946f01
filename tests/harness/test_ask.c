/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/model/ask.h"

static char error[ASK_ERROR_BYTES];

/* Parses words with blanks between them, in which `_` stands for a blank. */
static int parse(const char *text, struct ask *ret_ask)
{
    static char copy[512];
    char *argv[32] = {"model"};
    char *rest = NULL;
    int argc = 1;

    snprintf(copy, sizeof(copy), "%s", text);
    for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        for (char *blank = strchr(word, '_'); blank; blank = strchr(blank, '_'))
            *blank = ' ';
        argv[argc++] = word;
    }
    error[0] = '\0';
    return ask_parse(argc, argv, ret_ask, error);
}

static void nothing_asks_for_everything(void **state)
{
    static struct ask ask;

    (void)state;
    assert_int_equal(parse("", &ask), 0);
    assert_int_equal(ask.which, ASK_ALL);
    assert_int_equal(parse("--case all", &ask), 0);
    assert_int_equal(ask.which, ASK_ALL);
}

static void options_of_one_case_choose_it(void **state)
{
    static struct ask ask;

    (void)state;
    assert_int_equal(parse("--quantum 3 --attempts 4", &ask), 0);
    assert_int_equal(ask.which, ASK_READINESS);
    assert_int_equal(ask.readiness.quantum, 3);
    assert_int_equal(ask.readiness.attempts, 4);
    assert_int_equal(parse("--frames 2 --trigger lt", &ask), 0);
    assert_int_equal(ask.which, ASK_FRAMING);
    assert_int_equal(ask.framing.frames, 2);
    assert_int_equal(ask.framing.trigger, REACTOR_LT);
    assert_int_equal(parse("--early-lease", &ask), 0);
    assert_int_equal(ask.which, ASK_CANCELLATION);
    assert_true(ask.cancellation.early_lease);
}

static void budgets_reach_from_one_to_ten_thousand(void **state)
{
    static struct ask ask;

    (void)state;
    assert_int_equal(parse("--quantum 1 --attempts 10000", &ask), 0);
    assert_int_equal(ask.readiness.attempts, 10000);
    assert_int_equal(parse("--quantum 10000 --attempts 1", &ask), 0);
}

static void sources_are_read_before_what_is_said_of_them(void **state)
{
    static struct ask ask;

    (void)state;
    assert_int_equal(parse("--eof in --source in=a=b --eintr in=7 --late in=9", &ask), 0);
    assert_int_equal(ask.readiness.count, 1);
    assert_string_equal(ask.readiness.sources[0].name, "in");
    assert_int_equal(ask.readiness.sources[0].size, 3);
    assert_memory_equal(ask.readiness.sources[0].bytes, "a=b", 3);
    assert_int_equal(ask.readiness.sources[0].eintr, 7);
    assert_int_equal(ask.readiness.sources[0].round, 9);
    assert_int_equal(ask.readiness.sources[0].finish, READINESS_EOF);
    assert_int_equal(parse("--eintr A=always --fatal B", &ask), 0);
    assert_int_equal(ask.readiness.sources[0].eintr, READINESS_FOR_EVER);
    assert_int_equal(ask.readiness.sources[1].finish, READINESS_FATAL);
}

static void what_is_wrong_is_said_in_one_line(void **state)
{
    static const struct {
        const char *words;
        const char *said;
    } wrong[] = {
        {"--quantum 0", "--quantum wants a number from 1 to 10000, not '0'"},
        {"--quantum 10001", "--quantum wants a number from 1 to 10000, not '10001'"},
        {"--attempts -1", "--attempts wants a number from 1 to 10000, not '-1'"},
        {"--attempts 1.5", "--attempts wants a number from 1 to 10000, not '1.5'"},
        {"--quantum x", "--quantum wants a number from 1 to 10000, not 'x'"},
        {"--quantum 0x2", "--quantum wants a number from 1 to 10000, not '0x2'"},
        {"--quantum _1", "--quantum wants a number from 1 to 10000, not ' 1'"},
        {"--quantum=", "--quantum wants a number from 1 to 10000, not ''"},
        {"--quantum 4294967297", "--quantum wants a number from 1 to 10000, not '4294967297'"},
        {"--quantum", "--quantum wants N"},
        {"--case", "--case wants CASE"},
        {"--case framin", "--case: there is no 'framin'; did you mean framing?"},
        {"--case nothing", "--case: there is no 'nothing'; there is readiness, framing, "
                           "cancellation, all"},
        {"--quantun 3", "there is no option --quantun; did you mean --quantum?"},
        {"-x", "there is no option -x"},
        {"--no-requeue=1", "--no-requeue takes no value"},
        {"word", "there are no names to give, such as 'word'"},
        {"--case framing --quantum 2", "--quantum is no option of --case framing"},
        {"--attempts 2 --case cancellation", "--attempts is no option of --case cancellation"},
        {"--case all --quantum 2", "--quantum is no option of --case all"},
        {"--case readiness --frames 2", "--frames is no option of --case readiness"},
        {"--quantum 2 --frames 1", "--quantum and --frames are of different cases"},
        {"--trigger os", "--trigger: there is no 'os'; there is et, lt"},
        {"--source A", "--source wants NAME=BYTES, NAME of 1 to 8 letters and digits, such as "
                       "A=abcdef, not 'A'"},
        {"--source A=a --source A=b", "--source: there is a source 'A' already"},
        {"--eof C", "--eof wants the NAME of a source that does not end yet; there is no source "
                    "'C'"},
        {"--eof A --fatal A", "--fatal wants the NAME of a source that does not end yet, not 'A'"},
        {"--eintr A=0", "--eintr wants NAME=N, N from 1 to 10000 or always, not 'A=0'"},
        {"--eintr A=9999 --eintr B=2", "--eintr: 10000 at most, all sources together"},
        {"--late A", "--late wants NAME=N, N from 1 to 10000, not 'A'"},
        {"--capacity 4", "--capacity must hold the largest frame: 5 for --payload-max 3, not 4"},
        {"--mode suffix", "--mode: there is no 'suffix'; there is exact: a read never asks for "
                          "more than the present frame"},
        {"--script go", "--script: word 1, 'go': there is in:HEX, run[:N], consume[:N], eof, "
                        "reset, eintr:N, notify"},
        {"--events deadline", "--events: word 1, 'deadline': the first word is submit"},
        {"--defect no-requeu", "--defect: there is no 'no-requeu'; did you mean no-requeue?"},
        {"--defect no-requeue --events submit",
         "--defect and --events are of different cases"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
        static struct ask ask;

        assert_int_equal(parse(wrong[i].words, &ask), -22);
        assert_string_equal(error, wrong[i].said);
    }
}

static void sources_have_bounds(void **state)
{
    static char many[READINESS_NAME_MAX + 5000];
    static struct ask ask;
    char *argv[40] = {"model", "--source", many};

    (void)state;
    memset(many, 'a', sizeof(many) - 1);
    many[1] = '=';
    assert_int_equal(ask_parse(3, argv, &ask, error), -22);
    assert_string_equal(error, "--source: 4096 bytes at most, all sources together");
    for (int i = 0; i < 17; i++) {
        static char names[17][8];

        names[i][0] = (char)('A' + i);
        names[i][1] = '=';
        argv[1 + 2 * i] = "--source";
        argv[2 + 2 * i] = names[i];
    }
    assert_int_equal(ask_parse(33, argv, &ask, error), 0);
    assert_int_equal(ask.readiness.count, 16);
    assert_int_equal(ask_parse(35, argv, &ask, error), -22);
    assert_string_equal(error, "--source can be given 16 times at most");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_asks_for_everything),
        cmocka_unit_test(options_of_one_case_choose_it),
        cmocka_unit_test(budgets_reach_from_one_to_ten_thousand),
        cmocka_unit_test(sources_are_read_before_what_is_said_of_them),
        cmocka_unit_test(what_is_wrong_is_said_in_one_line),
        cmocka_unit_test(sources_have_bounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
