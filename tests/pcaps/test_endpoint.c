/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>

#include "tests/pcaps/crafted.h"

static struct sockaddr_in6 ipv6_sockaddr(const char *address)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(7000)};

    assert_int_equal(inet_pton(AF_INET6, address, &in6.sin6_addr), 1);
    return in6;
}

static void expect_text(const void *address, size_t length, const char *expected)
{
    struct endpoint endpoint;
    char text[ENDPOINT_TEXT_BYTES];

    assert_int_equal(endpoint_from_sockaddr(address, (socklen_t)length, &endpoint), 0);
    assert_string_equal(endpoint_text(&endpoint, text), expected);
}

static void sockaddrs_become_endpoints(void **state)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(80)};
    struct sockaddr_in6 in6 = ipv6_sockaddr("2001:db8::1");

    (void)state;
    in.sin_addr.s_addr = htonl(0xc0000201);
    expect_text(&in, sizeof(in), "192.0.2.1:80");
    expect_text(&in6, sizeof(in6), "[2001:db8::1]:7000");
}

static void longest_text_fits(void **state)
{
    struct sockaddr_in6 in6 = ipv6_sockaddr("1111:2222:3333:4444:5555:6666:7777:8888");

    (void)state;
    in6.sin6_port = htons(65535);
    expect_text(&in6, sizeof(in6), "[1111:2222:3333:4444:5555:6666:7777:8888]:65535");
}

static void mapped_address_is_ipv4_as_on_the_link(void **state)
{
    struct sockaddr_in6 in6 = ipv6_sockaddr("::ffff:10.0.0.1");

    (void)state;
    expect_text(&in6, sizeof(in6), "10.0.0.1:7000");
}

static void other_families_and_short_addresses_are_refused(void **state)
{
    struct sockaddr_in6 in6 = ipv6_sockaddr("::1");
    struct sockaddr unix_address = {.sa_family = AF_UNIX};
    struct endpoint endpoint = {.port = 9};

    (void)state;
    assert_int_equal(endpoint_from_sockaddr((const struct sockaddr *)&in6, 20, &endpoint), -EINVAL);
    assert_int_equal(endpoint_from_sockaddr(&unix_address, 1, &endpoint), -EINVAL);
    assert_int_equal(endpoint_from_sockaddr(&unix_address, sizeof(unix_address), &endpoint),
                     -EAFNOSUPPORT);
    assert_int_equal(endpoint.port, 9);
}

static void order_is_by_version_address_port(void **state)
{
    struct endpoint low = {4, 80, {10}};
    struct endpoint port = {4, 81, {10}};
    struct endpoint address = {4, 1, {11}};
    struct endpoint version = {6, 1, {0}};

    (void)state;
    assert_int_equal(endpoint_compare(&low, &low), 0);
    assert_true(endpoint_compare(&low, &port) < 0);
    assert_true(endpoint_compare(&address, &port) > 0);
    assert_true(endpoint_compare(&address, &version) < 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sockaddrs_become_endpoints),
        cmocka_unit_test(longest_text_fits),
        cmocka_unit_test(mapped_address_is_ipv4_as_on_the_link),
        cmocka_unit_test(other_families_and_short_addresses_are_refused),
        cmocka_unit_test(order_is_by_version_address_port),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
