/* SPDX-License-Identifier: BSD-2-Clause */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/memory.h"
static void an_array_grows_when_it_is_full_and_only_then(void **state)
{
    size_t room = 0;
    int *numbers = NULL;

    (void)state;
    for (size_t i = 0; i < 100; i++) {
        size_t before = room;

        numbers = memory_grow(numbers, i, &room, sizeof(*numbers));
        assert_true(room > i);
        assert_true(room == before || i == before);
        numbers[i] = (int)i;
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(numbers[i], i);
    free(numbers);
}

static void none_of_something_is_still_memory(void **state)
{
    int *numbers = memory_zeroed(0, sizeof(*numbers));
    char *text = memory_text("abcdef", 3);

    (void)state;
    assert_non_null(numbers);
    assert_string_equal(text, "abc");
    free(text);
    free(numbers);
    numbers = memory_zeroed(3, sizeof(*numbers));
    assert_int_equal(numbers[2], 0);
    free(numbers);
}

static void what_is_not_there_ends_the_process(void **state)
{
    int status = 0;
    pid_t child = fork();

    (void)state;
    assert_true(child >= 0);
    if (child == 0) {
        (void)signal(SIGABRT, SIG_DFL);
        (void)memory_must(NULL);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_grows_when_it_is_full_and_only_then),
        cmocka_unit_test(none_of_something_is_still_memory),
        cmocka_unit_test(what_is_not_there_ends_the_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
