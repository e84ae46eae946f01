/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/sut/callers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "harness/peer.h"
#include "tests/support/fake_os.h"

static void a_port_is_a_peers(void **state)
{
    struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};

    (void)state;
    for (uint32_t peer = 0; peer < PLAN_PEERS_MAX; peer++) {
        ipv4.sin_port = ipv6.sin6_port = htons((uint16_t)(CALLERS_PORT + peer));
        assert_int_equal(callers_peer(&ipv4, sizeof(ipv4)), peer);
        assert_int_equal(callers_peer(&ipv6, sizeof(ipv6)), peer);
    }
    ipv4.sin_port = htons(CALLERS_PORT - 1);
    assert_int_equal(callers_peer(&ipv4, sizeof(ipv4)), PLAN_NOBODY);
    ipv4.sin_port = htons(CALLERS_PORT + PLAN_PEERS_MAX);
    assert_int_equal(callers_peer(&ipv4, sizeof(ipv4)), PLAN_NOBODY);
}

static void a_name_is_a_peers(void **state)
{
    static const char *const others[] = {
        "x", "edgewise-peer-", "edgewise-sut-3", "edgewise-peer-64",
        "edgewise-peer-00000000000000000000000000000000001",
    };
    struct sockaddr_storage address;
    char name[CALLERS_NAME_MAX];
    socklen_t length;

    (void)state;
    for (uint32_t peer = 0; peer < PLAN_PEERS_MAX; peer++) {
        callers_name(peer, name);
        assert_int_equal(peer_unix_address(name, &address, &length), 0);
        assert_int_equal(callers_peer(&address, length), peer);
    }
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
        assert_int_equal(peer_unix_address(others[i], &address, &length), 0);
        assert_int_equal(callers_peer(&address, length), PLAN_NOBODY);
    }
    assert_int_equal(callers_peer(&address, sizeof(sa_family_t)), PLAN_NOBODY);
}

static uint32_t heard_last;
static unsigned heard_count;

static void heard(void *arg, uint32_t peer)
{
    (void)arg;
    heard_last = peer;
    heard_count++;
}

/* Connections wait in another order than that of the peers, and one caller is gone already. */
static void each_accept_says_who_called(void **state)
{
    static const uint32_t order[] = {2, 0, 1};
    struct sockaddr_storage address;
    struct fake_os kernel;
    struct callers callers;
    struct os os = callers_wrap(&callers, fake_os_table(&kernel), heard, NULL);
    char name[CALLERS_NAME_MAX];
    socklen_t length;
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    int fds[3];

    (void)state;
    (void)snprintf(name, sizeof(name), "edgewise-test-%d", (int)getpid());
    assert_int_equal(peer_unix_address(name, &address, &length), 0);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(listener, 8), 0);
    assert_int_equal(os_accept(os, listener), -EAGAIN);
    assert_int_equal(heard_count, 0);
    for (int i = 0; i < 3; i++) {
        struct sockaddr_storage near;
        socklen_t near_length;

        callers_name(order[i], name);
        assert_int_equal(peer_unix_address(name, &near, &near_length), 0);
        fds[i] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        assert_int_equal(bind(fds[i], (struct sockaddr *)&near, near_length), 0);
        assert_int_equal(connect(fds[i], (struct sockaddr *)&address, length), 0);
    }
    (void)close(fds[1]);
    for (int i = 0; i < 3; i++) {
        int fd = os_accept(os, listener);

        assert_true(fd >= 0);
        assert_int_equal(heard_last, order[i]);
        (void)close(fd);
    }
    assert_int_equal(heard_count, 3);
    (void)close(fds[0]);
    (void)close(fds[2]);
    (void)close(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_port_is_a_peers),
        cmocka_unit_test(a_name_is_a_peers),
        cmocka_unit_test(each_accept_says_who_called),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
