/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/cli/verbs.h"

static void each_verb_is_found_by_its_name(void **state)
{
    unsigned taken = 0;

    (void)state;
    for (size_t i = 0; i < verbs_count(); i++) {
        assert_ptr_equal(verbs_find(verbs_table[i].name), &verbs_table[i]);
        assert_non_null(verbs_table[i].run);
        assert_int_equal(taken & verbs_table[i].options, 0); /* options of its own */
        taken |= verbs_table[i].options;
    }
    assert_null(verbs_find("scen"));
    assert_null(verbs_find(""));
}

static void a_slip_of_the_finger_has_a_nearest_verb(void **state)
{
    (void)state;
    assert_string_equal(verbs_nearest("scenaro")->name, "scenario");
    assert_string_equal(verbs_nearest("lsit")->name, "list");
    assert_null(verbs_nearest("explore"));
}

static void a_refusal_is_a_document_only_when_asked_for(void **state)
{
    struct lines said = {0};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    verbs_refuse(out, false, STATUS_USAGE, &said);
    fflush(out);
    assert_int_equal(size, 0);
    verbs_refuse(out, true, STATUS_CANNOT, &said);
    fclose(out);
    assert_non_null(strstr(text, "\"exit\": 4,"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_verb_is_found_by_its_name),
        cmocka_unit_test(a_slip_of_the_finger_has_a_nearest_verb),
        cmocka_unit_test(a_refusal_is_a_document_only_when_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
