/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "tests/pcaps/crafted.h"
#include "tests/pcaps/kernel_frames.h"

static struct packet_list opened(void)
{
    struct packet_list list = crafted_list();

    crafted_handshake(&list, crafted_ipv4);
    return list;
}

static void add_kernel_frame(struct packet_list *list, const char *hex)
{
    uint8_t bytes[CRAFTED_FRAME_BYTES];

    crafted_add_frame(list, bytes, kernel_frame(hex, bytes, sizeof(bytes)), 0);
}

static void expect_fact(const struct transcript *t, size_t index, enum transcript_kind kind,
                        enum naming_direction direction, size_t packet, uint64_t offset)
{
    const struct transcript_fact *fact = &t->connections[0].facts[index];

    assert_true(index < t->connections[0].fact_count);
    assert_int_equal(fact->kind, kind);
    assert_int_equal(fact->direction, direction);
    assert_int_equal(fact->packet, packet);
    assert_int_equal(fact->offset, offset);
}

/* > SYN, < SYN, > ACK, < ACK, > "ab", < ACK window 0, > "ab" again, > FIN, < FIN, > ACK */
static void segments_that_tell_nothing_new_leave_no_trace(void **state)
{
    struct packet_list list = opened();
    struct transcript t;

    (void)state;
    SUT_SENDS(&list, .flags = ACK, .window = 9);
    PEER_SENDS(&list, .data = "ab");
    SUT_SENDS(&list, .flags = ACK, .ack = 2);
    PEER_SENDS(&list, .data = "ab");
    PEER_SENDS(&list, .flags = FIN, .at = 2);
    SUT_SENDS(&list, .flags = FIN);
    PEER_SENDS(&list, .flags = ACK, .at = 3);
    t = crafted_transcript(&list, crafted_ipv4);
    assert_int_equal(t.anomalies.total, 0);
    assert_int_equal(t.connections[0].fact_count, 5);
    expect_fact(&t, 0, TRANSCRIPT_SYN, NAMING_TO_SUT, 0, 0);
    expect_fact(&t, 1, TRANSCRIPT_SYN, NAMING_TO_PEER, 1, 0);
    expect_fact(&t, 2, TRANSCRIPT_DATA, NAMING_TO_SUT, 4, 0);
    expect_fact(&t, 3, TRANSCRIPT_FIN, NAMING_TO_SUT, 7, 2);
    expect_fact(&t, 4, TRANSCRIPT_FIN, NAMING_TO_PEER, 8, 0);
    transcript_free(&t);
    packet_list_free(&list);
}

/* > FIN at 4, > "cd" at 2, > "ab" at 0: all of it counts with the last packet. */
static void facts_count_when_nothing_before_them_is_missing(void **state)
{
    struct packet_list list = opened();
    struct transcript t;

    (void)state;
    PEER_SENDS(&list, .flags = FIN, .at = 4);
    PEER_SENDS(&list, .data = "cd", .at = 2);
    PEER_SENDS(&list, .data = "ab");
    t = crafted_transcript(&list, crafted_ipv4);
    assert_int_equal(t.anomalies.total, 0);
    assert_int_equal(t.connections[0].fact_count, 4);
    expect_fact(&t, 2, TRANSCRIPT_DATA, NAMING_TO_SUT, 5, 0);
    assert_int_equal(t.connections[0].facts[2].length, 4);
    expect_fact(&t, 3, TRANSCRIPT_FIN, NAMING_TO_SUT, 5, 4);
    transcript_free(&t);
    packet_list_free(&list);
}

static void housekeeping_is_counted_and_markers_are_not(void **state)
{
    struct packet_list list = opened();
    struct transcript t;

    (void)state;
    add_kernel_frame(&list, KERNEL_ARP);
    add_kernel_frame(&list, KERNEL_MLD);
    add_kernel_frame(&list, "ffffffffffff 020000000001 88b5 00");
    t = crafted_transcript(&list, crafted_ipv4);
    assert_int_equal(t.housekeeping_count, 2);
    assert_int_equal(t.anomalies.total, 0);
    transcript_free(&t);
    packet_list_free(&list);
}

static void unexplained_packet_is_told_with_its_number(void **state)
{
    struct packet_list list = opened();

    (void)state;
    add_kernel_frame(&list, "ffffffffffff 020000000001 88cc 0207");
    crafted_expect_anomaly(&list, ANOMALY_UNEXPLAINED,
                           "packet 4: unknown EtherType (EtherType 0x88cc, IP protocol 0, "
                           "16 of 16 bytes)");
}

static void connection_without_a_name_is_told(void **state)
{
    struct naming_connection stranger = crafted_ipv4[0];
    struct packet_list list = crafted_list();

    (void)state;
    stranger.peer.port = 999;
    PEER_SENDS(&list, .of = &stranger, .flags = SYN);
    crafted_expect_anomaly(
        &list, ANOMALY_UNNAMED,
        "packet 1: TCP from 10.0.0.2:999 to 10.0.0.1:7000 is no connection of the script");
}

static void segment_with_a_bad_checksum_is_told_and_dropped(void **state)
{
    uint8_t frame[CRAFTED_FRAME_BYTES];
    struct packet_list list = opened();
    size_t bytes = crafted_frame(&(struct crafted_segment){.data = "abc"}, frame);

    (void)state;
    frame[bytes - 1] ^= 1;
    crafted_add_frame(&list, frame, bytes, 0);
    PEER_SENDS(&list, .data = "abc");
    crafted_expect_anomaly(&list, ANOMALY_CHECKSUM, "packet 4: c >: bad TCP checksum");

    list = opened();
    frame[bytes - 1] ^= 1;
    frame[14 + 8]--; /* TTL */
    crafted_add_frame(&list, frame, bytes, 0);
    crafted_expect_anomaly(&list, ANOMALY_CHECKSUM, "packet 4: c >: bad IPv4 header checksum");
}

static void checksum_left_to_an_offload_is_accepted_and_counted(void **state)
{
    struct naming_connection kernel = {
        "k", {4, 40736, {10, 9, 0, 2}}, {4, 7000, {10, 9, 0, 1}}};
    struct naming naming = {.connections = &kernel, .count = 1};
    struct packet_list list = crafted_list();
    struct transcript t;

    (void)state;
    add_kernel_frame(&list, KERNEL_SYN_ACK_OFFLOADED);
    assert_int_equal(transcript_make(&list, &naming, &t), 0);
    assert_int_equal(t.anomalies.total, 0);
    assert_int_equal(t.partial_checksum_count, 1);
    assert_int_equal(t.connections[0].fact_count, 1);
    assert_int_equal(t.connections[0].sides[NAMING_TO_PEER].mss, 1460);
    transcript_free(&t);
    packet_list_free(&list);
}

/* > "abcd", > "bX" at 1 */
static void retransmission_with_other_bytes_is_told(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .data = "abcd");
    PEER_SENDS(&list, .data = "bX", .at = 1);
    crafted_expect_anomaly(&list, ANOMALY_CONFLICT,
                           "packet 5: c >: byte 2 of the stream differs from the one seen before");
}

/* > "ab", > "ef" at 4: "cd" never comes */
static void gap_is_told_once_at_the_end(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .data = "ab");
    PEER_SENDS(&list, .data = "ef", .at = 4);
    crafted_expect_anomaly(&list, ANOMALY_GAP,
                           "packet 5: c >: bytes from 2 on never came, of 6");

    list = opened();
    PEER_SENDS(&list, .flags = FIN, .at = 3);
    crafted_expect_anomaly(&list, ANOMALY_GAP,
                           "packet 4: c >: bytes from 0 on never came, of 3");
}

static void second_syn_and_fin_are_told_when_they_differ(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .flags = SYN); /* the same again is a retransmission */
    PEER_SENDS(&list, .flags = SYN, .isn = 77);
    crafted_expect_anomaly(
        &list, ANOMALY_SECOND_SYN,
        "packet 5: c >: SYN with sequence number 77, the first had 4294967292");

    list = opened();
    PEER_SENDS(&list, .flags = FIN, .data = "ab");
    PEER_SENDS(&list, .flags = FIN, .at = 1);
    crafted_expect_anomaly(&list, ANOMALY_SECOND_FIN,
                           "packet 5: c >: FIN at 1, the first was at 2");
}

static void bytes_behind_the_fin_are_told_in_either_order(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .flags = FIN, .data = "ab");
    PEER_SENDS(&list, .data = "c", .at = 2);
    crafted_expect_anomaly(&list, ANOMALY_BEHIND_FIN,
                           "packet 5: c >: FIN at 2, but the stream has 3 bytes");

    list = opened();
    PEER_SENDS(&list, .data = "abc");
    PEER_SENDS(&list, .flags = FIN, .at = 2);
    crafted_expect_anomaly(&list, ANOMALY_BEHIND_FIN,
                           "packet 5: c >: FIN at 2, but the stream has 3 bytes");
}

static void segment_before_the_syn_is_told(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    PEER_SENDS(&list, .data = "ab");
    crafted_expect_anomaly(&list, ANOMALY_NO_SYN,
                           "packet 1: c >: a segment came before any SYN");
}

static void bytes_outside_any_window_are_told(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .data = "ab", .at = -1);
    crafted_expect_anomaly(&list, ANOMALY_OUT_OF_WINDOW,
                           "packet 4: c >: stream offset -1 while all up to 0 is there");

    list = opened();
    PEER_SENDS(&list, .flags = FIN, .at = REASSEMBLY_AHEAD_MAX + 1);
    crafted_expect_anomaly(&list, ANOMALY_OUT_OF_WINDOW,
                           "packet 4: c >: stream offset 1073741825 while all up to 0 is there");
}

/* A keep-alive stands one before the next byte and carries nothing. */
static void keep_alive_is_nothing(void **state)
{
    struct packet_list list = opened();

    (void)state;
    PEER_SENDS(&list, .flags = ACK, .at = -1);
    crafted_expect(&list, "c > SYN\n"
                          "c < SYN\n");
}

static void port_used_again_is_the_next_connection_of_that_name(void **state)
{
    struct naming_connection twice[CRAFTED_CONNECTIONS] = {crafted_ipv4[0], crafted_ipv4[0],
                                                           crafted_ipv4[0]};
    struct packet_list list = opened();
    struct transcript t;

    (void)state;
    twice[1].name = "again";
    twice[2].name = "third";
    PEER_SENDS(&list, .data = "one");
    PEER_SENDS(&list, .flags = RST, .at = 3);
    PEER_SENDS(&list, .flags = SYN, .isn = 5000);
    SUT_SENDS(&list, .flags = SYN, .isn = 6000);
    PEER_SENDS(&list, .data = "second", .isn = 5000);
    t = crafted_transcript(&list, twice);
    assert_int_equal(t.anomalies.total, 0);
    assert_int_equal(t.connections[0].sides[NAMING_TO_SUT].stream.edge, 3);
    assert_int_equal(t.connections[1].sides[NAMING_TO_SUT].stream.edge, 6);
    assert_int_equal(t.connections[1].fact_count, 3);
    assert_int_equal(t.connections[2].fact_count, 0);
    transcript_free(&t);
    packet_list_free(&list);
}

/* A port is used again only when its connection has ended. */
static void second_syn_of_an_open_connection_opens_no_other(void **state)
{
    struct naming_connection twice[CRAFTED_CONNECTIONS] = {crafted_ipv4[0], crafted_ipv4[0],
                                                           crafted_ipv4[2]};
    struct packet_list list = opened();
    struct transcript t;

    (void)state;
    twice[1].name = "again";
    PEER_SENDS(&list, .flags = FIN);
    PEER_SENDS(&list, .flags = SYN, .isn = 5000);
    t = crafted_transcript(&list, twice);
    assert_int_equal(t.anomalies.totals[ANOMALY_SECOND_SYN], 1);
    assert_int_equal(t.connections[1].fact_count, 0);
    transcript_free(&t);
    packet_list_free(&list);
}

static void syn_of_a_side_that_refused_is_told(void **state)
{
    struct packet_list list = crafted_list();

    (void)state;
    PEER_SENDS(&list, .flags = SYN);
    SUT_SENDS(&list, .flags = RST);
    SUT_SENDS(&list, .flags = SYN);
    crafted_expect_anomaly(&list, ANOMALY_SECOND_SYN,
                           "packet 3: c <: SYN of a side that refused one");
}

static void anomalies_above_the_bound_are_only_counted(void **state)
{
    struct packet_list list = crafted_list();
    struct transcript t;

    (void)state;
    for (int i = 0; i < ANOMALY_KEPT_MAX + 5; i++)
        PEER_SENDS(&list, .data = "x");
    t = crafted_transcript(&list, crafted_ipv4);
    assert_int_equal(t.anomalies.count, ANOMALY_KEPT_MAX);
    assert_int_equal(t.anomalies.total, ANOMALY_KEPT_MAX + 5);
    assert_int_equal(t.anomalies.totals[ANOMALY_NO_SYN], ANOMALY_KEPT_MAX + 5);
    assert_string_equal(anomaly_text(ANOMALY_NO_SYN), "segment without SYN");
    transcript_free(&t);
    packet_list_free(&list);
}

static void bad_naming_is_refused(void **state)
{
    struct packet_list list = crafted_list();
    struct naming_connection c = crafted_ipv4[0];
    struct naming naming = {.connections = &c, .count = 1};
    struct transcript t = {.housekeeping_count = 42};

    (void)state;
    c.name = "";
    assert_int_equal(transcript_make(&list, &naming, &t), -EINVAL);
    assert_int_equal(t.housekeeping_count, 42);
    packet_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_that_tell_nothing_new_leave_no_trace),
        cmocka_unit_test(facts_count_when_nothing_before_them_is_missing),
        cmocka_unit_test(housekeeping_is_counted_and_markers_are_not),
        cmocka_unit_test(unexplained_packet_is_told_with_its_number),
        cmocka_unit_test(connection_without_a_name_is_told),
        cmocka_unit_test(segment_with_a_bad_checksum_is_told_and_dropped),
        cmocka_unit_test(checksum_left_to_an_offload_is_accepted_and_counted),
        cmocka_unit_test(retransmission_with_other_bytes_is_told),
        cmocka_unit_test(gap_is_told_once_at_the_end),
        cmocka_unit_test(second_syn_and_fin_are_told_when_they_differ),
        cmocka_unit_test(bytes_behind_the_fin_are_told_in_either_order),
        cmocka_unit_test(segment_before_the_syn_is_told),
        cmocka_unit_test(bytes_outside_any_window_are_told),
        cmocka_unit_test(keep_alive_is_nothing),
        cmocka_unit_test(port_used_again_is_the_next_connection_of_that_name),
        cmocka_unit_test(second_syn_of_an_open_connection_opens_no_other),
        cmocka_unit_test(syn_of_a_side_that_refused_is_told),
        cmocka_unit_test(anomalies_above_the_bound_are_only_counted),
        cmocka_unit_test(bad_naming_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
