/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/report/person.h"
/* A person of whom nobody on this machine has heard. */
#define STRANGER    "64321"
#define STRANGER_ID 64321

static void only_numbers_name_a_person(void **state)
{
    struct person person;

    (void)state;
    assert_int_equal(person_make(NULL, NULL, &person), 0);
    assert_false(person.other);
    assert_int_equal(person_make("0", "0", &person), 0);
    assert_false(person.other);
    assert_int_equal(person_make(STRANGER, "64322", &person), 0);
    assert_true(person.other);
    assert_int_equal(person.uid, STRANGER_ID);
    assert_int_equal(person.gid, 64322);
    assert_int_equal(person.group_count, 1);
    assert_int_equal(person_make("root", "0", &person), -EINVAL);
    assert_int_equal(person_make("", "0", &person), -EINVAL);
    assert_int_equal(person_make("-1", "0", &person), -EINVAL);
    assert_int_equal(person_make("1 ", "0", &person), -EINVAL);
    assert_int_equal(person_make("0x1", "0", &person), -EINVAL);
    assert_int_equal(person_make("4294967295", "0", &person), -EINVAL);
    assert_int_equal(person_make("99999999999", "0", &person), -EINVAL);
    assert_int_equal(person_make(STRANGER, "x", &person), -EINVAL);
}

static void who_calls_without_sudo_stays_who_he_is(void **state)
{
    struct person person = {.other = false};
    struct person_before before;

    (void)state;
    assert_int_equal(person_enter(&person, &before), 0);
    assert_int_equal(setfsuid((uid_t)-1), geteuid());
    person_leave(&before);
}

static void another_person_is_put_back(void **state)
{
    struct person person;
    struct person_before before;

    (void)state;
    if (geteuid() != 0) {
        print_message("needs root: files are made as somebody else\n");
        skip();
    }
    assert_int_equal(person_make(STRANGER, "64322", &person), 0);
    assert_int_equal(person_enter(&person, &before), 0);
    assert_int_equal(setfsuid((uid_t)-1), STRANGER_ID);
    assert_int_equal(setfsgid((gid_t)-1), 64322);
    person_leave(&before);
    assert_int_equal(setfsuid((uid_t)-1), 0);
    assert_int_equal(setfsgid((gid_t)-1), getegid());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_numbers_name_a_person),
        cmocka_unit_test(who_calls_without_sudo_stays_who_he_is),
        cmocka_unit_test(another_person_is_put_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
