/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/pcaps/crafted.h"
#include "tests/pcaps/kernel_frames.h"

#define ETHERNET 14
#define IPV4 (ETHERNET + 20)
#define IPV6 (ETHERNET + 40)

struct frame {
    uint8_t bytes[CRAFTED_FRAME_BYTES];
    size_t length;
};

static struct frame frame_of(const char *hex)
{
    struct frame frame = {.length = 0};

    frame.length = kernel_frame(hex, frame.bytes, sizeof(frame.bytes));
    return frame;
}

static struct frame crafted(const struct crafted_segment *s)
{
    struct frame frame;

    frame.length = crafted_frame(s, frame.bytes);
    return frame;
}

static struct dissect dissect(const struct frame *frame)
{
    struct packet packet = {
        .captured_bytes = (uint32_t)frame->length,
        .original_bytes = (uint32_t)frame->length,
        .bytes = frame->bytes,
    };

    return dissect_packet(&packet);
}

static void expect_kind(const struct frame *frame, enum dissect_kind kind)
{
    struct dissect d = dissect(frame);

    assert_string_equal(dissect_kind_text(d.kind), dissect_kind_text(kind));
}

static void expect_endpoint(const struct endpoint *endpoint, const char *expected)
{
    char text[ENDPOINT_TEXT_BYTES];

    assert_string_equal(endpoint_text(endpoint, text), expected);
}

static void kernel_syn_ack_is_read_whole(void **state)
{
    struct frame frame = frame_of(KERNEL_SYN_ACK);
    struct dissect d = dissect(&frame);
    const struct dissect_tcp_options *options = &d.tcp.options;

    (void)state;
    assert_int_equal(d.kind, DISSECT_KIND_TCP_SEGMENT);
    expect_endpoint(&d.source, "10.9.0.1:7000");
    expect_endpoint(&d.target, "10.9.0.2:40736");
    assert_int_equal(d.ethertype, 0x0800);
    assert_int_equal(d.source_mac[0], 0xd2);
    assert_int_equal(d.target_mac[5], 0x4d);
    assert_int_equal(d.ip.version, 4);
    assert_int_equal(d.ip.hop_limit, 64);
    assert_int_equal(d.ip.checksum, DISSECT_CHECKSUM_GOOD);
    assert_int_equal(d.tcp.checksum, DISSECT_CHECKSUM_GOOD);
    assert_true(d.tcp.seq == 2313058403u);
    assert_true(d.tcp.ack == 2584284880u);
    assert_int_equal(d.tcp.flags, DISSECT_SYN | DISSECT_ACK);
    assert_int_equal(d.tcp.window, 65160);
    assert_true(options->has_mss && options->has_window_scale && options->has_timestamps);
    assert_true(options->sack_permitted);
    assert_int_equal(options->mss, 1460);
    assert_int_equal(options->window_scale, 10);
    assert_true(options->timestamp_value == 2844003557u);
    assert_true(options->timestamp_echo == 3143089328u);
    assert_int_equal(d.payload_bytes, 0);
}

static void kernel_data_has_its_payload(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);
    struct dissect d = dissect(&frame);

    (void)state;
    assert_int_equal(d.kind, DISSECT_KIND_TCP_SEGMENT);
    assert_int_equal(d.ip.id, 0xbc4b);
    assert_int_equal(d.tcp.checksum, DISSECT_CHECKSUM_GOOD);
    assert_int_equal(d.payload_bytes, 4);
    assert_memory_equal(d.payload, "abc0", 4);
}

static void kernel_ipv6_segment_is_read(void **state)
{
    struct frame frame = frame_of(KERNEL_SYN_ACK_IPV6);
    struct dissect d = dissect(&frame);

    (void)state;
    assert_int_equal(d.kind, DISSECT_KIND_TCP_SEGMENT);
    expect_endpoint(&d.source, "[fd09::1]:7000");
    expect_endpoint(&d.target, "[fd09::2]:56230");
    assert_int_equal(d.ip.checksum, DISSECT_CHECKSUM_NONE);
    assert_int_equal(d.tcp.checksum, DISSECT_CHECKSUM_GOOD);
    assert_int_equal(d.tcp.options.mss, 1440);
}

static void checksum_left_to_an_offload_is_told_from_a_bad_one(void **state)
{
    struct frame frame = frame_of(KERNEL_SYN_ACK_OFFLOADED);

    (void)state;
    assert_int_equal(dissect(&frame).tcp.checksum, DISSECT_CHECKSUM_PARTIAL);
    frame.bytes[IPV4 + 16] ^= 0x40;
    assert_int_equal(dissect(&frame).tcp.checksum, DISSECT_CHECKSUM_BAD);
}

/* Inverting any single bit of the segment is found: the ones' complement sum always changes. */
static void any_flipped_bit_breaks_the_checksum(void **state)
{
    struct frame good = frame_of(KERNEL_DATA);

    (void)state;
    for (size_t bit = IPV4 * 8; bit < good.length * 8; bit++) {
        struct frame bad = good;
        struct dissect d;

        bad.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
        d = dissect(&bad);
        if (d.kind == DISSECT_KIND_TCP_SEGMENT)
            assert_int_equal(d.tcp.checksum, DISSECT_CHECKSUM_BAD);
    }
    good.bytes[ETHERNET + 8] ^= 1;
    assert_int_equal(dissect(&good).ip.checksum, DISSECT_CHECKSUM_BAD);
}

static void housekeeping_of_the_kernel_is_known(void **state)
{
    static const struct {
        const char *hex;
        enum dissect_kind kind;
    } cases[] = {
        {KERNEL_ARP, DISSECT_KIND_ARP},
        {KERNEL_MLD, DISSECT_KIND_MLD},
        {KERNEL_ROUTER_SOLICITATION, DISSECT_KIND_ROUTER_SOLICITATION},
        {KERNEL_NEIGHBOUR_ADVERTISEMENT, DISSECT_KIND_NEIGHBOUR_ADVERTISEMENT},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct frame frame = frame_of(cases[i].hex);

        expect_kind(&frame, cases[i].kind);
        assert_int_equal(dissect_kind_class(dissect(&frame).kind), DISSECT_HOUSEKEEPING);
    }
}

static void every_icmpv6_type_has_its_kind(void **state)
{
    struct frame frame = frame_of(KERNEL_ROUTER_SOLICITATION);

    (void)state;
    for (int type = 0; type < 256; type++) {
        bool mld = (type >= 130 && type <= 132) || type == 143;
        bool nd = type >= 133 && type <= 137;

        frame.bytes[IPV6] = (uint8_t)type;
        assert_int_equal(dissect_kind_class(dissect(&frame).kind),
                         mld || nd ? DISSECT_HOUSEKEEPING : DISSECT_UNEXPLAINED);
    }
}

static void marker_is_nothing_at_all(void **state)
{
    struct frame frame = frame_of("ffffffffffff 020000000001 88b5 6d61726b");

    (void)state;
    expect_kind(&frame, DISSECT_KIND_BENCH_MARKER);
    assert_int_equal(dissect_kind_class(DISSECT_KIND_BENCH_MARKER), DISSECT_MARKER);
}

static void vlan_and_other_ethertypes_are_unexplained(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);

    (void)state;
    frame.bytes[12] = 0x81;
    expect_kind(&frame, DISSECT_KIND_VLAN);
    frame.bytes[12] = 0x88;
    frame.bytes[13] = 0xa8;
    expect_kind(&frame, DISSECT_KIND_VLAN);
    frame.bytes[13] = 0xcc; /* LLDP */
    expect_kind(&frame, DISSECT_KIND_OTHER_ETHERTYPE);
    assert_int_equal(dissect_kind_class(DISSECT_KIND_VLAN), DISSECT_UNEXPLAINED);
}

static void frame_cut_by_the_snap_length_is_not_read(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);
    struct packet packet = {
        .captured_bytes = (uint32_t)frame.length - 1,
        .original_bytes = (uint32_t)frame.length,
        .bytes = frame.bytes,
    };

    (void)state;
    assert_int_equal(dissect_packet(&packet).kind, DISSECT_KIND_CUT);
}

/* Each truncation lies in a heap block of its exact size, so that reading on is caught. */
static void expect_all_truncations_unexplained(const char *hex)
{
    struct frame frame = frame_of(hex);

    for (size_t length = 0; length < frame.length; length++) {
        uint8_t *exact = malloc(length > 0 ? length : 1);
        struct packet packet = {
            .captured_bytes = (uint32_t)length,
            .original_bytes = (uint32_t)length,
            .bytes = exact,
        };

        assert_non_null(exact);
        memcpy(exact, frame.bytes, length);
        assert_int_equal(dissect_kind_class(dissect_packet(&packet).kind), DISSECT_UNEXPLAINED);
        free(exact);
    }
}

static void truncated_frames_are_unexplained_at_every_length(void **state)
{
    (void)state;
    expect_all_truncations_unexplained(KERNEL_SYN_ACK);
    expect_all_truncations_unexplained(KERNEL_DATA);
    expect_all_truncations_unexplained(KERNEL_SYN_ACK_IPV6);
    expect_all_truncations_unexplained(KERNEL_ARP);
    expect_all_truncations_unexplained(KERNEL_MLD);
}

static void padding_behind_the_packet_is_ignored(void **state)
{
    (void)state;
    for (int version = 4; version <= 6; version += 2) {
        struct frame frame = crafted(&(struct crafted_segment){
            .of = version == 4 ? crafted_ipv4 : crafted_ipv6, .data = "abc"});
        struct dissect d;

        memset(frame.bytes + frame.length, 0xee, 10);
        frame.length += 10;
        d = dissect(&frame);
        assert_int_equal(d.kind, DISSECT_KIND_TCP_SEGMENT);
        assert_int_equal(d.payload_bytes, 3);
        assert_int_equal(d.tcp.checksum, DISSECT_CHECKSUM_GOOD);
    }
}

static void ipv4_options_are_stepped_over(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);
    struct dissect d;

    (void)state;
    memmove(frame.bytes + IPV4 + 4, frame.bytes + IPV4, frame.length - IPV4);
    memset(frame.bytes + IPV4, 1, 4); /* four times no-operation */
    frame.length += 4;
    frame.bytes[ETHERNET] = 0x46;
    frame.bytes[ETHERNET + 3] = (uint8_t)(frame.bytes[ETHERNET + 3] + 4);
    d = dissect(&frame);
    assert_int_equal(d.kind, DISSECT_KIND_TCP_SEGMENT);
    assert_int_equal(d.tcp.checksum, DISSECT_CHECKSUM_GOOD);
    assert_memory_equal(d.payload, "abc0", 4);
}

static void fragments_are_refused(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);

    (void)state;
    frame.bytes[ETHERNET + 6] = 0x20; /* more fragments */
    expect_kind(&frame, DISSECT_KIND_IPV4_FRAGMENT);
    frame.bytes[ETHERNET + 6] = 0x00;
    frame.bytes[ETHERNET + 7] = 0x01; /* not the first */
    expect_kind(&frame, DISSECT_KIND_IPV4_FRAGMENT);

    frame = frame_of(KERNEL_SYN_ACK_IPV6);
    frame.bytes[ETHERNET + 6] = 44;
    expect_kind(&frame, DISSECT_KIND_IPV6_FRAGMENT);
}

static void malformed_ip_headers_have_a_reason(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);

    (void)state;
    frame.bytes[ETHERNET] = 0x65;
    expect_kind(&frame, DISSECT_KIND_BAD_IPV4);
    frame.bytes[ETHERNET] = 0x44; /* a header of 16 bytes */
    expect_kind(&frame, DISSECT_KIND_BAD_IPV4);
    frame = frame_of(KERNEL_DATA);
    frame.bytes[ETHERNET + 3] = 19; /* total length below the header's */
    expect_kind(&frame, DISSECT_KIND_BAD_IPV4);
    frame.bytes[ETHERNET + 3] = (uint8_t)(frame.length - ETHERNET + 1);
    expect_kind(&frame, DISSECT_KIND_SHORT_IPV4);

    frame = frame_of(KERNEL_SYN_ACK_IPV6);
    frame.bytes[ETHERNET] = 0x40;
    expect_kind(&frame, DISSECT_KIND_BAD_IPV6);
    frame = frame_of(KERNEL_SYN_ACK_IPV6);
    frame.bytes[ETHERNET + 5]++;
    expect_kind(&frame, DISSECT_KIND_SHORT_IPV6);
    frame = frame_of(KERNEL_MLD);
    frame.bytes[IPV6 + 1] = 0xff; /* a hop-by-hop header of 2048 bytes */
    expect_kind(&frame, DISSECT_KIND_SHORT_IPV6);
}

static void other_protocols_are_unexplained(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);

    (void)state;
    frame.bytes[ETHERNET + 9] = 1;
    expect_kind(&frame, DISSECT_KIND_ICMP);
    frame.bytes[ETHERNET + 9] = 2;
    expect_kind(&frame, DISSECT_KIND_OTHER_PROTOCOL);
    frame.bytes[ETHERNET + 9] = 58;
    expect_kind(&frame, DISSECT_KIND_OTHER_PROTOCOL);
    frame = frame_of(KERNEL_SYN_ACK_IPV6);
    frame.bytes[ETHERNET + 6] = 1;
    expect_kind(&frame, DISSECT_KIND_OTHER_PROTOCOL);
}

/* 10.9.0.2:40736 > 10.9.0.1:7000 UDP "hi", length field 10 */
static void udp_is_read_but_has_no_place(void **state)
{
    struct frame frame = frame_of("d21e5a42dde9 1261882fb54d 0800"
                                  "4500001e bc4b4000 40116a6f 0a090002 0a090001"
                                  "9f201b58 000a0000 6869");
    struct dissect d = dissect(&frame);

    (void)state;
    assert_int_equal(d.kind, DISSECT_KIND_UDP_DATAGRAM);
    assert_int_equal(dissect_kind_class(d.kind), DISSECT_UNEXPLAINED);
    expect_endpoint(&d.target, "10.9.0.1:7000");
    assert_int_equal(d.payload_bytes, 2);
    frame.bytes[IPV4 + 5] = 11;
    expect_kind(&frame, DISSECT_KIND_SHORT_UDP);
    frame.bytes[IPV4 + 5] = 7;
    expect_kind(&frame, DISSECT_KIND_SHORT_UDP);
}

/* Bytes 0 to 39 are the option area of a segment with the largest header. */
static enum dissect_kind kind_with_options(const uint8_t *options, size_t length)
{
    struct frame frame = crafted(&(struct crafted_segment){
        .flags = ACK, .data = "0123456789012345678901234567890123456789"});

    frame.bytes[IPV4 + 12] = 0xf0;
    memset(frame.bytes + IPV4 + 20, 1, 40);
    memcpy(frame.bytes + IPV4 + 20 + 40 - length, options, length);
    return dissect(&frame).kind;
}

static void bad_tcp_options_are_refused(void **state)
{
    static const uint8_t bad[][4] = {
        {0x63, 1},              /* unknown, shorter than kind and length */
        {0x63, 5},              /* unknown, longer than the header */
        {1, 1, 1, 8},           /* timestamps without a length */
        {2, 3, 0, 0},           /* MSS of one byte */
        {3, 4, 7, 7},           /* window scale of two bytes */
        {4, 3, 0, 0},           /* SACK permitted with a value */
        {5, 4, 0, 0},           /* SACK without a whole block */
        {8, 4, 0, 0},           /* timestamps of two bytes */
    };
    static const uint8_t good[][4] = {
        {0, 2, 99, 8},    /* nothing behind the end of the list is looked at */
        {0x63, 4, 9, 9},  /* unknown kinds are fine */
        {2, 4, 5, 0xb4},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(kind_with_options(bad[i], 4), DISSECT_KIND_BAD_TCP_OPTIONS);
    for (size_t i = 0; i < COUNT_OF(good); i++)
        assert_int_equal(kind_with_options(good[i], 4), DISSECT_KIND_TCP_SEGMENT);
}

static void tcp_header_length_is_checked(void **state)
{
    struct frame frame = frame_of(KERNEL_DATA);

    (void)state;
    frame.bytes[IPV4 + 12] = 0x40;
    expect_kind(&frame, DISSECT_KIND_SHORT_TCP);
    frame.bytes[IPV4 + 12] = 0xf0; /* 60 bytes where 36 are */
    expect_kind(&frame, DISSECT_KIND_SHORT_TCP);
}

static void sack_blocks_are_read(void **state)
{
    struct dissect_tcp_options options = {
        .sack_count = 2, .sack = {{1, 2}, {0xffffff00, 5}}};
    struct frame frame = crafted(&(struct crafted_segment){.flags = ACK, .options = options});
    struct dissect d = dissect(&frame);

    (void)state;
    assert_int_equal(d.tcp.options.sack_count, 2);
    assert_true(d.tcp.options.sack[1].left == 0xffffff00);
    assert_int_equal(d.tcp.options.sack[1].right, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernel_syn_ack_is_read_whole),
        cmocka_unit_test(kernel_data_has_its_payload),
        cmocka_unit_test(kernel_ipv6_segment_is_read),
        cmocka_unit_test(checksum_left_to_an_offload_is_told_from_a_bad_one),
        cmocka_unit_test(any_flipped_bit_breaks_the_checksum),
        cmocka_unit_test(housekeeping_of_the_kernel_is_known),
        cmocka_unit_test(every_icmpv6_type_has_its_kind),
        cmocka_unit_test(marker_is_nothing_at_all),
        cmocka_unit_test(vlan_and_other_ethertypes_are_unexplained),
        cmocka_unit_test(frame_cut_by_the_snap_length_is_not_read),
        cmocka_unit_test(truncated_frames_are_unexplained_at_every_length),
        cmocka_unit_test(padding_behind_the_packet_is_ignored),
        cmocka_unit_test(ipv4_options_are_stepped_over),
        cmocka_unit_test(fragments_are_refused),
        cmocka_unit_test(malformed_ip_headers_have_a_reason),
        cmocka_unit_test(other_protocols_are_unexplained),
        cmocka_unit_test(udp_is_read_but_has_no_place),
        cmocka_unit_test(bad_tcp_options_are_refused),
        cmocka_unit_test(tcp_header_length_is_checked),
        cmocka_unit_test(sack_blocks_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
