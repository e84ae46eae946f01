/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <grp.h>
#include <net/if.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

static void opening_leaves_the_thread_where_it_was(void **state)
{
    struct space space = SPACE_NONE;
    struct failure failure;
    (void)state;
    fixture_need_namespaces();
    ino_t before = fixture_current_space();

    fixture_assert_ok(space_open(&space, &failure), &failure);

    struct stat made;
    assert_int_equal(fstat(space.fd, &made), 0);
    assert_int_not_equal(made.st_ino, before);
    assert_int_equal(fixture_current_space(), before);
    space_close(&space);
}

static void entering_and_leaving_is_a_round_trip(void **state)
{
    struct space space = SPACE_NONE, previous = SPACE_NONE;
    struct failure failure;
    struct stat made;
    (void)state;
    fixture_need_namespaces();
    ino_t before = fixture_current_space();

    fixture_assert_ok(space_open(&space, &failure), &failure);
    assert_int_equal(fstat(space.fd, &made), 0);
    fixture_assert_ok(space_enter(&space, &previous, &failure), &failure);
    assert_int_equal(fixture_current_space(), made.st_ino);
    fixture_assert_ok(space_leave(&previous, &failure), &failure);

    assert_int_equal(fixture_current_space(), before);
    assert_int_equal(previous.fd, -1);
    space_close(&space);
}

static int forty_two(void *arg)
{
    *(ino_t *)arg = fixture_current_space();
    return 42;
}

static void run_calls_inside_and_returns_the_value(void **state)
{
    struct space space = SPACE_NONE;
    struct failure failure;
    struct stat made;
    ino_t inside = 0;
    (void)state;
    fixture_need_namespaces();
    ino_t before = fixture_current_space();

    fixture_assert_ok(space_open(&space, &failure), &failure);
    assert_int_equal(fstat(space.fd, &made), 0);
    assert_int_equal(space_run(&space, forty_two, &inside, &failure), 42);

    assert_int_equal(inside, made.st_ino);
    assert_int_equal(fixture_current_space(), before);
    space_close(&space);
}

static void a_socket_belongs_to_its_namespace(void **state)
{
    struct space space = SPACE_NONE;
    struct failure failure;
    struct ifreq second = {.ifr_ifindex = 2};
    (void)state;
    fixture_need_namespaces();

    fixture_assert_ok(space_open(&space, &failure), &failure);
    int fd = space_socket(&space, AF_INET, SOCK_DGRAM, 0, &failure);
    fixture_assert_ok(fd, &failure);

    /* A new namespace has its loopback and nothing else. */
    assert_int_equal(ioctl(fd, SIOCGIFNAME, &second), -1);
    assert_int_equal(errno, ENODEV);
    assert_int_equal(close(fd), 0);
    space_close(&space);
}

static void a_refused_socket_says_what_was_asked(void **state)
{
    struct space space = SPACE_NONE;
    struct failure failure;
    (void)state;
    fixture_need_namespaces();

    fixture_assert_ok(space_open(&space, &failure), &failure);
    assert_int_equal(space_socket(&space, AF_INET, 99, 0, &failure), -EINVAL);
    assert_int_equal(failure.code, -EINVAL);
    assert_string_equal(failure.text, "socket of family 2, type 99: Invalid argument");
    space_close(&space);
}

static void what_is_no_namespace_cannot_be_entered(void **state)
{
    int ends[2];
    struct space previous = SPACE_NONE;
    struct failure failure;
    (void)state;

    assert_int_equal(pipe(ends), 0);
    int before = fixture_descriptors();
    assert_int_equal(space_enter(&(struct space){.fd = ends[0]}, &previous, &failure), -EINVAL);
    assert_int_equal(previous.fd, -1);
    assert_non_null(strstr(failure.text, "enter a network namespace"));
    assert_int_equal(fixture_descriptors(), before);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

static void many_namespaces_leave_no_descriptor(void **state)
{
    struct failure failure;
    (void)state;
    fixture_need_namespaces();
    int before = fixture_descriptors();

    for (int i = 0; i < 10; i++) {
        struct space space = SPACE_NONE;
        fixture_assert_ok(space_open(&space, &failure), &failure);
        space_close(&space);
        space_close(&space);
    }
    assert_int_equal(fixture_descriptors(), before);
}

/* An ordinary user without capabilities, as far as a child of root can be one: the change of ids
 * made /proc/self belong to root. */
static int become_ordinary(void)
{
    if (geteuid() != 0)
        return 0;
    return setgroups(0, NULL) < 0 || setresgid(65534, 65534, 65534) < 0 ||
           setresuid(65534, 65534, 65534) < 0 || prctl(PR_SET_DUMPABLE, 1) < 0;
}

static int check_user_enter(void)
{
    struct space first = SPACE_NONE, second = SPACE_NONE;
    struct link link = LINK_NONE;
    const struct link_options options = LINK_OPTIONS_DEFAULT;
    struct failure failure = {.code = 0};

    if (become_ordinary() != 0)
        return 1;
    if (space_open(&first, &failure) != -EPERM)
        return 2;
    if (space_user_enter(&failure) < 0)
        return failure.code == -EPERM || failure.code == -ENOSPC ? 77 : 3;
    if (geteuid() != 0 || getegid() != 0)
        return 4;
    if (space_open(&first, &failure) < 0 || space_open(&second, &failure) < 0)
        return 5;
    if (link_open(&link, &first, &second, &options, &failure) < 0)
        return 6;
    link_close(&link);
    space_close(&first);
    space_close(&second);
    return 0;
}

static void an_ordinary_user_gets_there_by_a_user_namespace(void **state)
{
    (void)state;
    int step = fixture_in_child(check_user_enter);

    if (step == 77) {
        print_message("user namespaces are not allowed here\n");
        skip();
    }
    assert_int_equal(step, 0);
}

static void *stand_by(void *arg)
{
    char byte;

    (void)!read(*(int *)arg, &byte, 1);
    return NULL;
}

static int check_two_threads(void)
{
    struct failure failure = {.code = 0};
    pthread_t second;
    int ends[2];

    if (pipe(ends) < 0 || pthread_create(&second, NULL, stand_by, &ends[0]) != 0)
        return 1;
    if (space_user_enter(&failure) != -EINVAL)
        return 2;
    return strstr(failure.text, "more than one thread") != NULL ? 0 : 3;
}

static void a_process_with_two_threads_is_told_why_not(void **state)
{
    (void)state;
    assert_int_equal(fixture_in_child(check_two_threads), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* First, while this process is still what it was started as. */
        cmocka_unit_test(an_ordinary_user_gets_there_by_a_user_namespace),
        cmocka_unit_test(a_process_with_two_threads_is_told_why_not),
        cmocka_unit_test(opening_leaves_the_thread_where_it_was),
        cmocka_unit_test(entering_and_leaving_is_a_round_trip),
        cmocka_unit_test(run_calls_inside_and_returns_the_value),
        cmocka_unit_test(a_socket_belongs_to_its_namespace),
        cmocka_unit_test(a_refused_socket_says_what_was_asked),
        cmocka_unit_test(what_is_no_namespace_cannot_be_entered),
        cmocka_unit_test(many_namespaces_leave_no_descriptor),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
