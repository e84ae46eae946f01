/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "harness/ledger/wire.h"
#include "tests/support/story.h"
static void address(struct sockaddr_storage *storage, const char *text, uint16_t port)
{
    struct sockaddr_in *in = (struct sockaddr_in *)storage;

    in->sin_family = AF_INET;
    in->sin_port = htons(port);
    assert_int_equal(inet_pton(AF_INET, text, &in->sin_addr), 1);
}

static void only_peers_with_addresses_are_connections(void **state)
{
    struct story story;
    struct naming naming;

    (void)state;
    story_begin(&story, REACTOR_ET, "A B C");
    address(&story.got[0].near, "192.0.2.1", 4000);
    address(&story.got[0].far, "192.0.2.2", 7000);
    address(&story.got[2].near, "192.0.2.1", 4001);
    address(&story.got[2].far, "192.0.2.2", 7000);
    assert_int_equal(wire_naming(&story.happened, &naming), 0);
    assert_int_equal(naming.count, 2);
    assert_string_equal(naming.connections[0].name, "A");
    assert_string_equal(naming.connections[1].name, "C");
    assert_int_equal(naming.connections[1].peer.port, 4001);
    assert_int_equal(naming.connections[1].sut.port, 7000);
    wire_naming_free(&naming);
    assert_int_equal(naming.count, 0);
    story_end(&story);
}

static void addresses_that_make_no_connection_are_refused(void **state)
{
    struct story story;
    struct naming naming = {.count = 9};

    (void)state;
    story_begin(&story, REACTOR_ET, "A");
    address(&story.got[0].near, "192.0.2.1", 4000);
    assert_int_equal(wire_naming(&story.happened, &naming), -EINVAL);
    story.got[0].far.ss_family = AF_UNIX;
    assert_int_equal(wire_naming(&story.happened, &naming), -EINVAL);
    story.got[0].peer = 5;
    assert_int_equal(wire_naming(&story.happened, &naming), -EINVAL);
    assert_int_equal(naming.count, 9);
    story_end(&story);
}

static void a_link_without_packets_has_no_rows(void **state)
{
    struct story story;
    struct packet_list packets;
    struct lines rows = {0}, left_over = {0}, notes = {0};

    (void)state;
    story_begin(&story, REACTOR_ET, "A");
    packet_list_init(&packets, 10, 1000);
    story.happened.packets = &packets;
    assert_int_equal(wire_tell(&story.happened, &rows, &left_over, &notes), 0);
    assert_int_equal(rows.count, 0);
    assert_int_equal(left_over.count, 0);
    story.got[0].near.ss_family = AF_UNIX;
    assert_int_equal(wire_tell(&story.happened, &rows, &left_over, &notes), -EINVAL);
    packet_list_free(&packets);
    story_end(&story);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_peers_with_addresses_are_connections),
        cmocka_unit_test(addresses_that_make_no_connection_are_refused),
        cmocka_unit_test(a_link_without_packets_has_no_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
