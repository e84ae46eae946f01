/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "netns/netlink.h"

/* A loopback interface that the kernel is asked to describe. */
static struct nl_msg *ask_for_index(int index)
{
    const struct ifinfomsg fixed = {.ifi_index = index};

    return netlink_request(RTM_GETLINK, 0, &fixed, sizeof(fixed));
}

static void count(void *arg, struct nlmsghdr *answer)
{
    assert_int_equal(answer->nlmsg_type, RTM_NEWLINK);
    ++*(int *)arg;
}

static void open_in_new_space(struct space *ret_space, struct netlink *ret_netlink)
{
    struct failure failure;

    fixture_assert_ok(space_open(ret_space, &failure), &failure);
    fixture_assert_ok(netlink_open(ret_netlink, ret_space, NETLINK_ROUTE, &failure), &failure);
}

static void an_answer_comes_once_and_before_the_call_returns(void **state)
{
    struct space space;
    struct netlink netlink;
    int answers = 0;
    (void)state;
    fixture_need_namespaces();
    open_in_new_space(&space, &netlink);

    for (int i = 1; i <= 3; i++) {
        assert_int_equal(netlink_call(&netlink, ask_for_index(1), 0, count, &answers, "ask", NULL),
                         0);
        assert_int_equal(answers, i);
    }
    netlink_close(&netlink);
    netlink_close(&netlink);
    space_close(&space);
}

static void a_refusal_has_the_step_the_kernels_sentence_and_the_errno(void **state)
{
    struct space space;
    struct netlink netlink;
    struct failure failure;
    int answers = 0;
    const struct ifaddrmsg nowhere = {.ifa_family = AF_INET, .ifa_prefixlen = 99, .ifa_index = 1};
    (void)state;
    fixture_need_namespaces();
    open_in_new_space(&space, &netlink);

    assert_int_equal(netlink_call(&netlink, ask_for_index(77), 0, count, &answers, "ask for 77",
                                  &failure), -ENODEV);
    assert_string_equal(failure.text, "ask for 77: No such device");
    assert_int_equal(answers, 0);
    int err = netlink_call(&netlink, netlink_request(RTM_NEWADDR, NLM_F_CREATE, &nowhere,
                                                     sizeof(nowhere)),
                           0, NULL, NULL, "add", &failure);
    assert_int_equal(err, -EINVAL);
    assert_int_equal(strncmp(failure.text, "add: ", 5), 0);
    assert_true(strlen(failure.text) > strlen("add: Invalid argument"));
    netlink_close(&netlink);
    space_close(&space);
}

static void a_request_that_could_not_be_built_is_not_sent(void **state)
{
    struct netlink netlink = NETLINK_NONE;
    struct failure failure;
    (void)state;

    assert_int_equal(netlink_call(&netlink, NULL, 0, NULL, NULL, "a step", &failure), -ENOMEM);
    assert_int_equal(netlink_call(&netlink, ask_for_index(1), -1, NULL, NULL, "a step", &failure),
                     -ENOMEM);
    assert_string_equal(failure.text, "a step: Cannot allocate memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_comes_once_and_before_the_call_returns),
        cmocka_unit_test(a_refusal_has_the_step_the_kernels_sentence_and_the_errno),
        cmocka_unit_test(a_request_that_could_not_be_built_is_not_sent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
