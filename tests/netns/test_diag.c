/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <netinet/in.h>
#include <sys/un.h>

#include "netns/diag.h"

/* A connection from the peer to the sut, watched from outside in both namespaces. */
struct watched {
    struct fixture fixture;
    struct diag diags[LINK_SIDES];
    struct diag_key keys[LINK_SIDES];
    int listener, client, server;
};

static uint64_t cookie_of(int fd)
{
    uint64_t cookie = 0;
    socklen_t length = sizeof(cookie);

    assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &length), 0);
    return cookie;
}

static struct diag_key key_of(int fd)
{
    struct sockaddr_storage local, remote;
    socklen_t length = sizeof(local);
    struct diag_key key;

    assert_int_equal(getsockname(fd, (struct sockaddr *)&local, &length), 0);
    length = sizeof(remote);
    assert_int_equal(getpeername(fd, (struct sockaddr *)&remote, &length), 0);
    assert_int_equal(diag_key_set(&key, (struct sockaddr *)&local, (struct sockaddr *)&remote,
                                  cookie_of(fd)), 0);
    return key;
}

static void watched_open(struct watched *watched, sa_family_t family)
{
    struct fixture *fixture = &watched->fixture;

    fixture_open(fixture);
    for (enum link_side side = 0; side < LINK_SIDES; side++)
        fixture_assert_ok(diag_open(&watched->diags[side], &fixture->spaces[side],
                                    &fixture->failure), &fixture->failure);
    watched->listener = fixture_listen(fixture, family, 7000);
    watched->client = fixture_connect(fixture, family, 7000);
    watched->server = accept(watched->listener, NULL, NULL);
    assert_true(watched->server >= 0);
    watched->keys[LINK_SUT] = key_of(watched->server);
    watched->keys[LINK_PEER] = key_of(watched->client);
}

static void watched_close(struct watched *watched)
{
    const int fds[] = {watched->listener, watched->client, watched->server};

    for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
        if (fds[i] >= 0)
            assert_int_equal(close(fds[i]), 0);
    diag_close(&watched->diags[LINK_SUT]);
    diag_close(&watched->diags[LINK_PEER]);
    fixture_close(&watched->fixture);
}

/* The answer for one end, which must exist. */
static struct diag_tcp look(struct watched *watched, enum link_side side)
{
    struct diag_tcp tcp;

    assert_int_equal(diag_tcp(&watched->diags[side], &watched->keys[side], true, &tcp), 1);
    return tcp;
}

static void close_with_reset(int *fd)
{
    const struct linger now = {.l_onoff = 1};

    assert_int_equal(setsockopt(*fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now)), 0);
    assert_int_equal(close(*fd), 0);
    *fd = -1;
}

static void counts_unread_bytes(sa_family_t family)
{
    struct watched watched;
    struct stat status;

    watched_open(&watched, family);
    assert_int_equal(send(watched.client, "12345", 5, 0), 5);

    struct diag_tcp sut = look(&watched, LINK_SUT);
    assert_int_equal(sut.state, DIAG_ESTABLISHED);
    assert_int_equal(sut.rqueue, 5);
    assert_int_equal(sut.wqueue, 0);
    assert_int_equal(sut.cookie, cookie_of(watched.server));
    assert_int_equal(fstat(watched.server, &status), 0);
    assert_int_equal(sut.inode, status.st_ino);
    assert_true(sut.has_counters);
    assert_int_equal(sut.counters.bytes_received, 5);

    struct diag_tcp peer = look(&watched, LINK_PEER);
    assert_int_equal(peer.counters.bytes_sent, 5);
    assert_int_equal(peer.counters.bytes_retrans, 0);
    assert_int_equal(peer.counters.notsent_bytes, 0);
    assert_true(peer.counters.snd_wnd_bytes > 1000);
    watched_close(&watched);
}

static void counts_unread_bytes_over_ipv4(void **state)
{
    (void)state;
    fixture_need_namespaces();
    counts_unread_bytes(AF_INET);
}

static void counts_unread_bytes_over_ipv6(void **state)
{
    (void)state;
    fixture_need_namespaces();
    counts_unread_bytes(AF_INET6);
}

/* E120: the FIN is one more in rqueue and in bytes_received. */
static void a_fin_is_close_wait_and_counts_one(void **state)
{
    struct watched watched;
    (void)state;
    fixture_need_namespaces();
    watched_open(&watched, AF_INET);

    assert_int_equal(send(watched.client, "12345", 5, 0), 5);
    assert_int_equal(shutdown(watched.client, SHUT_WR), 0);

    struct diag_tcp sut = look(&watched, LINK_SUT);
    assert_int_equal(sut.state, DIAG_CLOSE_WAIT);
    assert_int_equal(sut.rqueue, 6);
    assert_int_equal(sut.counters.bytes_received, 6);
    struct diag_tcp peer = look(&watched, LINK_PEER);
    assert_true(peer.state == DIAG_FIN_WAIT1 || peer.state == DIAG_FIN_WAIT2);
    watched_close(&watched);
}

static void after_a_reset_there_is_no_such_socket(void **state)
{
    const sa_family_t families[] = {AF_INET, AF_INET6};
    struct watched watched;
    struct diag_tcp untouched = {.rqueue = 77};
    (void)state;
    fixture_need_namespaces();

    for (size_t i = 0; i < 2; i++) {
        watched_open(&watched, families[i]);
        close_with_reset(&watched.client);
        assert_int_equal(diag_tcp(&watched.diags[LINK_SUT], &watched.keys[LINK_SUT], true,
                                  &untouched), 0);
        assert_int_equal(diag_tcp(&watched.diags[LINK_PEER], &watched.keys[LINK_PEER], true,
                                  &untouched), 0);
        assert_int_equal(untouched.rqueue, 77);
        watched_close(&watched);
    }
}

/* Without the cookie the kernel falls back to the listener: that is no connection. */
static void a_listener_does_not_pass_for_the_connection(void **state)
{
    struct watched watched;
    struct diag_tcp tcp;
    (void)state;
    fixture_need_namespaces();
    watched_open(&watched, AF_INET);
    watched.keys[LINK_SUT].cookie = DIAG_ANY_COOKIE;

    assert_int_equal(diag_tcp(&watched.diags[LINK_SUT], &watched.keys[LINK_SUT], false, &tcp), 1);
    assert_false(tcp.has_counters);
    close_with_reset(&watched.client);
    assert_int_equal(diag_tcp(&watched.diags[LINK_SUT], &watched.keys[LINK_SUT], false, &tcp), 0);
    watched_close(&watched);
}

static void another_cookie_is_another_socket(void **state)
{
    struct watched watched;
    struct diag_tcp tcp;
    (void)state;
    fixture_need_namespaces();
    watched_open(&watched, AF_INET);
    watched.keys[LINK_SUT].cookie++;

    assert_int_equal(diag_tcp(&watched.diags[LINK_SUT], &watched.keys[LINK_SUT], true, &tcp), 0);
    watched_close(&watched);
}

static void a_namespace_does_not_show_the_others_sockets(void **state)
{
    struct watched watched;
    struct diag_tcp tcp;
    (void)state;
    fixture_need_namespaces();
    watched_open(&watched, AF_INET);

    assert_int_equal(diag_tcp(&watched.diags[LINK_PEER], &watched.keys[LINK_SUT], true, &tcp), 0);
    watched_close(&watched);
}

/* The side that closes first stays in TIME_WAIT, without counters. */
static void time_wait_is_seen(void **state)
{
    struct watched watched;
    struct diag_tcp tcp;
    (void)state;
    fixture_need_namespaces();
    watched_open(&watched, AF_INET);

    assert_int_equal(close(watched.server), 0);
    assert_int_equal(close(watched.client), 0);
    watched.server = watched.client = -1;

    assert_int_equal(diag_tcp(&watched.diags[LINK_SUT], &watched.keys[LINK_SUT], true, &tcp), 1);
    assert_int_equal(tcp.state, DIAG_TIME_WAIT);
    assert_false(tcp.has_counters);
    assert_int_equal(diag_tcp(&watched.diags[LINK_PEER], &watched.keys[LINK_PEER], true, &tcp), 0);
    watched_close(&watched);
}

/* The signs of a blocked sender, as lock-step asks for them. */
static void a_blocked_sender_shows_a_closed_window(void **state)
{
    struct watched watched;
    static char block[65536];
    struct diag_tcp peer, sut;
    (void)state;
    fixture_need_namespaces();
    fixture_pin();
    watched_open(&watched, AF_INET);

    while (send(watched.client, block, sizeof(block), MSG_DONTWAIT) > 0)
        continue;
    assert_int_equal(errno, EAGAIN);
    do { /* bounded by the test's own time limit: the last segments are acknowledged */
        peer = look(&watched, LINK_PEER);
        sut = look(&watched, LINK_SUT);
    } while (peer.counters.unacked_segments > 0 || peer.counters.snd_wnd_bytes > 0);

    assert_true(peer.counters.notsent_bytes > 0);
    assert_int_equal(sut.counters.bytes_received,
                     peer.counters.bytes_sent - peer.counters.bytes_retrans);
    assert_int_equal(sut.rqueue, sut.counters.bytes_received);
    watched_close(&watched);
}

static int keep_listener(void *arg, const struct diag_listener *listener)
{
    struct diag_listener *kept = arg;

    assert_int_equal(kept->port, 0);
    *kept = *listener;
    return 0;
}

static int stop_at_once(void *arg, const struct diag_listener *listener)
{
    (void)listener;
    ++*(int *)arg;
    return 7;
}

static void lists_the_listeners_of_the_namespace(void **state)
{
    struct watched watched;
    struct diag_listener kept = {.port = 0};
    struct stat status;
    int calls = 0;
    (void)state;
    fixture_need_namespaces();
    watched_open(&watched, AF_INET6);
    int waiting = fixture_connect(&watched.fixture, AF_INET6, 7000);

    assert_int_equal(diag_listeners(&watched.diags[LINK_SUT], keep_listener, &kept), 0);
    assert_int_equal(kept.family, AF_INET6);
    assert_int_equal(kept.port, 7000);
    assert_int_equal(kept.waiting, 1);
    assert_int_equal(kept.backlog, 8);
    assert_int_equal(fstat(watched.listener, &status), 0);
    assert_int_equal(kept.inode, status.st_ino);
    assert_int_equal(diag_listeners(&watched.diags[LINK_PEER], stop_at_once, &calls), 0);
    assert_int_equal(calls, 0);

    int second = fixture_listen(&watched.fixture, AF_INET, 7001);
    assert_int_equal(diag_listeners(&watched.diags[LINK_SUT], stop_at_once, &calls), 7);
    assert_int_equal(calls, 1);
    (void)close(second);
    (void)close(waiting);
    watched_close(&watched);
}

static uint32_t inode_of(int fd)
{
    struct stat status;

    assert_int_equal(fstat(fd, &status), 0);
    return (uint32_t)status.st_ino;
}

static void looks_up_unix_sockets(void **state)
{
    struct space space = SPACE_NONE;
    struct diag diag = DIAG_NONE;
    struct diag_unix answer;
    struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "\0edgewise-test" };
    const socklen_t length = offsetof(struct sockaddr_un, sun_path) + 14;
    (void)state;
    fixture_need_namespaces();
    assert_int_equal(space_open(&space, NULL), 0);
    assert_int_equal(diag_open(&diag, &space, NULL), 0);
    int listener = space_socket(&space, AF_UNIX, SOCK_STREAM, 0, NULL);
    int client = space_socket(&space, AF_UNIX, SOCK_STREAM, 0, NULL);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, length), 0);
    assert_int_equal(listen(listener, 4), 0);
    assert_int_equal(connect(client, (struct sockaddr *)&address, length), 0);

    assert_int_equal(diag_unix(&diag, inode_of(listener), &answer), 1);
    assert_int_equal(answer.state, DIAG_LISTEN);
    assert_int_equal(answer.rqueue, 1);
    int server = accept(listener, NULL, NULL);
    assert_int_equal(send(client, "12345", 5, 0), 5);
    assert_int_equal(diag_unix(&diag, inode_of(client), &answer), 1);
    assert_int_equal(answer.state, DIAG_ESTABLISHED);
    assert_int_equal(answer.peer_inode, inode_of(server));

    uint32_t inode = answer.peer_inode;
    assert_int_equal(diag_unix(&diag, inode, &answer), 1);
    assert_int_equal(answer.rqueue, 5);
    assert_int_equal(answer.peer_inode, inode_of(client));
    assert_int_equal(answer.shutdown, 0);
    assert_int_equal(shutdown(client, SHUT_WR), 0);
    assert_int_equal(diag_unix(&diag, inode, &answer), 1);
    assert_int_equal(answer.shutdown, 1);

    assert_int_equal(close(server), 0);
    assert_int_equal(diag_unix(&diag, inode, &answer), 0);
    (void)close(client);
    (void)close(listener);
    diag_close(&diag);
    space_close(&space);
}

static void a_key_needs_two_addresses_of_one_inet_family(void **state)
{
    const struct sockaddr_in ipv4 = {.sin_family = AF_INET};
    const struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6};
    const struct sockaddr_un local = {.sun_family = AF_UNIX};
    struct diag_key key = {.cookie = 77};
    (void)state;

    assert_int_equal(diag_key_set(&key, (const struct sockaddr *)&ipv4,
                                  (const struct sockaddr *)&ipv6, 1), -EAFNOSUPPORT);
    assert_int_equal(diag_key_set(&key, (const struct sockaddr *)&local,
                                  (const struct sockaddr *)&local, 1), -EAFNOSUPPORT);
    assert_int_equal(key.cookie, 77);
}

static void names_the_states(void **state)
{
    (void)state;
    assert_string_equal(diag_state_name(DIAG_CLOSE_WAIT), "CLOSE_WAIT");
    assert_string_equal(diag_state_name((enum diag_state)0), "?");
    assert_string_equal(diag_state_name((enum diag_state)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_unread_bytes_over_ipv4),
        cmocka_unit_test(counts_unread_bytes_over_ipv6),
        cmocka_unit_test(a_fin_is_close_wait_and_counts_one),
        cmocka_unit_test(after_a_reset_there_is_no_such_socket),
        cmocka_unit_test(a_listener_does_not_pass_for_the_connection),
        cmocka_unit_test(another_cookie_is_another_socket),
        cmocka_unit_test(a_namespace_does_not_show_the_others_sockets),
        cmocka_unit_test(time_wait_is_seen),
        cmocka_unit_test(a_blocked_sender_shows_a_closed_window),
        cmocka_unit_test(lists_the_listeners_of_the_namespace),
        cmocka_unit_test(looks_up_unix_sockets),
        cmocka_unit_test(a_key_needs_two_addresses_of_one_inet_family),
        cmocka_unit_test(names_the_states),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
