/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/checkup.h"

static void each_row_says_what_it_found_and_what_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < checkup_count(); i++) {
        struct checkup_row row;

        checkup_try(i, &row);
        assert_true(*row.check && *row.needed);
        assert_true(*row.found);
        /* What is missing can be mended, what is there needs no mending. */
        assert_int_equal(*row.mend != '\0', row.state != CHECKUP_OK);
    }
}

static void states_have_their_words(void **state)
{
    (void)state;
    assert_string_equal(checkup_state_name(CHECKUP_OK), "ok");
    assert_string_equal(checkup_state_name(CHECKUP_MISSING), "missing");
}

static void root_is_always_told_a_command(void **state)
{
    struct lines whole = {0};
    struct lines half = {0};

    (void)state;
    checkup_mend((struct checkup_rights){.root = true, .all = true}, &whole);
    assert_true(whole.count > 0);
    checkup_mend((struct checkup_rights){.root = true, .all = false}, &half);
    assert_true(half.count > 0);
    assert_non_null(strstr(half.line[half.count - 1], "--cap-add SYS_ADMIN"));
    lines_free(&whole);
    lines_free(&half);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_says_what_it_found_and_what_for),
        cmocka_unit_test(states_have_their_words),
        cmocka_unit_test(root_is_always_told_a_command),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
