/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/script/parser.h"
#include "harness/sut/defects.h"

#define EACH(which) (int which = DEFECTS_NONE + 1; which < DEFECTS_COUNT; which++)

static const struct defects_entry *entry_of(int which)
{
    return defects_entry((enum defects)which);
}

static void every_name_is_a_word_of_its_own(void **state)
{
    (void)state;
    for EACH(a) {
        const char *name = defects_name((enum defects)a);

        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz-"), strlen(name));
        assert_in_range(strlen(name), 4, 24);
        assert_int_equal(defects_find(name), a);
        for (int b = DEFECTS_NONE + 1; b < a; b++)
            assert_string_not_equal(name, defects_name((enum defects)b));
    }
    assert_null(defects_name(DEFECTS_NONE));
}

static void only_a_whole_name_is_found(void **state)
{
    (void)state;
    assert_int_equal(defects_find("no-requeue"), DEFECTS_NO_REQUEUE);
    assert_int_equal(defects_find("no-requeu"), DEFECTS_NONE);
    assert_int_equal(defects_find(""), DEFECTS_NONE);
    assert_int_equal(defects_find(NULL), DEFECTS_NONE);
    assert_string_equal(defects_nearest("no-requeu"), "no-requeue");
    assert_null(defects_nearest("zzzzzzzz"));
}

static void every_entry_says_everything(void **state)
{
    (void)state;
    for EACH(which) {
        const struct defects_entry *entry = entry_of(which);
        unsigned all = (1u << REACTOR_TRIGGER_COUNT) - 1;

        assert_true(strncmp(entry->requirements, "R-NEG-", 6) == 0 ||
                    strcmp(entry->requirements, "C41") == 0);
        assert_true(strlen(entry->taken) > 20);
        assert_true(strlen(entry->wrong) > 20);
        assert_true(entry->triggers != 0 && (entry->triggers & ~all) == 0);
        /* Where it does not show there is a reason, and only there. */
        assert_int_equal(entry->elsewhere != NULL, entry->triggers != all);
        assert_non_null(defects_form_name(entry->form));
    }
}

static void the_requirements_are_all_there(void **state)
{
    static const char *const wanted[] = {
        "R-NEG-01", "R-NEG-02", "R-NEG-03", "R-NEG-04", "R-NEG-05", "R-NEG-06", "R-NEG-07",
        "R-NEG-08", "R-NEG-09", "R-NEG-10", "R-NEG-11", "R-NEG-12", "R-NEG-13", "R-NEG-15",
        "R-NEG-16", "R-NEG-39", "R-NEG-41", "R-NEG-42", "C41",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
        unsigned found = 0;

        for EACH(which)
            found += strstr(entry_of(which)->requirements, wanted[i]) != NULL;
        if (found != 1)
            fail_msg("%s: %u entries", wanted[i], found);
    }
}

/* The scenario is there, can be run, and runs under each trigger that shows the defect. */
static void every_scenario_exists(void **state)
{
    (void)state;
    for EACH(which) {
        const struct defects_entry *entry = entry_of(which);
        struct mistakes mistakes = {0};
        struct plan *plan;
        char path[160];

        (void)snprintf(path, sizeof(path), "scenarios/%s.scn", entry->scenario);
        if (parser_load(path, NULL, 0, &plan, &mistakes) < 0)
            fail_msg("%s", mistakes.lines.line[0]);
        mistakes_free(&mistakes);
        assert_int_equal(entry->triggers & ~plan->triggers, 0);
        /* `requeue off` is a defect of the script's own. */
        assert_true(plan->requeue);
        plan_free(plan);
    }
}

static unsigned changed_cells(const struct reader_rules *rules)
{
    unsigned changed = 0;

    for (size_t s = 0; s < READER_STATE_COUNT; s++)
        for (size_t e = 0; e < READER_EVENT_COUNT; e++)
            changed += memcmp(&rules->cell[s][e], &reader_rules.cell[s][e],
                              sizeof(rules->cell[s][e])) != 0;
    return changed;
}

/* Of the entry's own form it changes something, of every other nothing. */
static void each_changes_what_its_form_says(void **state)
{
    const struct reactor_protocol usual = {.limits = {.bytes = 2, .attempts = 1}};

    (void)state;
    for EACH(which) {
        const struct defects_entry *entry = entry_of(which);
        struct reader_rules rules = reader_rules;
        struct reactor_protocol protocol = usual;

        defects_change_rules((enum defects)which, &rules);
        defects_change_protocol((enum defects)which, &protocol);
        assert_int_equal(changed_cells(&rules), entry->cell_count);
        assert_memory_equal(rules.successors, reader_rules.successors, sizeof(rules.successors));
        assert_int_equal(entry->cell_count > 0, entry->form == DEFECTS_CELL);
        assert_int_equal(memcmp(&protocol, &usual, sizeof(usual)) != 0,
                         entry->form == DEFECTS_CONFIGURATION);
        assert_int_equal(defects_spoiler((enum defects)which) != SPOILER_NONE,
                         entry->form == DEFECTS_DECORATOR);
        assert_int_equal(entry->mark != DEFECT_NONE, entry->form == DEFECTS_MARK);
    }
}

static void none_changes_nothing(void **state)
{
    struct reader_rules rules = reader_rules;
    struct reactor_protocol protocol = {.limits = {.bytes = 2, .attempts = 1}};
    const struct reactor_protocol before = protocol;

    (void)state;
    defects_change_rules(DEFECTS_NONE, &rules);
    defects_change_protocol(DEFECTS_NONE, &protocol);
    assert_int_equal(changed_cells(&rules), 0);
    assert_memory_equal(&protocol, &before, sizeof(before));
    assert_int_equal(defects_spoiler(DEFECTS_NONE), SPOILER_NONE);
    assert_true(defects_possible(DEFECTS_NONE));
    defects_switch(DEFECTS_NONE);
}

/* Each mark and each decorator is some entry's: none is there that nobody switches on. */
static void every_mark_and_decorator_is_used_once(void **state)
{
    unsigned marks[DEFECT_MARK_COUNT] = {0};
    unsigned spoilers[SPOILER_KIND_COUNT] = {0};

    (void)state;
    for EACH(which) {
        marks[entry_of(which)->mark]++;
        spoilers[entry_of(which)->spoiler]++;
    }
    for (size_t i = DEFECT_NONE + 1; i < DEFECT_MARK_COUNT; i++)
        assert_int_equal(marks[i], 1);
    for (size_t i = SPOILER_NONE + 1; i < SPOILER_KIND_COUNT; i++)
        assert_int_equal(spoilers[i], 1);
}

/* The rules still allow each changed cell as a step, so it does something else than be illegal. */
static void every_changed_cell_can_be_carried_out(void **state)
{
    (void)state;
    for EACH(which) {
        const struct defects_entry *entry = entry_of(which);
        struct reader_rules rules = reader_rules;

        defects_change_rules((enum defects)which, &rules);
        for (uint32_t i = 0; i < entry->cell_count; i++) {
            struct reader reader = {.state = (uint8_t)entry->cells[i].state, .hint = true};
            const struct reader_cell *cell = reader_step(&rules, &reader, entry->cells[i].event);

            assert_int_not_equal(cell->verdict, READER_ILLEGAL);
        }
    }
}

/* What config.checks would have caught: of the cells only no-requeue leaves a pair of state and
 * hint that no rule allows. It takes a ledger to see the others. */
static void the_reactors_own_checks_would_miss_most(void **state)
{
    (void)state;
    for EACH(which) {
        const struct defects_entry *entry = entry_of(which);
        struct reader_rules rules = reader_rules;
        bool good = true;

        defects_change_rules((enum defects)which, &rules);
        for (uint32_t i = 0; i < entry->cell_count; i++) {
            struct reader reader = {.state = (uint8_t)entry->cells[i].state, .hint = true};

            (void)reader_step(&rules, &reader, entry->cells[i].event);
            good = good && reader_check(&reader);
        }
        assert_int_equal(good, which != DEFECTS_NO_REQUEUE);
    }
}

static void only_marks_need_a_build_of_their_own(void **state)
{
    (void)state;
    for EACH(which) {
#ifdef DEFECTS
        assert_true(defects_possible((enum defects)which));
#else
        assert_int_equal(defects_possible((enum defects)which),
                         entry_of(which)->form != DEFECTS_MARK);
#endif
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_a_word_of_its_own),
        cmocka_unit_test(only_a_whole_name_is_found),
        cmocka_unit_test(every_entry_says_everything),
        cmocka_unit_test(the_requirements_are_all_there),
        cmocka_unit_test(every_scenario_exists),
        cmocka_unit_test(each_changes_what_its_form_says),
        cmocka_unit_test(none_changes_nothing),
        cmocka_unit_test(every_mark_and_decorator_is_used_once),
        cmocka_unit_test(every_changed_cell_can_be_carried_out),
        cmocka_unit_test(the_reactors_own_checks_would_miss_most),
        cmocka_unit_test(only_marks_need_a_build_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
