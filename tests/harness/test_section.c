/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/script/section.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/script.h"

static void families_and_triggers_are_sets(void **state)
{
    struct plan *plan = script_accept("family   ipv4 ipv6", "family   ipv6");

    (void)state;
    assert_int_equal(plan->families, 1u << PLAN_IPV6);
    assert_int_equal(plan->triggers, 1u << REACTOR_ET | 1u << REACTOR_LT | 1u << REACTOR_OS);
    plan_free(plan);
    plan = script_accept("trigger  et lt os", "trigger  os et");
    assert_int_equal(plan->triggers, 1u << REACTOR_ET | 1u << REACTOR_OS);
    plan_free(plan);
}

/* Whether a script of this path may call itself t/base. */
static bool fits(const char *path)
{
    char *text = script_text(NULL, NULL);
    struct parser_input input = {.path = path, .text = text, .size = strlen(text)};
    struct mistakes mistakes = {0};
    struct plan *plan = NULL;
    bool fine = parser_parse(&input, &plan, &mistakes) == 0;

    plan_free(plan);
    mistakes_free(&mistakes);
    free(text);
    return fine;
}

static void the_name_is_the_path_below_a_folder_of_scenarios(void **state)
{
    (void)state;
    assert_true(fits("scenarios/t/base.scn"));
    assert_true(fits("/a/scenarios/b/scenarios/t/base.scn"));
    assert_true(fits("/elsewhere/x.scn"));
    assert_true(fits("my-scenarios/x.scn"));
    assert_false(fits("scenarios/t/other.scn"));
    assert_false(fits("./scenarios/base.scn"));
}

static const struct script_case mistaken[] = {
    {"link     sut peer", "link     sut", "4:15: a word is missing; write 'link sut peer'"},
    {"link     sut peer", "link     sut per",
     "4:16: 'per' is no end of the link; write 'link sut peer'"},
    {"link     sut peer", "link     sut peer x", "4:21: 'x' is too much; write 'link sut peer'"},
    {"link     sut peer", "link     sut peer\n  link sut peer",
     "5:3: link is said twice; keep one, the first is in line 4"},
    {"link     sut peer", "lnik     sut peer",
     "4:3: unknown word in topology 'lnik'; did you mean 'link'?"},
    {"link     sut peer\n", "nonsense\n",
     "4:3: unknown word in topology 'nonsense'; known: link, family, socket, backlog"},
    {"family   ipv4 ipv6", "family   ipv4 ipv5",
     "5:17: unknown family 'ipv5'; did you mean 'ipv4'?"},
    {"family   ipv4 ipv6", "family   ipv4 ipv4", "5:17: 'ipv4' is there twice; once is enough"},
    {"family   ipv4 ipv6", "family", "5:9: no family; write one or more of ipv4, ipv6, unix, pipe"},
    {"family   ipv4 ipv6", "family ipv4\n  family ipv6",
     "6:3: family is said twice; keep one, the first is in line 5"},
    {"family   ipv4 ipv6", "family ipv4 pipe",
     "5:3: family pipe beside others; a pipe needs a script of its own"},
    {"trigger  et lt os", "trigger  et ot", "7:15: unknown trigger 'ot'; known: et, lt, os"},
    {"trigger  et lt os", "trigger  edge", "7:12: unknown trigger 'edge'; known: et, lt, os"},
    {"trigger  et lt os", "trigger  et\n  trigger lt",
     "8:3: trigger is said twice; keep one, the first is in line 7"},
    {"app      sink consume=manual", "app",
     "11:6: a word is missing; write 'app sink [consume=manual]'"},
    {"app      sink consume=manual", "app      snk",
     "11:12: unknown app 'snk'; did you mean 'sink'?"},
    {"app      sink consume=manual", "app sink consume=manual\n  app sink",
     "12:3: app is said twice; keep one, the first is in line 11"},
    {"reactor\n", "reactor\n  pace free\n",
     "7:3: unknown word in reactor 'pace'; known: trigger, quantum, frame, capacity, app, "
     "collect, requeue, limit"},
    {"peers\n", "run\n  limit rounds=1\npeers\n",
     "13:3: unknown word in run 'limit'; known: pace, compare, tolerance"},
    {"c tcp", "c", "13:4: a word is missing; write 'NAME tcp|stream|pipe'"},
    {"c tcp", "c tpc", "13:5: unknown kind of peer 'tpc'; did you mean 'tcp'?"},
    {"c tcp", "c tcp now", "13:9: 'now' is too much; write 'NAME tcp|stream|pipe'"},
};

static void tells_each_mistake_with_its_place_and_the_remedy(void **state)
{
    (void)state;
    script_reject(mistaken, sizeof(mistaken) / sizeof(mistaken[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_and_triggers_are_sets),
        cmocka_unit_test(the_name_is_the_path_below_a_folder_of_scenarios),
        cmocka_unit_test(tells_each_mistake_with_its_place_and_the_remedy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
