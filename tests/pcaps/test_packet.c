/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>

#include "tests/pcaps/crafted.h"

static struct packet packet_of(const void *bytes, uint32_t length)
{
    return (struct packet){
        .stamp_ns = 7, .captured_bytes = length, .original_bytes = length, .bytes = bytes};
}

static void append_copies_the_bytes(void **state)
{
    struct packet_list list = crafted_list();
    char bytes[] = "abc";
    struct packet packet = packet_of(bytes, 3);

    (void)state;
    assert_int_equal(packet_list_append(&list, &packet), 0);
    bytes[0] = 'X';
    assert_int_equal(list.count, 1);
    assert_int_equal(list.bytes, 3);
    assert_int_equal(list.packets[0].stamp_ns, 7);
    assert_memory_equal(list.packets[0].bytes, "abc", 3);
    packet_list_free(&list);
    assert_int_equal(list.count, 0);
    assert_int_equal(list.bytes, 0);
}

static void bytes_stay_in_place_while_the_list_grows(void **state)
{
    struct packet_list list = crafted_list();
    struct packet packet = packet_of("first", 5);
    const uint8_t *first;

    (void)state;
    assert_int_equal(packet_list_append(&list, &packet), 0);
    first = list.packets[0].bytes;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(packet_list_append(&list, &packet), 0);
    assert_ptr_equal(list.packets[0].bytes, first);
    assert_memory_equal(first, "first", 5);
    packet_list_free(&list);
}

static void empty_frame_is_a_packet(void **state)
{
    struct packet_list list = crafted_list();
    struct packet packet = packet_of(NULL, 0);

    (void)state;
    assert_int_equal(packet_list_append(&list, &packet), 0);
    assert_non_null(list.packets[0].bytes);
    packet_list_free(&list);
}

static void bounds_hold_and_leave_the_list_unchanged(void **state)
{
    struct packet packet = packet_of("abcd", 4);
    struct packet_list list;

    (void)state;
    packet_list_init(&list, 2, 7);
    assert_int_equal(packet_list_append(&list, &packet), 0);
    assert_int_equal(packet_list_append(&list, &packet), -EFBIG);
    assert_int_equal(list.bytes, 4);
    packet = packet_of("abc", 3);
    assert_int_equal(packet_list_append(&list, &packet), 0);
    packet = packet_of("", 0);
    assert_int_equal(packet_list_append(&list, &packet), -EFBIG);
    assert_int_equal(list.count, 2);
    packet_list_free(&list);
}

static void impossible_packets_are_refused(void **state)
{
    struct packet_list list = crafted_list();
    struct packet packet = packet_of("abcd", 4);

    (void)state;
    packet.original_bytes = 3;
    assert_int_equal(packet_list_append(&list, &packet), -EINVAL);
    packet = packet_of("abcd", 4);
    packet.stamp_ns = -1;
    assert_int_equal(packet_list_append(&list, &packet), -EINVAL);
    packet = packet_of("abcd", PACKET_BYTES_MAX + 1);
    assert_int_equal(packet_list_append(&list, &packet), -EMSGSIZE);
    assert_int_equal(list.count, 0);
    packet_list_free(&list);
}

static void truncate_keeps_the_front(void **state)
{
    struct packet_list list = crafted_list();
    struct packet packet = packet_of("ab", 2);

    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(packet_list_append(&list, &packet), 0);
    packet_list_truncate(&list, 2);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.bytes, 4);
    packet_list_free(&list);
    packet_list_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(append_copies_the_bytes),
        cmocka_unit_test(bytes_stay_in_place_while_the_list_grows),
        cmocka_unit_test(empty_frame_is_a_packet),
        cmocka_unit_test(bounds_hold_and_leave_the_list_unchanged),
        cmocka_unit_test(impossible_packets_are_refused),
        cmocka_unit_test(truncate_keeps_the_front),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
