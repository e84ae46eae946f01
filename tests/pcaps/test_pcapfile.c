/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pcaps/pcapfile.h"
#include "tests/pcaps/crafted.h"
#include "tests/pcaps/kernel_frames.h"

#define PATH_BYTES 64

/* A file without a name; libpcap gets it by way of /proc. */
static int memory_file(char path[static PATH_BYTES])
{
    int fd = memfd_create("capture", MFD_CLOEXEC);

    assert_true(fd >= 0);
    (void)snprintf(path, PATH_BYTES, "/proc/self/fd/%d", fd);
    return fd;
}

static int read_bytes(const void *bytes, size_t length, struct packet_list *list,
                      struct pcapfile_error *error)
{
    char path[PATH_BYTES];
    int fd = memory_file(path);
    int r;

    assert_int_equal(write(fd, bytes, length), length);
    *error = (struct pcapfile_error){.text = ""};
    r = pcapfile_read(path, list, error);
    (void)close(fd);
    if (r < 0)
        assert_int_equal(strncmp(error->text, path, strlen(path)), 0);
    return r;
}

static void expect_words(const struct pcapfile_error *error, const char *words)
{
    if (strstr(error->text, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error->text, words);
}

/* Two packets; the second was cut by the snap length. Stamps that need nanoseconds. */
static struct packet_list two_packets(void)
{
    struct packet_list list = crafted_list();
    struct packet packet = {
        .stamp_ns = INT64_C(1700000000123456789),
        .captured_bytes = 3,
        .original_bytes = 3,
        .bytes = (const uint8_t *)"abc",
    };

    assert_int_equal(packet_list_append(&list, &packet), 0);
    packet.stamp_ns++;
    packet.captured_bytes = 2;
    assert_int_equal(packet_list_append(&list, &packet), 0);
    return list;
}

static void written_file_reads_back_equal(void **state)
{
    struct packet_list list = two_packets();
    struct packet_list again = crafted_list();
    struct pcapfile_error error;
    char path[PATH_BYTES];
    int fd = memory_file(path);

    (void)state;
    assert_int_equal(pcapfile_write(fd, path, &list, &error), 0);
    assert_int_equal(pcapfile_read(path, &again, &error), 0);
    assert_int_equal(again.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct packet *a = &list.packets[i];
        const struct packet *b = &again.packets[i];

        assert_true(a->stamp_ns == b->stamp_ns);
        assert_int_equal(a->captured_bytes, b->captured_bytes);
        assert_int_equal(a->original_bytes, b->original_bytes);
        assert_memory_equal(a->bytes, b->bytes, a->captured_bytes);
    }
    assert_int_equal(close(fd), 0);
    packet_list_free(&list);
    packet_list_free(&again);
}

static void file_has_the_nanosecond_magic_and_the_descriptor_stays_open(void **state)
{
    static const uint8_t magic[] = {0x4d, 0x3c, 0xb2, 0xa1};
    struct packet_list list = two_packets();
    struct pcapfile_error error;
    char path[PATH_BYTES];
    uint8_t head[4];
    int fd = memory_file(path);

    (void)state;
    assert_int_equal(pcapfile_write(fd, path, &list, &error), 0);
    assert_int_equal(lseek(fd, 0, SEEK_CUR), 24 + 16 + 3 + 16 + 2);
    assert_int_equal(pread(fd, head, sizeof(head), 0), 4);
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        assert_memory_equal(head, magic, sizeof(head));
    assert_int_equal(close(fd), 0);
    packet_list_free(&list);
}

static void full_disk_is_told(void **state)
{
    struct packet_list list = two_packets();
    struct pcapfile_error error;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

    (void)state;
    if (fd < 0)
        skip();
    assert_int_equal(pcapfile_write(fd, "NAME", &list, &error), -ENOSPC);
    assert_string_equal(error.text, "NAME: No space left on device");
    (void)close(fd);
    packet_list_free(&list);
}

/* More than the stream buffers, so that the error comes in the middle. */
static void full_disk_is_told_for_a_large_file_too(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

    (void)state;
    if (fd < 0)
        skip();
    for (int i = 0; i < 2000; i++)
        PEER_SENDS(&list, .data = "x");
    assert_int_equal(pcapfile_write(fd, "NAME", &list, &error), -ENOSPC);
    (void)close(fd);
    packet_list_free(&list);
}

static void closed_or_read_only_descriptor_is_told(void **state)
{
    struct packet_list list = two_packets();
    struct pcapfile_error error;
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(pcapfile_write(fd, "NAME", &list, &error), -EINVAL);
    (void)close(fd);
    assert_int_equal(pcapfile_write(fd, "NAME", &list, &error), -EBADF);
    packet_list_free(&list);
}

static void stamp_behind_2106_is_refused(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;
    char path[PATH_BYTES];
    int fd = memory_file(path);

    (void)state;
    PEER_SENDS(&list, .ms = INT64_C(4294967296000));
    assert_int_equal(pcapfile_write(fd, "NAME", &list, &error), -EOVERFLOW);
    assert_string_equal(error.text, "NAME: packet 1: stamp does not fit a pcap file");
    (void)close(fd);
    packet_list_free(&list);
}

static void missing_file_and_directory_are_told_apart(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;

    (void)state;
    assert_int_equal(pcapfile_read("/nowhere/x.pcap", &list, &error), -ENOENT);
    assert_string_equal(error.text, "/nowhere/x.pcap: No such file or directory");
    assert_int_equal(pcapfile_read("/", &list, &error), -EISDIR);
    assert_string_equal(error.text, "/: Is a directory");
}

static void what_is_no_capture_is_told(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;

    (void)state;
    assert_int_equal(read_bytes("", 0, &list, &error), -EBADMSG);
    expect_words(&error, "not a capture file");
    assert_int_equal(read_bytes("scenario framing/one-frame\n", 27, &list, &error), -EBADMSG);
    expect_words(&error, "not a capture file");
}

/* Big-endian, microseconds: header (magic, 2.4, zone, sigfigs, snaplen, link type), one packet. */
#define PCAP_HEADER "a1b2c3d4 00020004 00000000 00000000 00040000"
#define PCAP_PACKET "00000001 000f423f 00000003 00000005 616263"

static void other_byte_order_and_resolution_are_read(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;
    uint8_t bytes[64];
    size_t length = kernel_frame(PCAP_HEADER "00000001" PCAP_PACKET, bytes, sizeof(bytes));

    (void)state;
    assert_int_equal(read_bytes(bytes, length, &list, &error), 0);
    assert_int_equal(list.count, 1);
    assert_true(list.packets[0].stamp_ns == INT64_C(1999999000));
    assert_int_equal(list.packets[0].captured_bytes, 3);
    assert_int_equal(list.packets[0].original_bytes, 5);
    packet_list_free(&list);
}

/* Every truncation but the one between header and packet is an error, and adds nothing. */
static void truncated_file_is_told_and_leaves_the_list_alone(void **state)
{
    struct packet_list list = two_packets();
    struct pcapfile_error error;
    uint8_t bytes[64];
    size_t length = kernel_frame(PCAP_HEADER "00000001" PCAP_PACKET, bytes, sizeof(bytes));

    (void)state;
    for (size_t cut = 0; cut < length; cut++) {
        if (cut == 24)
            continue;
        assert_int_equal(read_bytes(bytes, cut, &list, &error), -EBADMSG);
        assert_int_equal(list.count, 2);
        if (cut > 24)
            expect_words(&error, ": packet 1: truncated");
    }
    packet_list_free(&list);
}

static void packets_before_the_damage_are_taken_back(void **state)
{
    struct packet_list list = two_packets();
    struct pcapfile_error error;
    uint8_t bytes[96];
    size_t length =
        kernel_frame(PCAP_HEADER "00000001" PCAP_PACKET PCAP_PACKET, bytes, sizeof(bytes));

    (void)state;
    assert_int_equal(read_bytes(bytes, length - 1, &list, &error), -EBADMSG);
    expect_words(&error, ": packet 2: truncated");
    assert_int_equal(list.count, 2);
    assert_int_equal(list.bytes, 5);
    packet_list_free(&list);
}

static void damaged_packet_header_is_told(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;
    uint8_t bytes[64];
    size_t length;

    (void)state;
    length = kernel_frame(PCAP_HEADER "00000001 00000001 00000000 7fffffff 7fffffff", bytes,
                          sizeof(bytes));
    assert_int_equal(read_bytes(bytes, length, &list, &error), -EBADMSG);
    expect_words(&error, ": packet 1: ");
    length = kernel_frame(PCAP_HEADER "00000001 00000001 000f4240 00000001 00000001 61", bytes,
                          sizeof(bytes));
    assert_int_equal(read_bytes(bytes, length, &list, &error), -EBADMSG);
    expect_words(&error, ": packet 1: bad time stamp");
    length = kernel_frame(PCAP_HEADER "00000001 00000001 00000000 00000002 00000001 6162", bytes,
                          sizeof(bytes));
    assert_int_equal(read_bytes(bytes, length, &list, &error), -EBADMSG);
    expect_words(&error, ": packet 1: 2 bytes captured of 1");
    assert_int_equal(list.count, 0);
}

static void other_link_type_is_told_by_name(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;
    uint8_t bytes[64];
    size_t length = kernel_frame(PCAP_HEADER "00000065" PCAP_PACKET, bytes, sizeof(bytes));

    (void)state;
    assert_int_equal(read_bytes(bytes, length, &list, &error), -EPROTONOSUPPORT);
    expect_words(&error, "(RAW); only Ethernet (1, EN10MB) is read");
}

static void bounds_of_the_list_are_told(void **state)
{
    struct packet_list list;
    struct pcapfile_error error;
    uint8_t bytes[64];
    size_t length = kernel_frame(PCAP_HEADER "00000001" PCAP_PACKET, bytes, sizeof(bytes));

    (void)state;
    packet_list_init(&list, 10, 2);
    assert_int_equal(read_bytes(bytes, length, &list, &error), -EFBIG);
    expect_words(&error, ": packet 1: too large; the bounds are 10 packets and 2 bytes");
}

/* Section header, interface (Ethernet, nanoseconds), enhanced packet "abc" at 1.000000002 s. */
static void pcapng_is_read(void **state)
{
    struct packet_list list = crafted_list();
    struct pcapfile_error error;
    uint8_t bytes[128];
    size_t length = kernel_frame("0a0d0d0a 0000001c 1a2b3c4d 00010000 ffffffffffffffff 0000001c"
                                 "00000001 00000020 00010000 00000000 0009000109000000 00000000"
                                 "00000020"
                                 "00000006 00000024 00000000 00000000 3b9aca02 00000003 00000003"
                                 "61626300 00000024",
                                 bytes, sizeof(bytes));

    (void)state;
    assert_int_equal(read_bytes(bytes, length, &list, &error), 0);
    assert_int_equal(list.count, 1);
    assert_true(list.packets[0].stamp_ns == INT64_C(1000000002));
    assert_memory_equal(list.packets[0].bytes, "abc", 3);
    packet_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(written_file_reads_back_equal),
        cmocka_unit_test(file_has_the_nanosecond_magic_and_the_descriptor_stays_open),
        cmocka_unit_test(full_disk_is_told),
        cmocka_unit_test(full_disk_is_told_for_a_large_file_too),
        cmocka_unit_test(closed_or_read_only_descriptor_is_told),
        cmocka_unit_test(stamp_behind_2106_is_refused),
        cmocka_unit_test(missing_file_and_directory_are_told_apart),
        cmocka_unit_test(what_is_no_capture_is_told),
        cmocka_unit_test(other_byte_order_and_resolution_are_read),
        cmocka_unit_test(truncated_file_is_told_and_leaves_the_list_alone),
        cmocka_unit_test(packets_before_the_damage_are_taken_back),
        cmocka_unit_test(damaged_packet_header_is_told),
        cmocka_unit_test(other_link_type_is_told_by_name),
        cmocka_unit_test(bounds_of_the_list_are_told),
        cmocka_unit_test(pcapng_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
