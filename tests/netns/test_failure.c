/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

static void keeps_the_code_and_says_it_in_words(void **state)
{
    struct failure failure = {.code = 0};
    (void)state;

    assert_int_equal(failure_set(&failure, -ENOENT, "open %s", "door"), -ENOENT);
    assert_int_equal(failure.code, -ENOENT);
    assert_string_equal(failure.text, "open door: No such file or directory");
    assert_int_equal(failure_set(&failure, -99999, "%s", "odd"), -99999);
    assert_string_equal(failure.text, "odd: unknown error");
}

static void says_no_more_than_it_is_told(void **state)
{
    struct failure failure = {.code = 0};
    (void)state;

    assert_int_equal(failure_tell(&failure, -ECHILD, "killed by SIG%s", "SEGV"), -ECHILD);
    assert_int_equal(failure.code, -ECHILD);
    assert_string_equal(failure.text, "killed by SIGSEGV");
    assert_int_equal(failure_tell(NULL, -ECHILD, "%s", "x"), -ECHILD);
}

static void nobody_has_to_ask(void **state)
{
    (void)state;
    assert_int_equal(failure_set(NULL, -EPERM, "%s", "x"), -EPERM);
}

static void a_long_text_is_cut(void **state)
{
    struct failure failure;
    char long_text[1000];
    (void)state;
    memset(long_text, 'a', sizeof(long_text) - 1);
    long_text[sizeof(long_text) - 1] = '\0';

    assert_int_equal(failure_set(&failure, -EPERM, "%s", long_text), -EPERM);
    assert_int_equal(strlen(failure.text), sizeof(failure.text) - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_the_code_and_says_it_in_words),
        cmocka_unit_test(says_no_more_than_it_is_told),
        cmocka_unit_test(nobody_has_to_ask),
        cmocka_unit_test(a_long_text_is_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
