/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "pcaps/inetsum.h"
#include "tests/pcaps/crafted.h"
#include "tests/pcaps/kernel_frames.h"

static struct dissect value_of(const uint8_t *bytes, size_t length)
{
    struct packet packet = {
        .captured_bytes = (uint32_t)length, .original_bytes = (uint32_t)length, .bytes = bytes};

    return dissect_packet(&packet);
}

/* RFC 1071 section 3 adds up 00 01 f2 03 f4 f5 f6 f7 to ddf2. */
static void sum_is_that_of_the_rfc(void **state)
{
    static const uint8_t bytes[] = {0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};

    (void)state;
    assert_int_equal(inetsum_add(0, bytes, sizeof(bytes)), 0xddf2);
    assert_int_equal(inetsum_add(inetsum_add(0, bytes, 4), bytes + 4, 4), 0xddf2);
    assert_int_equal(inetsum_add(0, bytes, 3), 0xf201);
    assert_int_equal(inetsum_add(0xffff, bytes, 0), 0xffff);
}

static void data_segment_comes_out_as_the_kernel_wrote_it(void **state)
{
    uint8_t kernel[CRAFTED_FRAME_BYTES];
    uint8_t ours[CRAFTED_FRAME_BYTES];
    size_t length = kernel_frame(KERNEL_DATA, kernel, sizeof(kernel));
    struct dissect value = value_of(kernel, length);

    (void)state;
    assert_int_equal(compose_tcp(&value, ours, sizeof(ours)), length);
    assert_memory_equal(ours, kernel, length);
}

static void expect_same_value(const struct dissect *a, const struct dissect *b)
{
    assert_int_equal(b->kind, DISSECT_KIND_TCP_SEGMENT);
    assert_int_equal(b->tcp.checksum, DISSECT_CHECKSUM_GOOD);
    assert_int_equal(endpoint_compare(&a->source, &b->source), 0);
    assert_int_equal(endpoint_compare(&a->target, &b->target), 0);
    assert_memory_equal(&a->tcp.options, &b->tcp.options, sizeof(a->tcp.options));
    assert_true(a->tcp.seq == b->tcp.seq && a->tcp.ack == b->tcp.ack);
    assert_int_equal(a->tcp.flags, b->tcp.flags);
    assert_int_equal(a->tcp.window, b->tcp.window);
    assert_int_equal(a->payload_bytes, b->payload_bytes);
    assert_memory_equal(a->payload, b->payload, a->payload_bytes);
}

static void dissect_reads_back_what_was_composed(void **state)
{
    static const char *const frames[] = {KERNEL_SYN_ACK, KERNEL_SYN_ACK_IPV6, KERNEL_DATA};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(frames); i++) {
        uint8_t bytes[2][CRAFTED_FRAME_BYTES];
        size_t length = kernel_frame(frames[i], bytes[0], sizeof(bytes[0]));
        struct dissect value = value_of(bytes[0], length);
        ptrdiff_t composed = compose_tcp(&value, bytes[1], sizeof(bytes[1]));
        struct dissect again;

        assert_true(composed > 0);
        again = value_of(bytes[1], (size_t)composed);
        expect_same_value(&value, &again);
    }
}

static void odd_payload_and_largest_packet_have_good_checksums(void **state)
{
    size_t room = COMPOSE_HEADERS_MAX + UINT16_MAX;
    uint8_t *payload = calloc(1, UINT16_MAX);
    uint8_t *frame = malloc(room);

    (void)state;
    assert_non_null(payload);
    assert_non_null(frame);
    payload[0] = 0xa5;
    for (int version = 4; version <= 6; version += 2) {
        size_t largest = UINT16_MAX - 20u - (version == 4 ? 20u : 0u);
        struct dissect value = crafted_value(&(struct crafted_segment){
            .of = version == 4 ? crafted_ipv4 : crafted_ipv6, .flags = ACK});
        struct dissect again;

        value.payload = payload;
        value.payload_bytes = largest;
        assert_true(compose_tcp(&value, frame, room) > 0);
        again = value_of(frame, (size_t)compose_tcp(&value, frame, room));
        expect_same_value(&value, &again);
        value.payload_bytes++;
        assert_int_equal(compose_tcp(&value, frame, room), -EMSGSIZE);
    }
    free(payload);
    free(frame);
}

static void what_does_not_fit_is_refused(void **state)
{
    uint8_t frame[CRAFTED_FRAME_BYTES];
    struct dissect value = crafted_value(&(struct crafted_segment){.flags = ACK, .data = "abc"});

    (void)state;
    assert_int_equal(compose_tcp(&value, frame, 14 + 20 + 20 + 3), 57);
    assert_int_equal(compose_tcp(&value, frame, 14 + 20 + 20 + 2), -ENOSPC);
    value.target = crafted_ipv6[0].sut;
    assert_int_equal(compose_tcp(&value, frame, sizeof(frame)), -EAFNOSUPPORT);
    value = crafted_value(&(struct crafted_segment){.flags = ACK});
    value.tcp.options = (struct dissect_tcp_options){.has_timestamps = true, .sack_count = 4};
    assert_int_equal(compose_tcp(&value, frame, sizeof(frame)), -EMSGSIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sum_is_that_of_the_rfc),
        cmocka_unit_test(data_segment_comes_out_as_the_kernel_wrote_it),
        cmocka_unit_test(dissect_reads_back_what_was_composed),
        cmocka_unit_test(odd_payload_and_largest_packet_have_good_checksums),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
