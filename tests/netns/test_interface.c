/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "netns/interface.h"

#define LOOPBACK "lo"

static const struct interface_address one = { AF_INET, 24, {198, 51, 100, 1} };
static const struct interface_address two = { AF_INET, 24, {198, 51, 100, 2} };
static const struct interface_address six = { AF_INET6, 64, {0x20, 0x01, 0x0d, 0xb8, [15] = 9} };

/* The interface that every new namespace has, found. */
static struct interface open_loopback(struct space *ret_space)
{
    struct interface interface = INTERFACE_NONE;
    struct failure failure;

    fixture_assert_ok(space_open(ret_space, &failure), &failure);
    fixture_assert_ok(interface_open(&interface, ret_space, LOOPBACK, &failure), &failure);
    assert_int_equal(interface.index, 0);
    fixture_assert_ok(interface_find(&interface, &failure), &failure);
    return interface;
}

static void close_loopback(struct interface *interface, struct space *space)
{
    interface_close(interface);
    interface_close(interface);
    space_close(space);
}

struct facts {
    int count;
    unsigned int flags; /* of the interface */
    uint32_t address_flags;
    int neighbour_state;
};

static void take_facts(void *arg, struct nlmsghdr *answer)
{
    struct facts *facts = arg;

    facts->count++;
    if (answer->nlmsg_type == RTM_NEWLINK)
        facts->flags = ((const struct ifinfomsg *)NLMSG_DATA(answer))->ifi_flags;
    else if (answer->nlmsg_type == RTM_NEWADDR)
        facts->address_flags =
            nla_get_u32(nlmsg_find_attr(answer, sizeof(struct ifaddrmsg), IFA_FLAGS));
    else if (answer->nlmsg_type == RTM_NEWNEIGH)
        facts->neighbour_state = ((const struct ndmsg *)NLMSG_DATA(answer))->ndm_state;
}

/* Lists whatever a type of request lists, in one family. */
static struct facts list(struct interface *interface, uint16_t type, sa_family_t family)
{
    union {
        struct ifinfomsg link;
        struct ifaddrmsg address;
        struct ndmsg neighbour;
    } fixed = { .link = {.ifi_family = (unsigned char)family} };
    size_t length = type == RTM_GETLINK ? sizeof(fixed.link)
                    : type == RTM_GETADDR ? sizeof(fixed.address) : sizeof(fixed.neighbour);
    struct facts facts = {.count = 0};
    struct failure failure;

    fixture_assert_ok(netlink_call(&interface->netlink,
                                   netlink_request(type, NLM_F_DUMP, &fixed, length), 0, take_facts,
                                   &facts, "list", &failure),
                      &failure);
    return facts;
}

static void finds_the_index(void **state)
{
    struct space space;
    (void)state;
    fixture_need_namespaces();

    struct interface interface = open_loopback(&space);
    assert_int_equal(interface.index, 1);
    close_loopback(&interface, &space);
}

static void a_step_that_fails_names_itself_and_the_interface(void **state)
{
    struct space space;
    struct failure failure;
    (void)state;
    fixture_need_namespaces();
    struct interface interface = open_loopback(&space);

    assert_int_equal(interface_add_address(&interface, &one, NULL), 0);
    assert_int_equal(interface_add_address(&interface, &one, &failure), -EEXIST);
    assert_int_equal(strncmp(failure.text, "lo: add the IPv4 address: ", 26), 0);
    interface.name = "peer0";
    assert_int_equal(interface_find(&interface, &failure), -ENODEV);
    assert_string_equal(failure.text, "peer0: ask for its state: No such device");
    assert_int_equal(interface.index, 1);
    close_loopback(&interface, &space);
}

static void raising_sets_the_interface_up(void **state)
{
    struct space space;
    (void)state;
    fixture_need_namespaces();
    struct interface interface = open_loopback(&space);

    assert_int_equal(list(&interface, RTM_GETLINK, AF_UNSPEC).flags & IFF_UP, 0);
    assert_int_equal(interface_raise(&interface, NULL), 0);
    assert_int_equal(list(&interface, RTM_GETLINK, AF_UNSPEC).flags & IFF_UP, IFF_UP);
    close_loopback(&interface, &space);
}

/* Tentative or with a route of the kernel's own, it would be of no use. */
static void an_ipv6_address_can_be_used_at_once(void **state)
{
    struct space space;
    (void)state;
    fixture_need_namespaces();
    struct interface interface = open_loopback(&space);

    assert_int_equal(interface_add_address(&interface, &six, NULL), 0);
    struct facts facts = list(&interface, RTM_GETADDR, AF_INET6);
    assert_int_equal(facts.count, 1);
    assert_int_equal(facts.address_flags & (IFA_F_NODAD | IFA_F_NOPREFIXROUTE),
                     IFA_F_NODAD | IFA_F_NOPREFIXROUTE);
    close_loopback(&interface, &space);
}

static void a_neighbour_is_permanent(void **state)
{
    const uint8_t mac[INTERFACE_MAC_LENGTH] = {2, 0, 0, 0, 0, 9};
    struct fixture fixture;
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);
    struct interface *end = &fixture.link.ends[LINK_SUT];
    int before = list(end, RTM_GETNEIGH, AF_INET).count;

    fixture_assert_ok(interface_add_neighbour(end, &two, mac, &fixture.failure), &fixture.failure);
    struct facts facts = list(end, RTM_GETNEIGH, AF_INET);
    assert_int_equal(facts.count, before + 1);
    assert_int_equal(facts.neighbour_state, NUD_PERMANENT);
    fixture_close(&fixture);
}

static void deleting_one_end_takes_the_other_along(void **state)
{
    struct fixture fixture;
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);

    fixture_assert_ok(interface_delete(&fixture.link.ends[LINK_SUT], &fixture.failure),
                      &fixture.failure);
    for (enum link_side side = 0; side < LINK_SIDES; side++)
        assert_int_equal(interface_find(&fixture.link.ends[side], NULL), -ENODEV);
    fixture_close(&fixture);
}

static void an_interface_that_is_down_does_not_become_ready(void **state)
{
    struct space space;
    struct limit limit = LIMIT_NONE;
    struct failure failure;
    (void)state;
    fixture_need_namespaces();
    struct interface interface = open_loopback(&space);

    assert_int_equal(limit_open(&limit, 1, NULL), 0);
    assert_int_equal(interface_await(&interface, NULL, &limit, &failure), -ETIMEDOUT);
    assert_int_equal(strncmp(failure.text, "lo: wait for operational state UP: ", 35), 0);
    limit_close(&limit);
    close_loopback(&interface, &space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_index),
        cmocka_unit_test(a_step_that_fails_names_itself_and_the_interface),
        cmocka_unit_test(raising_sets_the_interface_up),
        cmocka_unit_test(an_ipv6_address_can_be_used_at_once),
        cmocka_unit_test(a_neighbour_is_permanent),
        cmocka_unit_test(deleting_one_end_takes_the_other_along),
        cmocka_unit_test(an_interface_that_is_down_does_not_become_ready),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
