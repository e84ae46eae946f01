/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include "netns/offload.h"

/* A link as the kernel makes it. */
static void open_with_offloads(struct fixture *fixture)
{
    struct link_options options = LINK_OPTIONS_DEFAULT;

    options.offload = true;
    *fixture = (struct fixture){.link = LINK_NONE};
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        fixture->spaces[side] = SPACE_NONE;
        fixture_assert_ok(space_open(&fixture->spaces[side], &fixture->failure),
                          &fixture->failure);
    }
    fixture_assert_ok(link_open(&fixture->link, &fixture->spaces[LINK_SUT],
                                &fixture->spaces[LINK_PEER], &options, &fixture->failure),
                      &fixture->failure);
}

static void switches_one_end_off_and_leaves_the_other(void **state)
{
    struct fixture fixture;
    const struct space *sut = &fixture.spaces[LINK_SUT], *peer = &fixture.spaces[LINK_PEER];
    (void)state;
    fixture_need_namespaces();
    open_with_offloads(&fixture);
    int before = fixture_descriptors();
    int on = offload_count(peer, LINK_PEER_NAME, NULL);

    assert_true(on > 0);
    assert_true(offload_count(sut, LINK_SUT_NAME, NULL) > 0);
    fixture_assert_ok(offload_disable(sut, LINK_SUT_NAME, &fixture.failure), &fixture.failure);
    assert_int_equal(offload_count(sut, LINK_SUT_NAME, NULL), 0);
    assert_int_equal(offload_count(peer, LINK_PEER_NAME, NULL), on);
    assert_int_equal(offload_disable(sut, LINK_SUT_NAME, NULL), 0);
    assert_int_equal(fixture_descriptors(), before);
    fixture_close(&fixture);
}

static void an_absent_interface_is_named(void **state)
{
    struct space space = SPACE_NONE;
    struct failure failure = {.code = 0};
    (void)state;
    fixture_need_namespaces();
    assert_int_equal(space_open(&space, NULL), 0);
    int before = fixture_descriptors();

    assert_int_equal(offload_disable(&space, "peer0", &failure), -ENODEV);
    assert_string_equal(failure.text, "switch tso off on peer0: No such device");
    assert_int_equal(offload_count(&space, "peer0", &failure), -ENODEV);
    assert_string_equal(failure.text, "ask for tso of peer0: No such device");
    assert_int_equal(fixture_descriptors(), before);
    space_close(&space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switches_one_end_off_and_leaves_the_other),
        cmocka_unit_test(an_absent_interface_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
