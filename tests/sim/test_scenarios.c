/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/catalog.h"
#include "harness/ledger/events.h"
#include "harness/ledger/expected.h"
#include "harness/script/parser.h"
#include "tests/support/play.h"

/* Every ledger of events that the real kernel gave comes out of the simulated one, for each trigger
 * and family: the same files, row by row. */

#define PATH_MAX_BYTES 512

static unsigned runs;

static void compare(const char *name, const struct play *play, const struct expected *expected)
{
    struct events events;
    size_t count;
    const struct expected_row **rows =
        expected_select(expected, play->happened.trigger, &count);

    events_make(&play->happened, &events);
    for (size_t i = 0; i < count && i < events.text.count; i++) {
        if (strcmp(events.text.line[i], rows[i]->text) != 0)
            print_message("%s, %s, %s, line %u:\n", name,
                          reactor_trigger_name(play->happened.trigger),
                          plan_family_name(play->family), rows[i]->line);
        assert_string_equal(events.text.line[i], rows[i]->text);
    }
    assert_int_equal(events.text.count, count);
    events_free(&events);
    free(rows);
}

static void play_all(const char *name, const struct plan *plan, const struct expected *expected)
{
    for (unsigned trigger = 0; trigger < REACTOR_TRIGGER_COUNT; trigger++) {
        for (unsigned family = 0; family < PLAN_FAMILY_COUNT; family++) {
            struct play play;

            if (!(plan->triggers >> trigger & 1) || !(plan->families >> family & 1))
                continue;
            play_run(&play, plan, (enum reactor_trigger)trigger, (enum plan_family)family);
            compare(name, &play, expected);
            play_end(&play);
            runs++;
        }
    }
}

/* The ledger stands beside the script. */
static void read_ledger(const char *script, struct expected *ret_expected)
{
    char path[PATH_MAX_BYTES];
    struct lines errors = {0};
    size_t stem = strlen(script) - strlen(".scn");

    assert_true(stem + sizeof(".events") <= sizeof(path));
    memcpy(path, script, stem);
    memcpy(path + stem, ".events", sizeof(".events"));
    assert_int_equal(expected_read(path, EXPECTED_EVENTS, ret_expected, &errors), 0);
}

static void ledgers_of_all_scenarios_come_out(void **state)
{
    struct catalog_error error;
    struct catalog catalog;

    (void)state;
    assert_int_equal(catalog_open("scenarios", &catalog, &error), 0);
    for (size_t i = 0; i < catalog.count; i++) {
        struct mistakes mistakes = {0};
        struct expected expected;
        struct plan *plan;

        assert_int_equal(parser_load(catalog.entries[i].path, NULL, 0, &plan, &mistakes), 0);
        read_ledger(catalog.entries[i].path, &expected);
        if (!expected.missing)
            play_all(catalog.entries[i].name, plan, &expected);
        expected_free(&expected);
        plan_free(plan);
    }
    catalog_free(&catalog);
    assert_true(runs >= 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ledgers_of_all_scenarios_come_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
