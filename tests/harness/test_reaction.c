/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/reaction.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/support/script.h"

static struct plan *with(const char *lines)
{
    char section[512];

    snprintf(section, sizeof(section), "reactions\n%stimeline\n", lines);
    return script_accept("timeline\n", section);
}

static void each_callback_and_action_becomes_a_reaction(void **state)
{
    struct plan *plan = with("  on c frame 2 close d\n  on c frame 1 consume c 3\n"
                             "  on c end close c\n  on d open takes 5ms\n  on d end consume c\n");
    const struct plan_reaction *reactions = plan->reactions;

    (void)state;
    assert_int_equal(plan->reaction_count, 5);
    assert_int_equal(reactions[0].place.line, 16);
    assert_int_equal(reactions[0].peer, 0);
    assert_int_equal(reactions[0].on, PLAN_ON_FRAME);
    assert_int_equal(reactions[0].number, 2);
    assert_int_equal(reactions[0].action, PLAN_DO_CLOSE);
    assert_int_equal(reactions[0].target, 1);
    assert_int_equal(reactions[1].action, PLAN_DO_CONSUME);
    assert_int_equal(reactions[1].count, 3);
    assert_int_equal(reactions[2].on, PLAN_ON_END);
    assert_int_equal(reactions[2].target, 0);
    assert_int_equal(reactions[3].on, PLAN_ON_OPEN);
    assert_int_equal(reactions[3].peer, 1);
    assert_int_equal(reactions[3].action, PLAN_DO_TAKES);
    assert_int_equal(reactions[3].target, PLAN_NOBODY);
    assert_int_equal(reactions[3].duration.ns, 5000000);
    assert_int_equal(reactions[4].count, 1);
    plan_free(plan);
}

static void raw_bytes_have_deliveries_instead_of_frames(void **state)
{
    struct plan *plan = script_accept(
        "  quantum  bytes=9 attempts=2 frames=1\n  frame    header=2 payload=3\n  capacity 9\n"
        "  app      sink consume=manual\npeers\n  c tcp\n  d tcp\ntimeline\n  0ms c connect\n"
        "  0ms d connect\n  1ms c send 00 03 \"CAT\"\n  2ms sut consume c\n"
        "  3ms c shutdown write\nexpect\n  c frames \"CAT\"\n",
        "peers\n  c tcp\nreactions\n  on c data 2 close c\ntimeline\n  0ms c connect\nexpect\n");

    (void)state;
    assert_int_equal(plan->reactions[0].on, PLAN_ON_DATA);
    assert_int_equal(plan->reactions[0].number, 2);
    plan_free(plan);
}

static void a_group_reacts_each_on_its_own(void **state)
{
    struct plan *plan = script_accept("  d tcp\ntimeline\n  0ms c connect\n  0ms d connect\n",
                                      "  d*2 tcp\nreactions\n  on d*2 end close d*2\n"
                                      "  on d*2 frame 1 close c\ntimeline\n  0ms c connect\n"
                                      "  0ms d*2 connect\n");

    (void)state;
    assert_int_equal(plan->reaction_count, 4);
    assert_int_equal(plan->reactions[0].target, 1);
    assert_int_equal(plan->reactions[1].peer, 2);
    assert_int_equal(plan->reactions[1].target, 2);
    assert_int_equal(plan->reactions[2].target, 0);
    assert_int_equal(plan->reactions[3].target, 0);
    plan_free(plan);
}

static const struct script_case mistaken[] = {
    {"timeline\n", "reactions\n  c frame 1 close d\ntimeline\n",
     "16:3: 'c' begins no reaction; write 'on PEER open|data N|frame N|end close "
     "PEER|consume PEER [N]|takes DURATION'"},
    {"timeline\n", "reactions\n  on\ntimeline\n",
     "16:5: a word is missing; write 'on PEER open|data N|frame N|end close PEER|consume "
     "PEER [N]|takes DURATION'"},
    {"timeline\n", "reactions\n  on e end close c\ntimeline\n",
     "16:6: unknown peer 'e'; known: c, d"},
    {"timeline\n", "reactions\n  on c farme 1 close d\ntimeline\n",
     "16:8: unknown callback 'farme'; did you mean 'frame'?"},
    {"timeline\n", "reactions\n  on c frame close d\ntimeline\n",
     "16:14: frame: 'close' is not a number; write 1 to 4294967295"},
    {"timeline\n", "reactions\n  on c frame 0 close d\ntimeline\n",
     "16:14: frame: '0' is out of range; write 1 to 4294967295"},
    {"timeline\n", "reactions\n  on c frame 1\ntimeline\n",
     "16:15: a word is missing; write 'on PEER open|data N|frame N|end close PEER|consume "
     "PEER [N]|takes DURATION'"},
    {"timeline\n", "reactions\n  on c frame 1 shut d\ntimeline\n",
     "16:16: unknown action 'shut'; known: close, consume, takes"},
    {"timeline\n", "reactions\n  on c end connect d\ntimeline\n",
     "16:12: a reaction cannot connect; write 'TIME PEER connect' in the timeline"},
    {"timeline\n", "reactions\n  on c end close\ntimeline\n",
     "16:17: a word is missing; write 'on PEER open|data N|frame N|end close PEER|consume "
     "PEER [N]|takes DURATION'"},
    {"timeline\n", "reactions\n  on c end close d now\ntimeline\n",
     "16:20: 'now' is too much; write 'on PEER open|data N|frame N|end close PEER|consume "
     "PEER [N]|takes DURATION'"},
    {"timeline\n", "reactions\n  on c frame 1 consume c 0\ntimeline\n",
     "16:26: consume: '0' is out of range; write 1 to 4294967295"},
    {"timeline\n", "reactions\n  on c frame 1 takes 5\ntimeline\n",
     "16:22: takes: '5' has no unit; write digits and one of ns, us, ms, s, such as 200us"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_callback_and_action_becomes_a_reaction),
        cmocka_unit_test(raw_bytes_have_deliveries_instead_of_frames),
        cmocka_unit_test(a_group_reacts_each_on_its_own),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
