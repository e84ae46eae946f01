/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include "netns/limit.h"
#include "netns/netlink.h"
#include "netns/offload.h"

static void carries_tcp(sa_family_t family)
{
    struct fixture fixture;
    char text[8] = {0};

    fixture_open(&fixture);
    int listener = fixture_listen(&fixture, family, 7000);
    int client = fixture_connect(&fixture, family, 7000);
    int server = accept(listener, NULL, NULL);
    assert_true(server >= 0);

    assert_int_equal(send(client, "hello", 5, 0), 5);
    assert_int_equal(recv(server, text, sizeof(text), 0), 5);
    assert_string_equal(text, "hello");
    assert_int_equal(send(server, "you", 3, 0), 3);
    assert_int_equal(recv(client, text, sizeof(text), 0), 3);

    (void)close(server);
    (void)close(client);
    (void)close(listener);
    fixture_close(&fixture);
}

static void carries_tcp_over_ipv4(void **state)
{
    (void)state;
    fixture_need_namespaces();
    carries_tcp(AF_INET);
}

static void carries_tcp_over_ipv6(void **state)
{
    (void)state;
    fixture_need_namespaces();
    carries_tcp(AF_INET6);
}

/* The metrics of the routes, seen where they act: in the connection itself. */
static void a_connection_starts_with_the_window_of_the_route(void **state)
{
    const sa_family_t families[] = {AF_INET, AF_INET6};
    struct fixture fixture;
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);

    for (size_t i = 0; i < 2; i++) {
        int listener = fixture_listen(&fixture, families[i], 7000);
        int client = fixture_connect(&fixture, families[i], 7000);
        int server = accept(listener, NULL, NULL);
        int ends[] = {client, server};
        for (size_t end = 0; end < 2; end++) {
            struct tcp_info info;
            socklen_t length = sizeof(info);
            assert_int_equal(getsockopt(ends[end], IPPROTO_TCP, TCP_INFO, &info, &length), 0);
            assert_int_equal(info.tcpi_snd_cwnd, 1000);
            assert_int_equal(close(ends[end]), 0);
        }
        (void)close(listener);
    }
    fixture_close(&fixture);
}

/* Delivery is synchronous (E118), on the very first send too: nothing has to be resolved. */
static void the_first_datagram_arrives_before_send_returns(void **state)
{
    const sa_family_t families[] = {AF_INET, AF_INET6};
    struct fixture fixture;
    (void)state;
    fixture_need_namespaces();
    fixture_pin();

    for (size_t i = 0; i < 2; i++) {
        for (enum link_side side = 0; side < LINK_SIDES; side++) {
            struct sockaddr_storage address;
            char byte = 0;
            fixture_open(&fixture);
            int receiver = fixture_socket(&fixture, side, families[i], SOCK_DGRAM);
            int sender = fixture_socket(&fixture, LINK_PEER - side, families[i], SOCK_DGRAM);
            socklen_t length = link_address(side, families[i], 9, &address);
            assert_int_equal(bind(receiver, (struct sockaddr *)&address, length), 0);
            assert_int_equal(sendto(sender, "x", 1, 0, (struct sockaddr *)&address, length), 1);
            assert_int_equal(recv(receiver, &byte, 1, MSG_DONTWAIT), 1);
            (void)close(receiver);
            (void)close(sender);
            fixture_close(&fixture);
        }
    }
}

static void offloads_are_off_unless_asked_for(void **state)
{
    struct fixture fixture;
    struct link_options options = LINK_OPTIONS_DEFAULT;
    (void)state;
    fixture_need_namespaces();

    fixture_open(&fixture);
    for (enum link_side side = 0; side < LINK_SIDES; side++)
        assert_int_equal(offload_count(&fixture.spaces[side], link_name(side), NULL), 0);
    fixture_close(&fixture);

    options.offload = true;
    assert_int_equal(space_open(&fixture.spaces[0], NULL), 0);
    assert_int_equal(space_open(&fixture.spaces[1], NULL), 0);
    assert_int_equal(link_open(&fixture.link, &fixture.spaces[0], &fixture.spaces[1], &options,
                               NULL), 0);
    assert_true(offload_count(&fixture.spaces[0], LINK_SUT_NAME, NULL) > 0);
    fixture_close(&fixture);
}

struct addresses {
    int ipv4, ipv6;
};

static void count_address(void *arg, struct nlmsghdr *answer)
{
    struct addresses *addresses = arg;
    const struct ifaddrmsg *fixed = NLMSG_DATA(answer);

    addresses->ipv4 += fixed->ifa_family == AF_INET && fixed->ifa_index > 1;
    addresses->ipv6 += fixed->ifa_family == AF_INET6 && fixed->ifa_index > 1;
}

static struct addresses addresses_of(struct netlink *netlink)
{
    const struct ifaddrmsg any = {.ifa_family = AF_UNSPEC};
    struct addresses addresses = {0, 0};

    assert_int_equal(netlink_call(netlink, netlink_request(RTM_GETADDR, NLM_F_DUMP, &any,
                                                           sizeof(any)),
                                  0, count_address, &addresses, "list addresses", NULL), 0);
    return addresses;
}

static void has_the_asked_addresses_and_none_of_its_own(void **state)
{
    struct fixture fixture;
    struct link_options only_ipv4 = {.ipv4 = true};
    (void)state;
    fixture_need_namespaces();

    fixture_open(&fixture);
    for (enum link_side side = 0; side < LINK_SIDES; side++) {
        struct addresses found = addresses_of(&fixture.link.ends[side].netlink);
        assert_int_equal(found.ipv4, 1);
        assert_int_equal(found.ipv6, 1);
    }
    fixture_close(&fixture);

    assert_int_equal(space_open(&fixture.spaces[0], NULL), 0);
    assert_int_equal(space_open(&fixture.spaces[1], NULL), 0);
    assert_int_equal(link_open(&fixture.link, &fixture.spaces[0], &fixture.spaces[1], &only_ipv4,
                               NULL), 0);
    struct addresses found = addresses_of(&fixture.link.ends[LINK_SUT].netlink);
    assert_int_equal(found.ipv4, 1);
    assert_int_equal(found.ipv6, 0);
    fixture_close(&fixture);
}

/* A second pair cannot be made in the same place; the first must not suffer. */
static void a_failed_step_is_named_and_leaves_nothing(void **state)
{
    struct fixture fixture;
    struct link second = LINK_NONE;
    const struct link_options options = LINK_OPTIONS_DEFAULT;
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);
    int before = fixture_descriptors();

    assert_int_equal(link_open(&second, &fixture.spaces[LINK_SUT], &fixture.spaces[LINK_PEER],
                               &options, &fixture.failure), -EEXIST);
    assert_non_null(strstr(fixture.failure.text, "create the veth pair"));
    assert_non_null(strstr(fixture.failure.text, "File exists"));
    assert_int_equal(fixture_descriptors(), before);
    assert_int_equal(second.ends[LINK_SUT].netlink.fd, -1);

    int listener = fixture_listen(&fixture, AF_INET, 7000);
    int client = fixture_connect(&fixture, AF_INET, 7000);
    (void)close(client);
    (void)close(listener);
    fixture_close(&fixture);
}

/* The pair exists when a later step fails: here the peer's name is free, its address is not. */
static void a_late_failure_removes_the_pair(void **state)
{
    struct fixture fixture;
    struct link second = LINK_NONE;
    struct space third = SPACE_NONE;
    struct interface gone = INTERFACE_NONE;
    struct link_options options = LINK_OPTIONS_DEFAULT;
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);
    fixture_assert_ok(space_open(&third, &fixture.failure), &fixture.failure);

    /* The first link's peer as the second's sut: "sut0" is free there, the route is taken. */
    assert_int_equal(link_open(&second, &fixture.spaces[LINK_PEER], &third, &options,
                               &fixture.failure), -EEXIST);
    assert_non_null(strstr(fixture.failure.text, "sut0: add the IPv4 route"));
    fixture_assert_ok(interface_open(&gone, &third, LINK_PEER_NAME, &fixture.failure),
                      &fixture.failure);
    assert_int_equal(interface_find(&gone, &fixture.failure), -ENODEV);

    interface_close(&gone);
    space_close(&third);
    fixture_close(&fixture);
}

/* Nobody deletes the pair: the end that we still see vanishes with the other namespace. */
static void closing_a_namespace_removes_the_pair(void **state)
{
    struct fixture fixture;
    struct limit limit = LIMIT_NONE;
    (void)state;
    fixture_need_namespaces();
    int before = fixture_descriptors();
    fixture_open(&fixture);
    struct interface *peer = &fixture.link.ends[LINK_PEER];
    fixture_assert_ok(netlink_subscribe(&peer->netlink, RTNLGRP_LINK, &fixture.failure),
                      &fixture.failure);

    interface_close(&fixture.link.ends[LINK_SUT]);
    space_close(&fixture.spaces[LINK_SUT]);

    assert_int_equal(limit_open(&limit, FIXTURE_LIMIT_MS, NULL), 0);
    while (interface_find(peer, NULL) == 0)
        assert_int_equal(limit_wait(&limit, peer->netlink.fd, NULL), 1);
    assert_int_equal(interface_find(peer, NULL), -ENODEV);
    limit_close(&limit);
    fixture_close(&fixture);
    assert_int_equal(fixture_descriptors(), before);
}

static void a_limit_names_what_did_not_come(void **state)
{
    struct fixture fixture;
    struct limit limit = LIMIT_NONE;
    const struct interface_address absent = { AF_INET6, 64, {0x20, 0x01, 0x0d, 0xb8, [15] = 9} };
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);

    assert_int_equal(limit_open(&limit, 1, NULL), 0);
    assert_int_equal(interface_await(&fixture.link.ends[LINK_SUT], &absent, &limit,
                                     &fixture.failure), -ETIMEDOUT);
    assert_non_null(strstr(fixture.failure.text,
                           "sut0: wait for the local route of its IPv6 address"));
    limit_close(&limit);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carries_tcp_over_ipv4),
        cmocka_unit_test(carries_tcp_over_ipv6),
        cmocka_unit_test(a_connection_starts_with_the_window_of_the_route),
        cmocka_unit_test(the_first_datagram_arrives_before_send_returns),
        cmocka_unit_test(offloads_are_off_unless_asked_for),
        cmocka_unit_test(has_the_asked_addresses_and_none_of_its_own),
        cmocka_unit_test(a_failed_step_is_named_and_leaves_nothing),
        cmocka_unit_test(a_late_failure_removes_the_pair),
        cmocka_unit_test(closing_a_namespace_removes_the_pair),
        cmocka_unit_test(a_limit_names_what_did_not_come),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
