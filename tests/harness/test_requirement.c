/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/report/page.h"
#include "harness/report/requirement.h"

static void every_word_that_a_scenario_covers_has_its_text(void **state)
{
    glob_t scripts;
    char line[4096];
    size_t words = 0;

    (void)state;
    assert_int_equal(glob("scenarios/*/*.scn", 0, NULL, &scripts), 0);
    for (size_t i = 0; i < scripts.gl_pathc; i++) {
        FILE *script = fopen(scripts.gl_pathv[i], "r");

        assert_non_null(script);
        while (fgets(line, sizeof(line), script)) {
            char *rest = NULL;
            char *word = strtok_r(line, " \t\n", &rest);

            if (!word || strcmp(word, "covers") != 0)
                continue;
            while ((word = strtok_r(NULL, " \t\n", &rest)) && *word != '#') {
                words++;
                if (!requirement_text(word))
                    fail_msg("%s covers %s: no text in requirement.c", scripts.gl_pathv[i], word);
            }
        }
        fclose(script);
    }
    globfree(&scripts);
    assert_true(words > 100);
}

static void no_requirement_is_listed_twice(void **state)
{
    (void)state;
    for (size_t i = 0; requirement_name(i); i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(requirement_name(i), requirement_name(k));
}

/* One line each, behind its name, in a report. */
static void each_text_is_one_short_line_without_a_full_stop(void **state)
{
    (void)state;
    for (size_t i = 0; requirement_name(i); i++) {
        const char *text = requirement_text(requirement_name(i));

        assert_true(strlen(text) <= PAGE_COLUMNS - 13);
        assert_true(strlen(text) > 8);
        assert_int_not_equal(text[strlen(text) - 1], '.');
        for (; *text; text++)
            assert_true(*text >= 0x20 && *text < 0x7f);
    }
}

static void a_word_that_nobody_knows_has_no_text(void **state)
{
    (void)state;
    assert_null(requirement_text("R-F-99"));
    assert_null(requirement_text(""));
    assert_string_equal(requirement_text("R-F-07"),
                        "a released frame wakes the paused reader without a new edge");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_that_a_scenario_covers_has_its_text),
        cmocka_unit_test(no_requirement_is_listed_twice),
        cmocka_unit_test(each_text_is_one_short_line_without_a_full_stop),
        cmocka_unit_test(a_word_that_nobody_knows_has_no_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
