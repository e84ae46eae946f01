/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/expectation.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/script.h"

#define ALL (1u << REACTOR_ET | 1u << REACTOR_LT | 1u << REACTOR_OS)

/* The plan with `lines` in place of line 23: what they claim begins at index 1. */
static struct plan *with(const char *lines)
{
    return script_accept("  c end clean\n", lines);
}

static void assert_item(const struct plan_expect *expect, uint32_t i, const char *text, size_t size)
{
    assert_true(i < expect->item_count);
    assert_int_equal(expect->items[i].size, size);
    if (size > 0)
        assert_memory_equal(expect->items[i].data, text, size);
    else
        assert_null(expect->items[i].data);
}

static void each_word_of_frames_is_one_frame(void **state)
{
    struct plan *plan = with("  d frames \"\" \"A\" 4243 pattern:3\n");
    const struct plan_expect *expect = &plan->expects[1];

    (void)state;
    assert_int_equal(expect->kind, PLAN_EXPECT_FRAMES);
    assert_int_equal(expect->peer, 1);
    assert_int_equal(expect->place.line, 23);
    assert_int_equal(expect->triggers, ALL);
    assert_int_equal(expect->item_count, 4);
    assert_item(expect, 0, "", 0);
    assert_item(expect, 1, "A", 1);
    assert_item(expect, 2, "BC", 2);
    assert_item(expect, 3, "\0\1\2", 3);
    plan_free(plan);
    plan = with("  d frames none\n");
    assert_int_equal(plan->expects[1].item_count, 0);
    plan_free(plan);
}

static void received_bytes_are_one_run(void **state)
{
    struct plan *plan = with("  c received \"ab\" 63\n  d received none\n");

    (void)state;
    assert_int_equal(plan->expects[1].kind, PLAN_EXPECT_RECEIVED);
    assert_int_equal(plan->expects[1].item_count, 1);
    assert_item(&plan->expects[1], 0, "abc", 3);
    assert_int_equal(plan->expects[2].item_count, 1);
    assert_item(&plan->expects[2], 0, "", 0);
    plan_free(plan);
}

static void every_outcome_can_be_expected(void **state)
{
    static const char *const lines[] = {
        [READER_END_NONE] = "  c end none\n",
        [READER_END_CLEAN] = "  c end clean\n",
        [READER_END_TRUNCATED] = "  c end truncated\n",
        [READER_END_OVERSIZE] = "  c end oversize\n",
        [READER_END_RESET] = "  c end reset\n",
        [READER_END_ERROR] = "  c end error ETIMEDOUT\n",
    };

    (void)state;
    for (int i = 0; i < READER_END_COUNT; i++) {
        struct plan *plan = with(lines[i]);

        assert_int_equal(plan->expects[1].kind, PLAN_EXPECT_END);
        assert_int_equal(plan->expects[1].outcome, i);
        assert_int_equal(plan->expects[1].error, i == READER_END_ERROR ? ETIMEDOUT : 0);
        plan_free(plan);
    }
}

static void figures_are_of_a_peer_or_of_the_sut(void **state)
{
    static const struct {
        const char *text;
        enum plan_expect_kind kind;
        uint32_t peer;
        uint64_t value;
    } cases[] = {
        {"  c peak 9\n", PLAN_EXPECT_PEAK, 0, 9},
        {"  c unread 4294967295\n", PLAN_EXPECT_UNREAD, 0, 4294967295},
        {"  d held 4\n", PLAN_EXPECT_HELD, 1, 4},
        {"  sut notices 7\n", PLAN_EXPECT_NOTICES, PLAN_NOBODY, 7},
        {"  c quanta 4\n", PLAN_EXPECT_QUANTA, 0, 4},
        {"  sut reads 6\n", PLAN_EXPECT_READS, PLAN_NOBODY, 6},
        {"  sut eagain 2\n", PLAN_EXPECT_EAGAIN, PLAN_NOBODY, 2},
        {"  c eintr 0\n", PLAN_EXPECT_EINTR, 0, 0},
        {"  sut stale 1\n", PLAN_EXPECT_STALE, PLAN_NOBODY, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct plan *plan = with(cases[i].text);

        assert_int_equal(plan->expects[1].kind, cases[i].kind);
        assert_int_equal(plan->expects[1].peer, cases[i].peer);
        assert_int_equal(plan->expects[1].value, cases[i].value);
        plan_free(plan);
    }
}

static void a_peer_may_see_three_ends(void **state)
{
    struct plan *plan = with("  c saw fin\n  d saw reset\n");

    (void)state;
    assert_int_equal(plan->expects[1].saw, PLAN_SAW_FIN);
    assert_int_equal(plan->expects[2].saw, PLAN_SAW_RESET);
    plan_free(plan);
    plan = with("  c saw nothing\n");
    assert_int_equal(plan->expects[1].saw, PLAN_SAW_NOTHING);
    plan_free(plan);
}

static void tags_say_for_which_triggers(void **state)
{
    struct plan *plan = with("  et os: c notices 1\n  lt: c notices 7\n  lt:   sut notices 9\n");

    (void)state;
    assert_int_equal(plan->expects[1].triggers, 1u << REACTOR_ET | 1u << REACTOR_OS);
    assert_int_equal(plan->expects[1].peer, 0);
    assert_int_equal(plan->expects[2].triggers, 1u << REACTOR_LT);
    assert_int_equal(plan->expects[3].peer, PLAN_NOBODY);
    plan_free(plan);
}

static void a_group_is_expected_each(void **state)
{
    struct plan *plan = script_accept(
        "  c tcp\n  d tcp\ntimeline\n  0ms c connect\n  0ms d connect\n"
        "  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n"
        "  3ms c shutdown write\nexpect\n  c frames \"CAT\"\n  c end clean\n",
        "  c*2 tcp\ntimeline\n  0ms c*2 connect\nexpect\n  c*2 frames \"CAT\"\n");

    (void)state;
    assert_int_equal(plan->expect_count, 2);
    assert_int_equal(plan->expects[1].peer, 1);
    assert_item(&plan->expects[1], 0, "CAT", 3);
    plan_free(plan);
}

static const struct script_case mistaken[] = {
    {"c frames \"CAT\"", "c", "22:4: a word is missing; write 'SUBJECT WHAT ...'"},
    {"c frames \"CAT\"", "c frames",
     "22:11: a word is missing; write 'PEER frames \"TEXT\" ..., or none'"},
    {"c frames \"CAT\"", "e frames \"CAT\"", "22:3: unknown peer 'e'; known: c, d"},
    {"c frames \"CAT\"", "c farmes \"CAT\"",
     "22:5: unknown expectation 'farmes'; did you mean 'frames'?"},
    {"c frames \"CAT\"", "sut frames \"CAT\"",
     "22:7: frames is said of one peer, not of the sut; write 'PEER frames \"TEXT\" ..., "
     "or none'"},
    {"c frames \"CAT\"", "c frames CAT",
     "22:14: 'CAT' is not hex; write bytes as 00 ff, \"text\", pattern:SIZE or @file"},
    {"c end clean", "c end", "23:8: a word is missing; write 'PEER end OUTCOME'"},
    {"c end clean", "c end clear", "23:9: unknown end 'clear'; did you mean 'clean'?"},
    {"c end clean", "c end error", "23:14: a word is missing; write 'PEER end error ETIMEDOUT'"},
    {"c end clean", "c end error EWHAT",
     "23:15: unknown error 'EWHAT'; write the name of an errno, such as ECONNRESET"},
    {"c end clean", "c end clean now", "23:15: 'now' is too much; write 'PEER end OUTCOME'"},
    {"c end clean", "c peak", "23:9: a word is missing; write 'PEER peak BYTES'"},
    {"c end clean", "c peak nine", "23:10: peak: 'nine' is not a number; write 0 to 4294967295"},
    {"c end clean", "c saw end", "23:9: unknown end 'end'; known: nothing, fin, reset"},
    {"c end clean", "c received", "23:13: a word is missing; write 'PEER received BYTES, or none'"},
    {"c end clean", "sut unread 4",
     "23:7: unread is said of one peer, not of the sut; write 'PEER unread BYTES'"},
    {"c end clean", "ot: c end clean", "23:3: unknown trigger 'ot'; known: et, lt, os"},
    {"c end clean", "et os c: end clean", "23:9: unknown trigger 'c'; known: et, lt, os"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_word_of_frames_is_one_frame),
        cmocka_unit_test(received_bytes_are_one_run),
        cmocka_unit_test(every_outcome_can_be_expected),
        cmocka_unit_test(figures_are_of_a_peer_or_of_the_sut),
        cmocka_unit_test(a_peer_may_see_three_ends),
        cmocka_unit_test(tags_say_for_which_triggers),
        cmocka_unit_test(a_group_is_expected_each),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
