/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/parser.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/script.h"

static const char example[] =
    "scenario framing/one-frame-per-quantum\n"
    "about    \"A released frame wakes the paused reader; no new edge does.\"\n"
    "covers   R-F-07 R-F-11 R-F-13 W6\n"
    "topology\n"
    "  link     sut peer\n"
    "  family   ipv4 ipv6                      # one run per word, and per trigger\n"
    "reactor\n"
    "  trigger  et lt os\n"
    "  quantum  bytes=9 attempts=2 frames=1\n"
    "  frame    header=2 payload=3\n"
    "  capacity 9\n"
    "  app      sink consume=manual\n"
    "peers\n"
    "  c  tcp\n"
    "timeline\n"
    "  0ms  c connect\n"
    "  1ms  c send 00\n"
    "  2ms  c send 03 43 41\n"
    "  3ms  c send 54 00 02 4f 4b\n"
    "  4ms  sut consume c\n"
    "  5ms  sut consume c\n"
    "  6ms  c shutdown write\n"
    "expect\n"
    "  c  frames \"CAT\" \"OK\"\n"
    "  c  end clean\n"
    "  c  peak 9\n";

static struct plan *example_plan(void)
{
    struct parser_input input = {.path = "scenarios/framing/one-frame-per-quantum.scn",
                                 .text = example,
                                 .size = strlen(example)};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;

    assert_int_equal(parser_parse(&input, &plan, &mistakes), 0);
    assert_int_equal(mistakes.lines.count, 0);
    return plan;
}

static void the_example_says_who_it_is(void **state)
{
    struct plan *plan = example_plan();

    (void)state;
    assert_string_equal(plan->file, "scenarios/framing/one-frame-per-quantum.scn");
    assert_string_equal(plan->name, "framing/one-frame-per-quantum");
    assert_string_equal(plan->about, "A released frame wakes the paused reader; no new edge does.");
    assert_int_equal(plan->cover_count, 4);
    assert_string_equal(plan->covers[0], "R-F-07");
    assert_string_equal(plan->covers[3], "W6");
    assert_int_equal(plan->peer_count, 1);
    assert_string_equal(plan->peers[0].name, "c");
    assert_int_equal(plan->peers[0].place.line, 14);
    plan_free(plan);
}

static void the_example_sets_up_its_reactor(void **state)
{
    struct plan *plan = example_plan();

    (void)state;
    assert_int_equal(plan->families, 1u << PLAN_IPV4 | 1u << PLAN_IPV6);
    assert_int_equal(plan->triggers, 1u << REACTOR_ET | 1u << REACTOR_LT | 1u << REACTOR_OS);
    assert_int_equal(plan->limits.bytes, 9);
    assert_int_equal(plan->limits.attempts, 2);
    assert_int_equal(plan->limits.frames, 1);
    assert_int_equal(plan->limits.items, 0);
    assert_int_equal(plan->format.header, 2);
    assert_int_equal(plan->format.payload_max, 3);
    assert_int_equal(plan->capacity, 9);
    assert_int_equal(plan->consume, PLAN_CONSUME_MANUAL);
    assert_int_equal(plan->collect, 64);
    assert_true(plan->requeue);
    assert_int_equal(plan->reaction_count, 0);
    plan_free(plan);
}

static void the_example_has_its_timeline_and_claims(void **state)
{
    static const enum plan_verb verbs[] = {PLAN_CONNECT, PLAN_SEND,    PLAN_SEND,    PLAN_SEND,
                                           PLAN_CONSUME, PLAN_CONSUME, PLAN_SHUTDOWN};
    struct plan *plan = example_plan();

    (void)state;
    assert_int_equal(plan->statement_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(plan->statements[i].verb, verbs[i]);
        assert_int_equal(plan->statements[i].at.ns, i * 1000000);
        assert_int_equal(plan->statements[i].place.line, 16 + i);
        assert_int_equal(plan->statements[i].place.column, 8);
        assert_int_equal(plan->statements[i].peer, 0);
    }
    assert_int_equal(plan->statements[3].bytes.size, 5);
    assert_memory_equal(plan->statements[3].bytes.data, "T\0\2OK", 5);
    assert_int_equal(plan->statements[4].count, 1);
    assert_int_equal(plan->statements[6].how, PLAN_HOW_WRITE);
    assert_int_equal(plan->expect_count, 3);
    assert_int_equal(plan->expects[0].kind, PLAN_EXPECT_FRAMES);
    assert_int_equal(plan->expects[0].item_count, 2);
    assert_memory_equal(plan->expects[0].items[1].data, "OK", 2);
    assert_int_equal(plan->expects[1].outcome, READER_END_CLEAN);
    assert_int_equal(plan->expects[2].value, 9);
    assert_int_equal(plan->expects[2].triggers, plan->triggers);
    plan_free(plan);
}

static void a_plan_keeps_nothing_of_its_text(void **state)
{
    char *text = script_text(NULL, NULL);
    char path[] = "t.scn";
    struct parser_input input = {.path = path, .text = text, .size = strlen(text)};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;

    (void)state;
    assert_int_equal(parser_parse(&input, &plan, &mistakes), 0);
    memset(text, 'x', strlen(text));
    memset(path, 'x', strlen(path));
    free(text);
    assert_string_equal(plan->file, "t.scn");
    assert_string_equal(plan->name, "t/base");
    assert_string_equal(plan->about, "A base.");
    assert_string_equal(plan->peers[1].name, "d");
    assert_memory_equal(plan->statements[2].bytes.data, "\0\3CAT", 5);
    assert_memory_equal(plan->expects[0].items[0].data, "CAT", 3);
    plan_free(plan);
}

static void mistakes_are_collected_up_to_a_bound(void **state)
{
    char text[4096] = "scenario t/a\nabout \"A.\"\ntopology\n";
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;
    struct parser_input input = {.path = "t.scn", .text = text};

    (void)state;
    for (int i = 0; i < 30; i++)
        strncat(text, "  wrong word\n", sizeof(text) - strlen(text) - 1);
    input.size = strlen(text);
    assert_int_equal(parser_parse(&input, &plan, &mistakes), -EINVAL);
    assert_int_equal(mistakes.lines.count, MISTAKES_MAX);
    assert_int_equal(mistakes.more, 30 + 4 - MISTAKES_MAX); /* four sections are missing */
    mistakes_free(&mistakes);
}

static void a_file_that_cannot_be_read_is_a_mistake_at_its_start(void **state)
{
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;

    (void)state;
    assert_int_equal(parser_load("/nowhere/x.scn", NULL, 0, &plan, &mistakes), -EINVAL);
    assert_int_equal(mistakes.lines.count, 1);
    assert_string_equal(mistakes.lines.line[0],
                        "/nowhere/x.scn:1:1: cannot be read: No such file or directory; "
                        "give the path of a file that is there");
    mistakes_free(&mistakes);
    assert_int_equal(parser_load("/", NULL, 0, &plan, &mistakes), -EINVAL);
    assert_string_equal(mistakes.lines.line[0],
                        "/:1:1: cannot be read: this is a directory; give a file");
    mistakes_free(&mistakes);
    assert_null(plan);
}

/* A cut script is never a crash, and never correct before its last expectation. */
static void every_prefix_of_a_script_is_told_apart(void **state)
{
    (void)state;
    for (size_t size = 0; size + 1 < sizeof(example); size++) {
        char *mistakes = script_mistakes(example, size, NULL, 0);
        bool whole = size > 0 && example[size - 1] == '\n' &&
                     size > (size_t)(strstr(example, "CAT") - example);

        assert_int_equal(mistakes == NULL, whole);
        free(mistakes);
    }
}

static const struct script_case mistaken[] = {
    {"scenario t/base", "scenaro t/base",
     "1:1: unknown section 'scenaro'; did you mean 'scenario'?"},
    {"reactor\n", "reaktor\n", "6:1: unknown section 'reaktor'; did you mean 'reactor'?"},
    {"topology\n", "topology now\n", "3:10: 'now' is too much; write 'topology'"},
    {"about    \"A base.\"\n", "", "23:1: section about is missing; a script needs it"},
    {"about    \"A base.\"\n", "about \"A base.\"\nabout \"Twice.\"\n",
     "3:1: about is said twice; keep one, the first is in line 2"},
    {"about    \"A base.\"", "about A", "2:7: 'A' is no text in quotes; write about \"TEXT\""},
    {"about    \"A base.\"", "about \"\"", "2:7: '' is no text in quotes; write about \"TEXT\""},
    {"about    \"A base.\"", "about \"A\" \"B\"", "2:11: 'B' is too much; write 'about \"TEXT\"'"},
    {"about    \"A base.\"", "about", "2:6: a word is missing; write 'about \"TEXT\"'"},
    {"about    \"A base.\"\n", "about \"A base.\"\ncovers\n",
     "3:7: a word is missing; write 'covers WORD ...'"},
    {"about    \"A base.\"\n", "covers X\nabout \"A base.\"\n",
     "3:1: section about comes too late; write it before covers, line 2"},
    {"scenario t/base\n", "  scenario t/base\n",
     "1:3: an indented line in no section; begin a section at the left edge\n24:1: section "
     "scenario is missing; a script needs it"},
    {"scenario t/base", "scenario base",
     "1:10: bad name 'base'; write TOPIC/BEHAVIOUR in small letters, digits and hyphens"},
    {"scenario t/base", "scenario T/base",
     "1:10: bad name 'T/base'; write TOPIC/BEHAVIOUR in small letters, digits and hyphens"},
    {"scenario t/base", "scenario t/base/x",
     "1:10: bad name 't/base/x'; write TOPIC/BEHAVIOUR in small letters, digits and hyphens"},
    {"scenario t/base", "scenario", "1:9: a word is missing; write 'scenario TOPIC/BEHAVIOUR'"},
    {"peers\n  c tcp\n  d tcp\n", "peers\n", "14:7: unknown peer 'c'; declare it in section peers"},
    {"  0ms c connect\n  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n  "
     "3ms c shutdown write\n",
     "", "19:1: no statement; write one in timeline"},
    {"  c frames \"CAT\"\n  c end clean\n", "", "22:1: no expectation; write one in expect"},
    {"expect\n", "timeline\n",
     "21:1: timeline is said twice; keep one, the first is in line 15\n24:1: section "
     "expect is missing; a script needs it"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_says_who_it_is),
        cmocka_unit_test(the_example_sets_up_its_reactor),
        cmocka_unit_test(the_example_has_its_timeline_and_claims),
        cmocka_unit_test(a_plan_keeps_nothing_of_its_text),
        cmocka_unit_test(mistakes_are_collected_up_to_a_bound),
        cmocka_unit_test(a_file_that_cannot_be_read_is_a_mistake_at_its_start),
        cmocka_unit_test(every_prefix_of_a_script_is_told_apart),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
