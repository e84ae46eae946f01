/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <sys/resource.h>

#include "netns/limit.h"

static void a_limit_passes(void **state)
{
    int ends[2];
    struct limit limit = LIMIT_NONE;
    (void)state;
    assert_int_equal(pipe(ends), 0);

    assert_int_equal(limit_open(&limit, 60000, NULL), 0);
    assert_false(limit_passed(&limit));
    limit_close(&limit);
    assert_int_equal(limit_open(&limit, 1, NULL), 0);
    assert_int_equal(limit_wait(&limit, ends[0], NULL), 0);
    assert_true(limit_passed(&limit));
    limit_close(&limit);
    limit_close(&limit);
    assert_int_equal(limit_open(&limit, 0, NULL), 0);
    assert_int_equal(limit_wait(&limit, ends[0], NULL), 0);
    limit_close(&limit);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void a_readable_descriptor_ends_the_wait(void **state)
{
    int ends[2];
    struct limit limit = LIMIT_NONE;
    const struct limit none = LIMIT_NONE;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);

    assert_int_equal(limit_open(&limit, 60000, NULL), 0);
    assert_int_equal(limit_wait(&limit, ends[0], NULL), 1);
    assert_int_equal(limit_wait(&none, ends[0], NULL), 1);
    assert_false(limit_passed(&none));
    limit_close(&limit);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void a_failure_names_what_is_awaited(void **state)
{
    struct limit limit = LIMIT_ON("the tide");
    struct failure failure = {.code = 0};
    struct rlimit before, none;
    (void)state;

    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    int err = limit_open(&limit, 1, &failure);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(err, -EMFILE);
    assert_string_equal(failure.text, "make a timer to wait for the tide: Too many open files");
    assert_int_equal(limit.fd, -1);
}

/* Or a stream of events that are of no use would go on for ever. */
static void the_limit_goes_before_the_descriptor(void **state)
{
    int ends[2];
    struct limit limit = LIMIT_NONE;
    (void)state;
    assert_int_equal(pipe(ends), 0);

    assert_int_equal(limit_open(&limit, 0, NULL), 0);
    assert_int_equal(limit_wait(&limit, ends[0], NULL), 0);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(limit_wait(&limit, ends[0], NULL), 0);
    limit_close(&limit);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_passes),
        cmocka_unit_test(a_readable_descriptor_ends_the_wait),
        cmocka_unit_test(a_failure_names_what_is_awaited),
        cmocka_unit_test(the_limit_goes_before_the_descriptor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
