/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/model/document.h"

/* The document of a command line; the caller frees it. NULL when there is none. */
static char *document(int argc, char **argv, uint32_t *ret_failed)
{
    char error[ASK_ERROR_BYTES];
    static struct ask ask;
    struct checks checks;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_int_equal(ask_parse(argc, argv, &ask, error), 0);
    if (document_print(&ask, out, &checks, error) == 0) {
        *ret_failed = checks.failed;
        checks_free(&checks);
        fclose(out);
        return text;
    }
    fclose(out);
    assert_int_equal(size, 0);
    free(text);
    return NULL;
}

static void rows_are_lines(void **state)
{
    char *argv[] = {"model", "--case", "readiness", NULL};
    uint32_t failed;
    char *text = document(3, argv, &failed);

    (void)state;
    assert_non_null(strstr(
        text, "\n    {\"quantum\":1,\"head\":\"A\",\"reads\":[{\"asked\":2,\"got\":2,\"data\":"
              "\"6162\"}],\"stop\":[\"bytes\",\"attempts\"],\"state\":\"QUEUED\",\"hint\":1,"
              "\"queue\":[\"B\",\"A\"],\"unread\":{\"A\":4,\"B\":2}},\n"));
    assert_int_equal(failed, 0);
    free(text);
}

/* R-CK-09. */
static void two_runs_give_the_same_bytes(void **state)
{
    char *argv[] = {"model", NULL};
    uint32_t failed;
    char *one = document(1, argv, &failed);
    char *other = document(1, argv, &failed);

    (void)state;
    assert_string_equal(one, other);
    free(one);
    free(other);
}

static void it_is_json_and_says_what_it_does_not_prove(void **state)
{
    char *argv[] = {"model", NULL};
    uint32_t failed;
    char *text = document(1, argv, &failed);
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *found;
    size_t i;

    (void)state;
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(root, "checks"),
                                                        "failed")), 0);
    assert_true(json_array_size(json_object_get(root, "not_proved")) >= 3);
    json_array_foreach(json_object_get(root, "cases"), i, found) {
        static const char *const keys[] = {"case", "totals", "peaks", "outcome", "checks"};

        for (size_t key = 0; key < sizeof(keys) / sizeof(*keys); key++)
            assert_non_null(json_object_get(found, keys[key]));
    }
    json_decref(root);
    free(text);
}

/* R-CK-08. */
static void failed_checks_are_listed(void **state)
{
    char *argv[] = {"model", "--case", "framing", "--defect", "read-ahead", NULL};
    uint32_t failed;
    char *text = document(5, argv, &failed);
    json_t *root = json_loads(text, 0, NULL);

    (void)state;
    assert_int_equal(failed, 1);
    assert_string_equal(json_string_value(json_object_get(root, "defect")), "read-ahead");
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(root, "failed_checks"), 0)),
        "step 13: what arrived is what was read and what the kernel has (R-F-12)");
    json_decref(root);
    free(text);
}

static void a_script_that_cannot_be_played_prints_nothing(void **state)
{
    char *argv[] = {"model", "--script", "in:0000 consume", NULL};
    uint32_t failed;

    (void)state;
    assert_null(document(3, argv, &failed));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_lines),
        cmocka_unit_test(two_runs_give_the_same_bytes),
        cmocka_unit_test(it_is_json_and_says_what_it_does_not_prove),
        cmocka_unit_test(failed_checks_are_listed),
        cmocka_unit_test(a_script_that_cannot_be_played_prints_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
