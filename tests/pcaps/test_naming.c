/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "tests/pcaps/crafted.h"

static int index_of(const struct naming_connection *connections, size_t count)
{
    struct naming naming = {.connections = connections, .count = count};
    struct naming_index index;
    int r = naming_index_make(&naming, &index);

    if (r == 0)
        naming_index_free(&index);
    return r;
}

static void bad_namings_are_refused(void **state)
{
    struct naming_connection c = crafted_ipv4[0];
    char long_name[NAMING_NAME_MAX + 2];
    struct naming_connection twice[] = {crafted_ipv4[0], crafted_ipv4[1]};

    (void)state;
    assert_int_equal(index_of(&c, 1), 0);
    c.name = "";
    assert_int_equal(index_of(&c, 1), -EINVAL);
    c.name = "two words";
    assert_int_equal(index_of(&c, 1), -EINVAL);
    c.name = "line\n";
    assert_int_equal(index_of(&c, 1), -EINVAL);
    memset(long_name, 'x', sizeof(long_name));
    long_name[NAMING_NAME_MAX + 1] = '\0';
    c.name = long_name;
    assert_int_equal(index_of(&c, 1), -EINVAL);
    c.name = long_name + 1;
    assert_int_equal(index_of(&c, 1), 0);
    c = crafted_ipv4[0];
    c.sut = crafted_ipv6[0].sut;
    assert_int_equal(index_of(&c, 1), -EINVAL);
    c.peer.version = c.sut.version = 5;
    assert_int_equal(index_of(&c, 1), -EINVAL);
    twice[1].name = "c";
    assert_int_equal(index_of(twice, 2), -EINVAL);
}

static void empty_naming_is_fine(void **state)
{
    (void)state;
    assert_int_equal(index_of(NULL, 0), 0);
}

static void find_gives_the_first_of_equal_tuples(void **state)
{
    struct naming_connection c[] = {crafted_ipv4[2], crafted_ipv4[0], crafted_ipv4[0]};
    struct naming naming = {.connections = c, .count = 3};
    struct naming_index index;
    size_t place;

    (void)state;
    c[2].name = "again";
    assert_int_equal(naming_index_make(&naming, &index), 0);
    place = naming_index_find(&index, &crafted_ipv4[0]);
    assert_int_equal(place, 0);
    assert_int_equal(index.order[place], 1);
    assert_int_equal(index.order[place + 1], 2);
    assert_int_equal(naming_index_find(&index, &crafted_ipv4[1]), 2);
    assert_false(naming_same_tuple(&c[0], &crafted_ipv4[1]));
    assert_int_equal(naming_index_find(&index, &crafted_ipv6[0]), 3);
    naming_index_free(&index);
}

static void signs_are_those_of_the_ledger(void **state)
{
    (void)state;
    assert_int_equal(naming_sign(NAMING_TO_SUT), '>');
    assert_int_equal(naming_sign(NAMING_TO_PEER), '<');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_namings_are_refused),
        cmocka_unit_test(empty_naming_is_fine),
        cmocka_unit_test(find_gives_the_first_of_equal_tuples),
        cmocka_unit_test(signs_are_those_of_the_ledger),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
