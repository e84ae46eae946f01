/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/netns/fixture.h"

#include <linux/if_ether.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <time.h>

#include "netns/capture.h"
#include "netns/limit.h"

/* What a test saw of one TCP connection. */
struct seen {
    unsigned int frames, tcp, syn, fin, data, bad_sums, pending, cut, markers;
    unsigned int outgoing_data, incoming_data;
    size_t bytes;
    size_t longest;
    uint64_t first_ns, last_ns;
    bool disordered;
};

static uint32_t sum_words(const uint8_t *bytes, size_t length, uint32_t sum)
{
    for (size_t i = 0; i + 1 < length; i += 2)
        sum += (uint32_t)(bytes[i] << 8 | bytes[i + 1]);
    if (length % 2 == 1)
        sum += (uint32_t)bytes[length - 1] << 8;
    return sum;
}

/* RFC 1071: a correct packet sums to all ones, its pseudo header (addresses, length, protocol)
 * included. */
static bool sum_is_good(uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return sum == 0xffff;
}

static void see_tcp(struct seen *seen, const struct capture_frame *frame, const uint8_t *addresses,
                    size_t addresses_length, size_t offset, size_t length)
{
    struct tcphdr tcp;
    const uint8_t *segment = frame->bytes + offset;
    uint32_t sum = sum_words(addresses, addresses_length, (uint32_t)length + IPPROTO_TCP);

    assert_true(offset + length <= frame->length);
    memcpy(&tcp, segment, sizeof(tcp));
    size_t payload = length - tcp.doff * 4U;
    seen->tcp++;
    seen->bad_sums += !sum_is_good(sum_words(segment, length, sum));
    seen->syn += tcp.syn;
    seen->fin += tcp.fin;
    seen->data += payload > 0;
    seen->outgoing_data += payload > 0 && frame->outgoing;
    seen->incoming_data += payload > 0 && !frame->outgoing;
    seen->bytes += payload;
    if (payload > seen->longest)
        seen->longest = payload;
}

/* Only what the test caused: MLD passes when it likes. */
static void see_stamp(struct seen *seen, const struct capture_frame *frame)
{
    seen->disordered |= frame->stamp_ns < seen->last_ns;
    seen->first_ns = seen->first_ns == 0 ? frame->stamp_ns : seen->first_ns;
    seen->last_ns = frame->stamp_ns;
}

static void see_ipv4(struct seen *seen, const struct capture_frame *frame)
{
    struct iphdr ip;

    memcpy(&ip, frame->bytes + ETH_HLEN, sizeof(ip));
    size_t header = ip.ihl * 4U;
    seen->bad_sums += !sum_is_good(sum_words(frame->bytes + ETH_HLEN, header, 0));
    if (ip.protocol == IPPROTO_TCP)
        see_tcp(seen, frame, frame->bytes + ETH_HLEN + offsetof(struct iphdr, saddr), 8,
                ETH_HLEN + header, ntohs(ip.tot_len) - header);
    see_stamp(seen, frame);
}

static void see_ipv6(struct seen *seen, const struct capture_frame *frame)
{
    struct ip6_hdr ip;

    memcpy(&ip, frame->bytes + ETH_HLEN, sizeof(ip));
    if (ip.ip6_nxt != IPPROTO_TCP)
        return;
    see_tcp(seen, frame, frame->bytes + ETH_HLEN + offsetof(struct ip6_hdr, ip6_src), 32,
            ETH_HLEN + sizeof(ip), ntohs(ip.ip6_plen));
    see_stamp(seen, frame);
}

static int see(void *arg, const struct capture_frame *frame)
{
    struct seen *seen = arg;
    struct ethhdr ethernet;

    assert_true(frame->length >= sizeof(ethernet));
    memcpy(&ethernet, frame->bytes, sizeof(ethernet));
    seen->frames++;
    seen->cut += frame->length != frame->full_length;
    seen->pending += frame->checksum_pending;
    switch (ntohs(ethernet.h_proto)) {
    case ETH_P_IP:
        see_ipv4(seen, frame);
        break;
    case ETH_P_IPV6:
        see_ipv6(seen, frame);
        break;
    case CAPTURE_MARKER_ETHERTYPE:
        seen->markers++;
        break;
    default:
        break;
    }
    return 0;
}

static struct capture_place place(struct fixture *fixture, enum link_side side)
{
    return (struct capture_place){&fixture->spaces[side], link_name(side)};
}

static void open_capture(struct fixture *fixture, struct capture *capture, size_t memory_bytes)
{
    const struct capture_place here = place(fixture, LINK_PEER), there = place(fixture, LINK_SUT);

    fixture_assert_ok(capture_open(capture, &here, &there, memory_bytes, &fixture->failure),
                      &fixture->failure);
}

static uint64_t realtime_ns(void)
{
    struct timespec now;

    assert_int_equal(clock_gettime(CLOCK_REALTIME, &now), 0);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

static void read_all(int fd, size_t bytes)
{
    static char block[65536];

    while (bytes > 0) {
        ssize_t got = recv(fd, block, sizeof(block), 0);
        assert_true(got > 0);
        bytes -= (size_t)got;
    }
}

#define SEGMENTS 20 /* less than the receiver's first window: none is cut short at its edge */

/* So many full segments one way, one byte the other way, both closed. */
static void talk(struct fixture *fixture, sa_family_t family, size_t segment_bytes)
{
    static char block[SEGMENTS * 1448];
    const size_t bytes = SEGMENTS * segment_bytes;
    int listener = fixture_listen(fixture, family, 7000);
    int client = fixture_connect(fixture, family, 7000);
    int server = accept(listener, NULL, NULL);

    assert_true(bytes <= sizeof(block));
    assert_int_equal(setsockopt(client, IPPROTO_TCP, TCP_CONGESTION, "reno", 4), 0);
    assert_int_equal(send(client, block, bytes, 0), bytes);
    read_all(server, bytes);
    assert_int_equal(send(server, "x", 1, 0), 1);
    read_all(client, 1);
    assert_int_equal(close(client), 0);
    assert_int_equal(close(server), 0);
    (void)close(listener);
}

static void captures_a_whole_connection(sa_family_t family, size_t segment_bytes)
{
    struct fixture fixture;
    struct capture capture = CAPTURE_NONE;
    struct seen seen = {0};

    fixture_pin();
    fixture_open(&fixture);
    open_capture(&fixture, &capture, 0);
    uint64_t before_ns = realtime_ns();
    talk(&fixture, family, segment_bytes);
    uint64_t after_ns = realtime_ns();
    fixture_assert_ok(capture_finish(&capture, FIXTURE_LIMIT_MS, see, &seen, &fixture.failure),
                      &fixture.failure);

    assert_int_equal(seen.syn, 2);
    assert_int_equal(seen.fin, 2);
    assert_int_equal(seen.outgoing_data, SEGMENTS);
    assert_int_equal(seen.incoming_data, 1);
    assert_int_equal(seen.bytes, SEGMENTS * segment_bytes + 1);
    assert_int_equal(seen.longest, segment_bytes);
    assert_int_equal(seen.bad_sums, 0);
    assert_int_equal(seen.pending, 0);
    assert_int_equal(seen.cut, 0);
    assert_int_equal(seen.markers, 0);
    assert_false(seen.disordered);
    assert_true(seen.first_ns > before_ns);
    assert_true(seen.last_ns < after_ns);
    capture_close(&capture);
    fixture_close(&fixture);
}

static void captures_a_whole_connection_over_ipv4(void **state)
{
    (void)state;
    fixture_need_namespaces();
    captures_a_whole_connection(AF_INET, 1448);
}

static void captures_a_whole_connection_over_ipv6(void **state)
{
    (void)state;
    fixture_need_namespaces();
    captures_a_whole_connection(AF_INET6, 1428);
}

/* The stamp is the time of the frame, however late it is read. */
static void frames_are_stamped_when_they_pass(void **state)
{
    struct fixture fixture;
    struct capture capture = CAPTURE_NONE;
    struct sockaddr_storage address;
    socklen_t length = link_address(LINK_SUT, AF_INET, 9, &address);
    (void)state;
    fixture_need_namespaces();

    for (int i = 0; i < 5; i++) { /* each capture anew: the first frame is the one in danger */
        struct seen seen = {0};
        fixture_open(&fixture);
        open_capture(&fixture, &capture, 0);
        int sender = fixture_socket(&fixture, LINK_PEER, AF_INET, SOCK_DGRAM);
        uint64_t before_ns = realtime_ns();
        assert_int_equal(sendto(sender, "x", 1, 0, (struct sockaddr *)&address, length), 1);
        uint64_t after_ns = realtime_ns();
        while (realtime_ns() < after_ns + 1000000)
            continue;
        assert_int_equal(capture_drain(&capture, see, &seen, NULL), 0);
        assert_true(seen.frames >= 1);
        assert_true(seen.first_ns >= before_ns);
        assert_true(seen.first_ns <= after_ns);
        (void)close(sender);
        capture_close(&capture);
        fixture_close(&fixture);
    }
}

static void draining_and_finishing_share_the_frames(void **state)
{
    struct fixture fixture;
    struct capture capture = CAPTURE_NONE;
    struct seen drained = {0}, finished = {0}, after = {0};
    (void)state;
    fixture_need_namespaces();
    fixture_pin();
    fixture_open(&fixture);
    open_capture(&fixture, &capture, 0);
    uint64_t before = capture.frames - capture.markers; /* passed over while it was opened */

    talk(&fixture, AF_INET, 1448);
    assert_int_equal(capture_drain(&capture, see, &drained, NULL), 0);
    assert_int_equal(drained.data, SEGMENTS + 1);
    talk(&fixture, AF_INET6, 1428);
    assert_int_equal(capture_finish(&capture, FIXTURE_LIMIT_MS, see, &finished, NULL), 0);
    assert_int_equal(finished.data, SEGMENTS + 1);
    assert_int_equal(capture_finish(&capture, FIXTURE_LIMIT_MS, see, &after, NULL), 0);
    assert_int_equal(after.tcp, 0);
    assert_int_equal(capture.frames - capture.markers - before,
                     drained.frames + finished.frames + after.frames);
    capture_close(&capture);
    fixture_close(&fixture);
}

static int stop_at_third(void *arg, const struct capture_frame *frame)
{
    (void)frame;
    return ++*(int *)arg == 3 ? 99 : 0;
}

static void a_callback_can_stop(void **state)
{
    struct fixture fixture;
    struct capture capture = CAPTURE_NONE;
    int calls = 0;
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);
    open_capture(&fixture, &capture, 0);
    talk(&fixture, AF_INET, 1448);

    assert_int_equal(capture_drain(&capture, stop_at_third, &calls, NULL), 99);
    assert_int_equal(calls, 3);
    assert_int_equal(capture_finish(&capture, FIXTURE_LIMIT_MS, stop_at_third, &calls, NULL), 0);
    assert_true(calls > SEGMENTS);
    capture_close(&capture);
    fixture_close(&fixture);
}

static void lost_frames_are_an_error(void **state)
{
    struct fixture fixture;
    struct capture capture = CAPTURE_NONE;
    struct seen seen = {0};
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);
    open_capture(&fixture, &capture, 16384);
    talk(&fixture, AF_INET, 1448);

    assert_int_equal(capture_finish(&capture, 5, see, &seen, &fixture.failure), -ENOBUFS);
    assert_non_null(strstr(fixture.failure.text, "the capture lost "));
    capture_close(&capture);
    fixture_close(&fixture);
}

static void a_loopback_frame_is_seen_once(void **state)
{
    struct fixture fixture;
    struct capture capture = CAPTURE_NONE;
    struct seen seen = {0};
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(9),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)} };
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);
    const struct capture_place here = { &fixture.spaces[LINK_SUT], "lo" };
    fixture_assert_ok(capture_open(&capture, &here, &here, 0, &fixture.failure),
                      &fixture.failure);

    int receiver = fixture_socket(&fixture, LINK_SUT, AF_INET, SOCK_DGRAM);
    assert_int_equal(bind(receiver, (struct sockaddr *)&address, sizeof(address)), 0);
    assert_int_equal(sendto(receiver, "x", 1, 0, (struct sockaddr *)&address, sizeof(address)), 1);
    assert_int_equal(capture_finish(&capture, FIXTURE_LIMIT_MS, see, &seen, NULL), 0);
    assert_int_equal(seen.frames, 1);
    assert_int_equal(seen.markers, 0);
    (void)close(receiver);
    capture_close(&capture);
    fixture_close(&fixture);
}

static void what_cannot_be_captured_is_named(void **state)
{
    struct fixture fixture;
    struct capture capture = CAPTURE_NONE;
    struct space empty = SPACE_NONE;
    struct failure *failure = &fixture.failure;
    (void)state;
    fixture_need_namespaces();
    fixture_open(&fixture);
    fixture_assert_ok(space_open(&empty, failure), failure);
    const struct capture_place good = place(&fixture, LINK_PEER);
    const struct capture_place absent = { &empty, "peer0" }, down = { &empty, "lo" };
    const struct capture_place endless = { &empty, "a-name-that-is-too-long" };
    int before = fixture_descriptors();

    assert_int_equal(capture_open(&capture, &absent, &good, 0, failure), -ENODEV);
    assert_non_null(strstr(failure->text, "find interface peer0"));
    assert_int_equal(capture_open(&capture, &good, &absent, 0, failure), -ENODEV);
    assert_int_equal(capture_open(&capture, &endless, &good, 0, failure), -ENODEV);
    assert_int_equal(capture_open(&capture, &down, &down, 0, failure), -ENETDOWN);
    assert_int_equal(fixture_descriptors(), before);
    assert_int_equal(capture.fd, -1);
    space_close(&empty);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_a_whole_connection_over_ipv4),
        cmocka_unit_test(captures_a_whole_connection_over_ipv6),
        cmocka_unit_test(frames_are_stamped_when_they_pass),
        cmocka_unit_test(draining_and_finishing_share_the_frames),
        cmocka_unit_test(a_callback_can_stop),
        cmocka_unit_test(lost_frames_are_an_error),
        cmocka_unit_test(a_loopback_frame_is_seen_once),
        cmocka_unit_test(what_cannot_be_captured_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
